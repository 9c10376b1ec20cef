import IMDF
package import SyncModel

/// The venues that were ever published, at one moment. The venues that a key may read are computed from it without a statement.
///
/// It is kept between requests and updated by ``CatalogueChanges``.
package struct CatalogueState: Sendable {
    /// The number of the last change that is included.
    package private(set) var changeNumber: Int64 = -1
    package private(set) var checkpoint = CatalogueCursor.Checkpoint(position: 0, chain: 0)
    /// Venues that have a revision.
    private var readable = VenueSet()
    /// Those of them that are public.
    private var publicVenues = VenueSet()
    /// By catalogue index.
    private var venues: [Int64: VenueRecord] = [:]
    private var indices: [VenueKey: Int64] = [:]
    package private(set) var seal = CursorSeal(secret: [])

    package init() {}

    /// The approximate bytes of memory that it takes to keep the state.
    package var cost: Int { 512 + 320 * self.venues.count }

    /// Applies the changes after ``changeNumber``.
    package mutating func apply(_ changes: CatalogueChanges) {
        self.changeNumber = changes.number
        self.checkpoint = CatalogueCursor.Checkpoint(position: changes.position, chainHash: changes.chainHash)
        self.seal = CursorSeal(secret: changes.cursorSecret)
        guard !changes.venues.isEmpty else { return }
        let changed = VenueSet(changes.venues.compactMap(\.venue.catalogueIndex))
        let present = changes.venues.filter { !$0.isDeleted && $0.venue.head > 0 }.map(\.venue)
        self.readable = self.readable.subtracting(changed).union(VenueSet(present.compactMap(\.catalogueIndex)))
        self.publicVenues = self.publicVenues.subtracting(changed)
            .union(VenueSet(present.filter(\.settings.public).compactMap(\.catalogueIndex)))
        for venue in changes.venues.map(\.venue) {
            guard let index = venue.catalogueIndex else { continue }
            self.venues[index] = venue
            self.indices[venue.key] = index
        }
    }

    /// The venues that an API key for these venues may read; nil for a key for all venues. Every key may read public venues.
    package func readable(of keys: Set<VenueKey>?) -> VenueSet {
        guard let keys else { return self.readable }
        return VenueSet(keys.compactMap { self.indices[$0] }).intersection(self.readable).union(self.publicVenues)
    }

    /// The key of a venue, also of a deleted one.
    func key(at index: Int64) -> VenueKey? { self.venues[index]?.key }

    func venue(at index: Int64) -> VenueRecord? { self.venues[index] }

    func keys(of venues: VenueSet) -> [VenueKey] { venues.indices.compactMap(self.key(at:)).sorted() }
}

extension CatalogueCursor.Checkpoint {
    /// - Parameter chainHash: Empty at position 0.
    init(position: Int64, chainHash: [UInt8]) {
        self.init(position: position, chain: chainHash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
