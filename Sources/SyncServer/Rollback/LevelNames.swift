import IMDF
import RevisionStore
import SyncModel

/// The levels that a rollback is asked to take back, as they stand in its body.
struct LevelNames {
    private let names: [LevelSelection.Name]

    /// - Throws: A problem when one of them can be no level's name.
    init(_ texts: [String]) throws {
        guard !texts.isEmpty else {
            throw Problem.body("“levels” names at least one level; leave it out to take the whole venue back")
        }
        self.names = try texts.map { text in
            switch LevelSelection.Name(text) {
            case .venueWide:
                throw Problem.body(
                    "“levels” takes no “venue”: the venue-wide part belongs to no level and goes back with the whole venue"
                )
            case let name?: return name
            case nil: throw Problem.body("“levels” takes ids and ordinal:<number>, not “\(text.prefix(100))”")
            }
        }
    }

    /// The levels that bear the names in either revision; an ordinal may be borne by several.
    func levels(in now: RevisionRecord, or then: RevisionRecord) throws -> Set<FeatureID> {
        var found: Set<FeatureID> = []
        for name in self.names {
            let selection = LevelSelection(names: [name])
            let levels = (now.levels + then.levels).filter { selection.includes(level: $0.id, ordinal: $0.ordinal) }
            guard !levels.isEmpty else {
                throw Problem.body("“\(name)” is no level of revision \(now.number), nor of revision \(then.number)")
            }
            found.formUnion(levels.map(\.id))
        }
        return found
    }
}
