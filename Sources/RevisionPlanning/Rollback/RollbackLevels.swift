package import IMDF
import RevisionStore
import SyncModel

/// The levels that a rollback restores, by id or ordinal.
package struct RollbackLevels: Sendable {
    /// Why levels cannot be rolled back by their names.
    package enum Refusal: Error, Hashable, Sendable {
        /// There is no name at all.
        case empty
        /// The venue-wide part belongs to no level.
        case venueWide
        /// Neither an id nor an ordinal.
        case malformed(String)
        /// Neither the head nor the restored revision has such a level.
        case unknown(LevelSelection.Name, head: Int64, target: Int64)
    }

    private let names: [LevelSelection.Name]

    package init(_ texts: [String]) throws(Refusal) {
        guard !texts.isEmpty else { throw .empty }
        var names: [LevelSelection.Name] = []
        for text in texts {
            switch LevelSelection.Name(text) {
            case .venueWide: throw .venueWide
            case let name?: names.append(name)
            case nil: throw .malformed(text)
            }
        }
        self.names = names
    }

    /// The levels with these names in either revision; several levels may have the same ordinal.
    func levels(in head: RevisionRecord, or target: RevisionRecord) throws(Refusal) -> Set<FeatureID> {
        var found: Set<FeatureID> = []
        for name in self.names {
            let selection = LevelSelection(names: [name])
            let levels = (head.levels + target.levels).filter { selection.includes(level: $0.id, ordinal: $0.ordinal) }
            guard !levels.isEmpty else { throw .unknown(name, head: head.number, target: target.number) }
            found.formUnion(levels.map(\.id))
        }
        return found
    }
}
