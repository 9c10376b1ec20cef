import RevisionStore
import SyncModel

/// What a client asks of `sync`, and of what state of the venue: equal questions have equal answers.
struct SyncQuestion: Hashable, Sendable {
    let venue: VenueRecord
    let since: Cursor?
    let to: Int64?
    let wanted: LevelSelection
    let limit: Int

    /// Reads `since=&level=&to=&limit=`.
    init(_ query: QueryValues, of venue: VenueRecord) throws {
        self.venue = venue
        self.since = try query.text("since").map { token in
            guard let cursor = Cursor(token) else { throw StoreError.malformedCursor("It was cut short or made up.") }
            return cursor
        }
        self.to = try query.number("to", in: 1...Int64.max)
        self.wanted = try query.levels()
        self.limit = try query.limit(default: 5_000, most: 50_000)
    }

    private init(_ question: SyncQuestion, of venue: VenueRecord) {
        self.venue = venue
        self.since = question.since
        self.to = question.to
        self.wanted = question.wanted
        self.limit = question.limit
    }

    /// The same question about a later state of the venue.
    func asked(of venue: VenueRecord) -> SyncQuestion { SyncQuestion(self, of: venue) }

    /// Whether the client knows of something that is not known here: it has been to another node, or makes it up.
    var isAhead: Bool {
        if let to = self.to, to > self.venue.head { return true }
        guard let since = self.since else { return false }
        return since.epoch != self.venue.epoch || since.holding?.revision ?? 0 > self.venue.head
            || since.page?.to ?? 0 > self.venue.head
    }

    /// Whether the answer ends at a revision that the address names, and so never changes.
    var isPinned: Bool { self.since != nil && (self.to != nil || self.since?.page != nil) }

    /// Bytes that it takes to keep the question.
    var cost: Int { 1 << 10 + 64 * (self.wanted.names?.count ?? 0) }

    var request: SyncRequest {
        SyncRequest(venue: self.venue, since: self.since, to: self.to, wanted: self.wanted, limit: self.limit)
    }

    static func == (left: SyncQuestion, right: SyncQuestion) -> Bool {
        // Everything about a venue is in the number of its newest change.
        left.venue.id == right.venue.id && left.venue.news == right.venue.news
            && left.venue.epoch == right.venue.epoch && left.since == right.since
            && left.to == right.to && left.wanted == right.wanted && left.limit == right.limit
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(self.venue.id)
        hasher.combine(self.venue.news)
        hasher.combine(self.since)
        hasher.combine(self.to)
        hasher.combine(self.wanted)
        hasher.combine(self.limit)
    }
}
