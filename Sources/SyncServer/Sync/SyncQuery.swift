package import IMDF
package import RevisionStore
package import SyncModel

/// The parameters of `sync` and the state of the venue that they are applied to. Equal queries have equal responses.
package struct SyncQuery: Hashable, Sendable {
    package private(set) var request: SyncRequest
    /// False when the client holds a cursor that this database has not issued.
    package private(set) var isOfThisHistory: Bool
    /// Whether the client holds a cursor of a former epoch. It was replaced by the one of the present epoch for the same state.
    private var isContinued = false
    /// The seal of the database that the state was read from.
    private(set) var seal: CursorSeal

    /// Reads `since=&level=&to=&limit=&form=`.
    package init(_ query: QueryValues, of venue: VenueRecord, sealedBy seal: CursorSeal) throws {
        let token = try query.text("since")
        let since = token.flatMap(Cursor.init)
        guard token == nil || since != nil else {
            throw StoreError.malformedCursor("It is truncated or invalid.")
        }
        self.seal = seal
        self.isOfThisHistory = since.map(seal.isValid(on:)) ?? true
        self.request = SyncRequest(
            venue: venue, since: since, to: try query.number("to", in: 1...Int64.max), levels: try query.levels(),
            limit: try query.limit(default: 5_000, max: 50_000), form: try query.form())
        self.continueFormerEpoch()
    }

    private mutating func continueFormerEpoch() {
        guard self.isOfThisHistory, let since = self.since, let continued = self.venue.continued(since) else { return }
        self.request.since = self.seal.sealed(continued)
        self.isContinued = true
    }

    /// The same parameters, applied to another state of the venue.
    package func applied(to venue: VenueRecord, sealedBy seal: CursorSeal) -> SyncQuery {
        var query = self
        query.request.venue = venue
        query.seal = seal
        query.isOfThisHistory = self.since.map(seal.isValid(on:)) ?? self.isOfThisHistory
        query.continueFormerEpoch()
        return query
    }

    var venue: VenueRecord { self.request.venue }
    package var since: Cursor? { self.request.since }
    /// The cursor as the client sent it; nil without one, and for one of a former epoch.
    var sentCursor: Cursor? { self.isContinued ? nil : self.since }
    package var to: Int64? { self.request.to }
    package var levels: LevelSelection { self.request.levels }
    package var limit: Int { self.request.limit }
    package var form: SyncForm { self.request.form }

    /// Whether the client refers to something that is not known here: another node has sent it, or it is made up.
    package var isAhead: Bool {
        if let to = self.to, to > self.venue.head { return true }
        guard let since = self.since else { return false }
        return !self.isOfThisHistory || since.epoch != self.venue.epoch
            || since.holding?.revision ?? 0 > self.venue.head
            || since.page?.to ?? 0 > self.venue.head
    }

    /// Whether the response ends at a revision that the address names, and so never changes.
    package var isPinned: Bool { self.since != nil && (self.to != nil || self.since?.page != nil) }

    /// How long a cache may keep the response. The address of a former epoch may name a revision that was lost, so no cache keeps the
    /// present one under it.
    func caching(_ result: some SyncResult) -> String {
        self.isContinued ? "no-store" : self.isPinned ? immutable : result.freshness
    }

    /// The bytes that it takes to keep the query.
    var cost: Int { 1 << 10 + 64 * (self.levels.names?.count ?? 0) }

    package static func == (left: SyncQuery, right: SyncQuery) -> Bool {
        // The number of its newest change stands for the whole state of a venue.
        left.venue.id == right.venue.id && left.venue.changeNumber == right.venue.changeNumber
            && left.venue.epoch == right.venue.epoch && left.since == right.since
            && left.to == right.to && left.levels == right.levels && left.limit == right.limit
            && left.form == right.form && left.isContinued == right.isContinued
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.venue.id)
        hasher.combine(self.venue.changeNumber)
        hasher.combine(self.since)
        hasher.combine(self.to)
        hasher.combine(self.levels)
        hasher.combine(self.limit)
        hasher.combine(self.form)
    }
}
