import IMDF
package import SyncModel

/// The venues that were ever published, as they were at one moment: what a key may read is worked out of it without a statement.
///
/// Kept from one request to the next and brought up to date by what is new.
package struct CatalogueState: Sendable {
    /// Everything up to this number is known; see ``News``.
    package private(set) var news: Int64 = -1
    package private(set) var mark = CatalogueCursor.Mark(position: 0, chain: 0)
    /// Venues that have something to read.
    private var readable = VenueSet()
    /// Those of them that every key may read.
    private var open = VenueSet()
    private var venues: [Int64: VenueRecord] = [:]
    private var places: [VenueKey: Int64] = [:]
    package private(set) var seal = CursorSeal(secret: [])

    package init() {}

    /// Takes in what is new after ``news``.
    package mutating func apply(_ news: News) {
        self.news = news.number
        self.mark = CatalogueCursor.Mark(position: news.position, chain: news.chain)
        self.seal = CursorSeal(secret: news.secret)
        guard !news.venues.isEmpty else { return }
        let touched = VenueSet(news.venues.compactMap(\.venue.place))
        let present = news.venues.filter { !$0.isDeleted && $0.venue.head > 0 }.map(\.venue)
        self.readable = self.readable.subtracting(touched).union(VenueSet(present.compactMap(\.place)))
        self.open = self.open.subtracting(touched)
            .union(VenueSet(present.filter(\.settings.public).compactMap(\.place)))
        for venue in news.venues.map(\.venue) {
            guard let place = venue.place else { continue }
            self.venues[place] = venue
            self.places[venue.key] = place
        }
    }

    /// What a key for these venues may read; nil: for all. What is public every key may read.
    package func readable(of keys: Set<VenueKey>?) -> VenueSet {
        guard let keys else { return self.readable }
        return VenueSet(keys.compactMap { self.places[$0] }).intersection(self.readable).union(self.open)
    }

    /// Also of a venue that was deleted.
    func key(at place: Int64) -> VenueKey? { self.venues[place]?.key }

    func venue(at place: Int64) -> VenueRecord? { self.venues[place] }

    func keys(of venues: VenueSet) -> [VenueKey] { venues.places.compactMap(self.key(at:)).sorted() }
}

extension CatalogueCursor.Mark {
    /// The chain is empty at the first position of all.
    init(position: Int64, chain: [UInt8]) {
        self.init(position: position, chain: chain.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
