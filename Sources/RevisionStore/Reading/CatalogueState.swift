import Crypto
import IMDF
package import SyncModel

/// The venues that were ever published, as they were at one moment: what a key may read is worked out of it without a statement.
///
/// Kept from one request to the next and brought up to date by what is new.
package struct CatalogueState: Sendable {
    /// Everything up to this number is known; see `catalogue.news`.
    package private(set) var number: Int64 = -1
    package private(set) var mark = CatalogueCursor.Mark(position: 0, chain: 0)
    /// Venues that have something to read.
    package private(set) var readable = VenueSet()
    /// Those of them that every key may read.
    package private(set) var open = VenueSet()
    private var venues: [Int64: VenueRecord] = [:]
    private var places: [VenueKey: Int64] = [:]
    private var secret: [UInt8] = []

    package init() {}

    /// Takes in what is new after ``number``.
    package mutating func apply(_ news: CatalogueNews) {
        self.number = news.number
        self.mark = news.mark
        self.secret = news.secret
        guard !news.venues.isEmpty else { return }
        let touched = VenueSet(news.venues.map(\.place))
        let present = news.venues.filter { !$0.isDeleted && $0.venue.head > 0 }
        self.readable = self.readable.subtracting(touched).union(VenueSet(present.map(\.place)))
        self.open = self.open.subtracting(touched)
            .union(VenueSet(present.filter(\.venue.settings.public).map(\.place)))
        for (place, venue, _) in news.venues {
            self.venues[place] = venue
            self.places[venue.key] = place
        }
    }

    /// What a key for these venues may read; nil: for all.
    package func readable(of keys: Set<VenueKey>?) -> VenueSet {
        guard let keys else { return self.readable }
        return VenueSet(keys.compactMap { self.places[$0] }).intersection(self.readable).union(self.open)
    }

    /// Also of a venue that was deleted.
    func key(at place: Int64) -> VenueKey? { self.venues[place]?.key }

    func venue(at place: Int64) -> VenueRecord? { self.venues[place] }

    func keys(of venues: VenueSet) -> [VenueKey] { venues.places.compactMap(self.key(at:)).sorted() }

    /// A cursor with the seal that makes it one of ours.
    func sealed(_ cursor: CatalogueCursor) -> CatalogueCursor {
        var cursor = cursor
        let code = HMAC<SHA256>.authenticationCode(for: cursor.content, using: SymmetricKey(data: self.secret))
        cursor.seal = CatalogueNews.prefix(of: Array(code))
        return cursor
    }
}

/// What is new of the catalogue.
package struct CatalogueNews: Sendable {
    /// Everything up to this number is known now.
    package let number: Int64
    let mark: CatalogueCursor.Mark
    let secret: [UInt8]
    let venues: [(place: Int64, venue: VenueRecord, isDeleted: Bool)]

    /// The first eight bytes as a number; of nothing, 0.
    static func prefix(of bytes: [UInt8]) -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
