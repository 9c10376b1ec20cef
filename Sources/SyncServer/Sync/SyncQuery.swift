import RevisionStore
import SyncModel

/// What a client asks of `sync`, and of what state of the venue: equal questions have equal answers.
struct SyncQuery: Hashable, Sendable {
    let venue: VenueRecord
    let since: Cursor?
    /// False when the client holds a cursor that was not issued by this database.
    let isOfThisHistory: Bool
    let to: Int64?
    let wanted: LevelSelection
    let limit: Int
    /// Of the database that the state was read from.
    let seal: CursorSeal

    /// Reads `since=&level=&to=&limit=`.
    init(_ query: QueryValues, of venue: VenueRecord, sealedBy seal: CursorSeal) throws {
        self.venue = venue
        self.seal = seal
        let token = try query.text("since")
        self.since = token.flatMap(Cursor.init)
        // Whoever still holds a cursor without a seal is told to start over, because a client cannot recover from a 400.
        let isUnsealed = token.map(Cursor.isUnsealed) ?? false
        guard token == nil || self.since != nil || isUnsealed else {
            throw StoreError.malformedCursor("It was cut short or made up.")
        }
        self.isOfThisHistory = self.since.map(seal.isValid(on:)) ?? !isUnsealed
        self.to = try query.number("to", in: 1...Int64.max)
        self.wanted = try query.levels()
        self.limit = try query.limit(default: 5_000, most: 50_000)
    }

    private init(_ question: SyncQuery, of venue: VenueRecord, sealedBy seal: CursorSeal) {
        self.venue = venue
        self.seal = seal
        self.since = question.since
        self.isOfThisHistory = question.since.map(seal.isValid(on:)) ?? question.isOfThisHistory
        self.to = question.to
        self.wanted = question.wanted
        self.limit = question.limit
    }

    /// The same question about a later state of the venue.
    func asked(of venue: VenueRecord, sealedBy seal: CursorSeal) -> SyncQuery {
        SyncQuery(self, of: venue, sealedBy: seal)
    }

    /// Whether the client knows of something that is not known here: it has been to another node, or makes it up.
    var isAhead: Bool {
        if let to = self.to, to > self.venue.head { return true }
        guard let since = self.since else { return false }
        return !self.isOfThisHistory || since.epoch != self.venue.epoch
            || since.holding?.revision ?? 0 > self.venue.head
            || since.page?.to ?? 0 > self.venue.head
    }

    /// Whether the answer ends at a revision that the address names, and so never changes.
    var isPinned: Bool { self.since != nil && (self.to != nil || self.since?.page != nil) }

    /// Bytes that it takes to keep the question.
    var cost: Int { 1 << 10 + 64 * (self.wanted.names?.count ?? 0) }

    var request: SyncRequest {
        SyncRequest(venue: self.venue, since: self.since, to: self.to, wanted: self.wanted, limit: self.limit)
    }

    static func == (left: SyncQuery, right: SyncQuery) -> Bool {
        // Everything about a venue is in the number of its newest change.
        left.venue.id == right.venue.id && left.venue.changeNumber == right.venue.changeNumber
            && left.venue.epoch == right.venue.epoch && left.since == right.since
            && left.to == right.to && left.wanted == right.wanted && left.limit == right.limit
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(self.venue.id)
        hasher.combine(self.venue.changeNumber)
        hasher.combine(self.since)
        hasher.combine(self.to)
        hasher.combine(self.wanted)
        hasher.combine(self.limit)
    }
}
