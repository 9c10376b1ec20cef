package import IMDF
import RevisionStore
import SyncModel

/// The part of a difference that a page has, and whether it has bodies.
package struct DiffQuery: Sendable {
    package let levels: LevelSelection
    /// Only features with a greater id.
    package let after: FeatureID?
    package let limit: Int
    package let withBodies: Bool

    package init(levels: LevelSelection, after: FeatureID?, limit: Int, withBodies: Bool) {
        self.levels = levels
        self.after = after
        self.limit = limit
        self.withBodies = withBodies
    }

    /// Bytes of bodies that are read for a page. A page without bodies is short, so more of them may be read for it.
    var readBytes: Int64 { Int64(self.withBodies ? RevisionStore.pageBytes : 8 * RevisionStore.pageBytes) }
}

extension LevelSelection {
    /// The levels that the selection names; nil for everything. `nil` inside is the venue-wide part.
    func levels(among levels: [RevisionRecord.Level]) -> [FeatureID?]? {
        guard let names = self.names else { return nil }
        let named = levels.filter { self.includes(level: $0.id, ordinal: $0.ordinal) }
        return Set(named.map(\.id)).map(Optional.some) + (names.contains(.venueWide) ? [nil] : [])
    }
}
