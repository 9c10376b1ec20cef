import IMDF
import SyncModel

/// A page of a change set over many venues, while it is being filled.
struct CataloguePage {
    let state: CatalogueState
    /// What the client held before the first page.
    let holding: CatalogueCursor.Holding?
    /// What every page leads to.
    let to: CatalogueCursor.Mark
    /// Features and removals, at most. A venue without any counts as one.
    let limit: Int
    /// Where the page begins; nil on the first.
    private let start: CatalogueCursor.Page?

    /// What the client is to hold in the end.
    private(set) var wanted: VenueSet
    private(set) var gone: VenueSet
    private(set) var shares: [Share] = []
    private var items = 0
    private var bytes = 0
    /// What the next page begins with; nil when there is none.
    private var next: (place: Int64, sent: CatalogueCursor.Part?)?
    /// Whether a venue that can be read is not any more what was known of it when the change set was begun: what leads further is
    /// known by now, or soon.
    private(set) var isOvertaken = false

    /// What is on the page of a venue, and what it is made of.
    struct Share {
        let place: Int64
        let venue: VenueRecord
        let moments: [RevisionStore.Moment]
        let page: ChangeSetPage
    }

    /// A venue that has something new.
    struct Pending {
        let place: Int64
        let venue: VenueRecord
    }

    init(_ request: CatalogueRequest) {
        self.state = request.state
        self.holding = request.since?.holding
        self.start = request.since?.page
        self.to = request.since?.page?.to ?? request.state.mark
        self.limit = request.limit
        self.wanted = self.start?.wanted ?? request.readable
        self.gone = VenueSet()
        if self.start == nil {
            self.gone = self.held.subtracting(request.readable)
        } else {
            self.drop(self.wanted.subtracting(request.readable))
        }
    }

    private var held: VenueSet { self.holding?.venues ?? VenueSet() }

    /// Venues that the client holds and goes on holding.
    var kept: VenueSet { self.wanted.intersection(self.held) }

    func holds(_ place: Int64) -> Bool { self.holding?.venues.contains(place) ?? false }

    /// What earlier pages brought of a venue that is not through yet.
    func sent(of place: Int64) -> CatalogueCursor.Part? { self.start?.venue == place ? self.start?.sent : nil }

    /// Venues that this page and later ones have to tell of, by key.
    ///
    /// - Parameter published: Those that are new since what the client holds.
    func pending(published: VenueSet) -> [Pending] {
        let first = self.start.flatMap { self.state.key(at: $0.venue) }
        return self.wanted.subtracting(self.held.subtracting(published)).places
            .compactMap { place in self.state.venue(at: place).map { Pending(place: place, venue: $0) } }
            .filter { pending in first.map { $0 <= pending.venue.key } ?? true }
            .sorted { $0.venue.key < $1.venue.key }
    }

    /// Leaves venues out from now on: they may not be read any more, or are not there as they were. If they can still
    /// be read, the next change set has them whole.
    mutating func drop(_ venues: VenueSet) {
        self.wanted = self.wanted.subtracting(venues)
        self.gone = self.gone.union(VenueSet(venues.places.filter(self.mayHaveBeenSent)))
    }

    /// Leaves venues out of which what the page was to say is not there any more. A change set that is only begun can be begun
    /// again instead.
    mutating func lose(_ venues: VenueSet) {
        if self.start == nil, !venues.isEmpty { self.isOvertaken = true }
        self.drop(venues)
    }

    /// Whether the client has something of a venue: from before the first page, or from an earlier page.
    private func mayHaveBeenSent(_ place: Int64) -> Bool {
        if self.holds(place) { return true }
        guard let start = self.start, let key = self.state.key(at: place), let first = self.state.key(at: start.venue)
        else { return false }
        return key < first || place == start.venue && start.sent != nil
    }
}

extension CataloguePage {
    var hasRoom: Bool { self.room > 0 && self.byteRoom > 0 }
    var room: Int { self.limit - self.items }
    private var byteRoom: Int { RevisionStore.pageBytes - self.bytes }

    /// How many items of a venue fit on the page; of the first venue all, so that there is something on every page.
    func fitting(_ page: ChangeSetPage) -> Int {
        page.items(within: self.shares.isEmpty ? .max : self.byteRoom)
    }

    /// Puts a venue's share on the page, or the part of it that has room.
    mutating func add(_ page: ChangeSetPage, of pending: Pending, from: RevisionStore.Moment?, to: RevisionStore.Moment)
    {
        self.shares.append(
            Share(
                place: pending.place, venue: pending.venue, moments: [from, to].compactMap { $0 }, page: page))
        self.items += max(1, page.items)
        self.bytes += page.bytes
        guard !page.frame.isComplete, let offset = page.frame.cursor.page?.offset else { return }
        self.end(before: pending.place, sent: .init(from: from?.revision, to: to.revision, offset: offset))
    }

    /// Ends the page; the next one begins here.
    mutating func end(before place: Int64, sent: CatalogueCursor.Part? = nil) {
        self.next = (place, sent)
    }

    /// Whether the page was ended before everything was told.
    var isEnded: Bool { self.next != nil }

    /// The answer, without its bodies.
    ///
    /// - Parameter lost: Revisions that were there when the page was filled, and are not any more.
    mutating func answer(lost: Set<RevisionStore.Moment>) -> CatalogueChangeSetPage {
        let whole = self.shares.filter { lost.isDisjoint(with: $0.moments) }
        self.lose(VenueSet(self.shares.map(\.place)).subtracting(VenueSet(whole.map(\.place))))
        var cursor = CatalogueCursor(holding: .init(mark: self.to, venues: self.wanted))
        if let next = self.next {
            cursor = CatalogueCursor(
                holding: self.holding,
                page: .init(to: self.to, wanted: self.wanted, venue: next.place, sent: next.sent))
        }
        return CatalogueChangeSetPage(
            frame: CatalogueChangeSet(
                from: self.holding?.mark.position, to: self.to.position, isComplete: !self.isEnded,
                cursor: self.state.seal.sealed(cursor), venues: whole.map { .init($0.page.frame) },
                gone: self.state.keys(of: self.gone)),
            shares: whole.map { ($0.venue, $0.page) })
    }
}

extension ChangeSetPage {
    var items: Int { self.items(within: .max) }

    /// How many items come before the one that would take the bodies past `room`; an empty block is one.
    fileprivate func items(within room: Int) -> Int {
        var (items, bytes) = (0, 0)
        for (block, puts) in zip(self.frame.blocks, self.puts) {
            for put in puts {
                bytes += put.bytes
                guard bytes <= room else { return items }
                items += 1
            }
            items += puts.isEmpty ? max(1, block.removed.count) : block.removed.count
        }
        return items
    }
}
