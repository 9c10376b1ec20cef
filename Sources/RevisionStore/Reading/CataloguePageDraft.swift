import IMDF
import SyncModel

/// A page of a change set over all venues, while it is being filled.
struct CataloguePageDraft {
    let state: CatalogueState
    /// What the client held before the first page.
    let holding: CatalogueCursor.Holding?
    /// What every page leads to.
    let to: CatalogueCursor.Checkpoint
    /// The maximum number of features and removals. A venue without any counts as one.
    let limit: Int
    /// Where the page begins; nil for the first one.
    private let start: CatalogueCursor.Page?

    /// The venues that the client holds in the end.
    private(set) var selected: VenueSet
    private(set) var gone: VenueSet
    private(set) var venues: [VenuePage] = []
    private var items = 0
    private var bytes = 0
    /// The first venue of the next page; nil if there is no next page.
    private var next: (index: Int64, sent: CatalogueCursor.Part?)?
    /// Whether a readable venue differs from what was known when the change set was begun. The newer state is known by now, or soon.
    private(set) var isOutdated = false

    /// The part of the page that belongs to one venue, with the revisions that it was read from.
    struct VenuePage {
        let index: Int64
        let venue: VenueRecord
        let revisions: [RevisionStore.RevisionIdentity]
        let page: ChangeSetPagePlan
    }

    /// A venue with changes.
    struct Pending {
        let index: Int64
        let venue: VenueRecord
    }

    init(_ request: CatalogueRequest) {
        self.state = request.state
        self.holding = request.since?.holding
        self.start = request.since?.page
        self.to = request.since?.page?.to ?? request.state.checkpoint
        self.limit = request.limit
        self.selected = self.start?.selected ?? request.readable
        self.gone = VenueSet()
        if self.start == nil {
            self.gone = self.held.subtracting(request.readable)
        } else {
            self.drop(self.selected.subtracting(request.readable))
        }
    }

    private var held: VenueSet { self.holding?.venues ?? VenueSet() }

    /// Venues that the client holds and continues to hold.
    var kept: VenueSet { self.selected.intersection(self.held) }

    func holds(_ index: Int64) -> Bool { self.holding?.venues.contains(index) ?? false }

    /// What earlier pages contained of the venue that this page begins with.
    func sent(of index: Int64) -> CatalogueCursor.Part? { self.start?.venue == index ? self.start?.sent : nil }

    /// Venues with changes for this page and later ones, by key.
    ///
    /// - Parameter published: Venues that were published since the client's position.
    func pending(published: VenueSet) -> [Pending] {
        let first = self.start.flatMap { self.state.key(at: $0.venue) }
        return self.selected.subtracting(self.held.subtracting(published)).indices
            .compactMap { index in self.state.venue(at: index).map { Pending(index: index, venue: $0) } }
            .filter { pending in first.map { $0 <= pending.venue.key } ?? true }
            .sorted { $0.venue.key < $1.venue.key }
    }

    /// Excludes venues from here on: they may not be read any more, or were deleted or recreated. Those that can still be read
    /// are sent as snapshots in the next change set.
    mutating func drop(_ venues: VenueSet) {
        self.selected = self.selected.subtracting(venues)
        self.gone = self.gone.union(VenueSet(venues.indices.filter(self.mayHaveBeenSent)))
    }

    /// Excludes venues whose revisions do not exist any more. On the first page, the change set can be begun again instead.
    mutating func withdraw(_ venues: VenueSet) {
        if self.start == nil, !venues.isEmpty { self.isOutdated = true }
        self.drop(venues)
    }

    /// Whether the client has a part of a venue, from before the first page or from an earlier page.
    private func mayHaveBeenSent(_ index: Int64) -> Bool {
        if self.holds(index) { return true }
        guard let start = self.start, let key = self.state.key(at: index), let first = self.state.key(at: start.venue)
        else { return false }
        return key < first || index == start.venue && start.sent != nil
    }
}

extension CataloguePageDraft {
    var hasRoom: Bool { self.room > 0 && self.byteRoom > 0 }
    var room: Int { self.limit - self.items }
    private var byteRoom: Int { RevisionStore.pageBytes - self.bytes }

    /// How many items of a venue fit on the page; all of the first venue, so that no page is empty.
    func fitting(_ page: ChangeSetPagePlan) -> Int {
        page.items(within: self.venues.isEmpty ? .max : self.byteRoom)
    }

    /// Adds a page of a venue. If the venue has more pages, this page ends with it.
    mutating func add(
        _ page: ChangeSetPagePlan, of pending: Pending, from: RevisionStore.RevisionIdentity?,
        to target: RevisionStore.RevisionIdentity
    ) {
        self.venues.append(
            VenuePage(
                index: pending.index, venue: pending.venue, revisions: [from, target].compactMap { $0 }, page: page))
        self.items += max(1, page.items)
        self.bytes += page.bytes
        guard !page.header.isComplete, let offset = page.header.cursor.page?.offset else { return }
        self.end(before: pending.index, sent: .init(from: from?.revision, to: target.revision, offset: offset))
    }

    /// Ends the page; the next one begins with this venue.
    mutating func end(before index: Int64, sent: CatalogueCursor.Part? = nil) {
        self.next = (index, sent)
    }

    /// Whether there is a next page.
    var isEnded: Bool { self.next != nil }

    /// The page without its bodies.
    ///
    /// - Parameter missing: Revisions that existed when the page was filled, and do not exist any more.
    mutating func result(missing: Set<RevisionStore.RevisionIdentity>) -> CataloguePagePlan {
        let complete = self.venues.filter { missing.isDisjoint(with: $0.revisions) }
        self.withdraw(VenueSet(self.venues.map(\.index)).subtracting(VenueSet(complete.map(\.index))))
        var cursor = CatalogueCursor(holding: .init(checkpoint: self.to, venues: self.selected))
        if let next = self.next {
            cursor = CatalogueCursor(
                holding: self.holding,
                page: .init(to: self.to, selected: self.selected, venue: next.index, sent: next.sent))
        }
        return CataloguePagePlan(
            header: CatalogueChangeSet(
                from: self.holding?.checkpoint.position, to: self.to.position, isComplete: !self.isEnded,
                cursor: self.state.seal.sealed(cursor), venues: complete.map { .init($0.page.header) },
                gone: self.state.keys(of: self.gone)),
            venues: complete.map { ($0.venue, $0.page) })
    }
}

extension ChangeSetPagePlan {
    var items: Int { self.items(within: .max) }

    /// The number of items before the one with which the bodies would exceed `room`; an empty block counts as one.
    fileprivate func items(within room: Int) -> Int {
        var (items, bytes) = (0, 0)
        for (block, versions) in zip(self.header.blocks, self.versions) {
            for version in versions {
                bytes += version.bytes
                guard bytes <= room else { return items }
                items += 1
            }
            items += versions.isEmpty ? max(1, block.removed.count) : block.removed.count
        }
        return items
    }
}
