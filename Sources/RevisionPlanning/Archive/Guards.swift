import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// Checks that stage an upload instead of publishing it. A venue's first revision passes all of them.
enum Guards {
    /// The number of features from which on the removal of a level needs a confirmation.
    private static let largeLevel = 20

    static func reasons(against proposal: Proposal) -> [Upload.Reason] {
        guard let revision = proposal.base.revision else { return [] }
        var reasons: [Upload.Reason] = []
        if proposal.base.venue.settings.removalGuard, self.removesMuch(proposal, from: revision) {
            reasons.append(.removal)
        }
        let venue = proposal.state.features.first { $0.feature.type == .venue }?.feature.id
        if let before = revision.venueFeature, before != venue { reasons.append(.otherVenue) }
        if let before = self.origin(in: proposal.base.manifest), let after = self.origin(in: proposal.state.manifest),
            before != after
        {
            reasons.append(.otherOrigin)
        }
        if proposal.asksAboutOverrides {
            reasons.append(.overrides)
        }
        return reasons
    }

    /// Whether more than 30 % of the features are removed, a large level, or most features of a type.
    private static func removesMuch(_ proposal: Proposal, from revision: RevisionRecord) -> Bool {
        let removed = proposal.difference.changes.count { $0.kind == .removed }
        if removed * 10 > proposal.base.features.count * 3 { return true }
        if self.removesType(proposal) { return true }
        let levels = Set(proposal.state.features.filter { $0.feature.type == .level }.map(\.feature.id))
        let removedLevels = Set(revision.levels.map(\.id)).subtracting(levels)
        guard !removedLevels.isEmpty else { return false }
        var sizes: [FeatureID: Int] = [:]
        for case let level? in proposal.base.features.map(\.level) where removedLevels.contains(level) {
            sizes[level, default: 0] += 1
        }
        return sizes.values.contains { $0 >= self.largeLevel }
    }

    /// The number of features from which on a type must not vanish, and from which on it must not lose half.
    private static let (few, many) = (3, 20)

    /// Whether a type vanishes or shrinks by half, as when its file is missing in the archive or was cut off. Types with few features may.
    private static func removesType(_ proposal: Proposal) -> Bool {
        guard proposal.difference.changes.contains(where: { $0.kind == .removed }) else { return false }
        var before: [FeatureType: Int] = [:]
        for feature in proposal.base.features { before[feature.type, default: 0] += 1 }
        var after: [FeatureType: Int] = [:]
        for feature in proposal.state.features { after[feature.feature.type, default: 0] += 1 }
        return before.contains { type, count in
            let rest = after[type] ?? 0
            return rest == 0 ? count >= self.few : count >= self.many && 2 * rest <= count
        }
    }

    /// The manifest's member `origin`: the producer of the archive.
    private static func origin(in manifest: [UInt8]?) -> JSONValue? {
        guard let manifest, let origin = try? JSONReader.value(of: manifest)["origin"], !origin.isNull else {
            return nil
        }
        return origin
    }
}
