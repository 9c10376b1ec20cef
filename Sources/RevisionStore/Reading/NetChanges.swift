import IMDF
import SyncModel

/// The net changes between two revisions, also by level and in the order of a change set. They depend on the two revisions alone, so they
/// are put in order once for all pages and all selections of levels.
struct NetChanges: Sendable {
    /// What a change set has of a level that is held and stays selected.
    struct Level: Sendable {
        /// The features to put. Those that others refer to are first.
        var versions: [VersionSummary] = []
        /// Those that others refer to are last.
        var removals: [ChangeSet.Removal] = []
    }

    static let none = NetChanges([])

    let all: [FeatureChange]
    /// Levels without changes have no entry; nil stands for the venue-wide part.
    let levels: [FeatureID?: Level]

    init(_ changes: [FeatureChange]) {
        typealias Removal = (version: VersionSummary, reason: ChangeSet.Removal.Reason, movedTo: FeatureID?)
        var versions: [FeatureID?: [VersionSummary]] = [:]
        var removals: [FeatureID?: [Removal]] = [:]
        for change in changes {
            if let after = change.after { versions[after.level, default: []].append(after) }
            guard let before = change.before else { continue }
            if let after = change.after {
                if after.level != before.level {
                    removals[before.level, default: []].append((before, .moved, after.level))
                }
            } else {
                removals[before.level, default: []].append((before, .deleted, nil))
            }
        }
        var levels = versions.mapValues { Level(versions: $0.sorted(by: VersionSummary.precedes)) }
        for (level, removed) in removals {
            let ordered = removed.sorted { VersionSummary.precedes($1.version, $0.version) }
            levels[level, default: Level()].removals = ordered.map {
                .init(id: $0.version.feature, type: $0.version.type, reason: $0.reason, movedTo: $0.movedTo)
            }
        }
        self.all = changes
        self.levels = levels
    }

    /// In records of about 100 bytes.
    var cost: Int {
        self.levels.values.reduce(1 + 2 * self.all.count) { $0 + $1.versions.count + $1.removals.count }
    }
}
