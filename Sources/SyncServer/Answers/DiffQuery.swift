import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Which part of a difference is asked for, and whether with bodies.
struct DiffQuery {
    let levels: LevelSelection
    /// Only features with a greater id.
    let after: FeatureID?
    let limit: Int
    let withBodies: Bool

    init(_ request: Request) throws {
        let query = QueryValues(request)
        self.levels = try query.levels()
        self.after = try query.text("after").map { text in
            guard let id = FeatureID(text) else { throw Problem.parameter("after", "It takes a feature's id.") }
            return id
        }
        self.limit = try query.limit(default: 1_000, max: 10_000)
        self.withBodies = try query.flag("bodies", default: true)
    }
}

/// A page of a difference, while it is being filled.
struct DiffPage {
    let venue: VenueKey
    let from: Int64
    /// Nil for an upload that is not published.
    let to: Int64?
    /// Of the whole difference; on the first page only.
    var words: [String] = []
    private var page = JSONPage()
    private var last: FeatureID?
    /// Whether there are changes that did not fit.
    private(set) var isFull = false

    init(venue: VenueKey, from: Int64, to: Int64?) {
        self.venue = venue
        self.from = from
        self.to = to
    }

    /// Puts a change on the page as long as there is room and less are there than were asked for.
    mutating func add(_ change: RevisionDiff.Change, limit: Int) throws {
        guard !self.isFull else { return }
        self.isFull = try self.page.count == limit || !self.page.append(change)
        if !self.isFull { self.last = change.id }
    }

    /// That there are changes that were not read.
    mutating func end() { self.isFull = true }

    private struct Frame: Encodable {
        let venue: VenueKey
        let from: Int64
        @OrNull var to: Int64?
        let words: [String]
        @OrNull var next: String?
    }

    func response(to request: Request, at path: String) throws -> Response {
        let next = self.isFull ? self.last.map { request.address(with: ["after": $0.description], at: path) } : nil
        return try self.page.response(
            "changes", beside: Frame(venue: self.venue, from: self.from, to: self.to, words: self.words, next: next))
    }
}

extension DiffQuery {
    /// Bytes of bodies that are read for a page. Without bodies the page itself is short.
    var readBytes: Int64 { Int64(self.withBodies ? JSONPage.byteLimit : 8 * JSONPage.byteLimit) }
}

extension RevisionComparison {
    /// A page of the difference. The words tell of the whole difference, and stand on the first page only.
    func page(_ query: DiffQuery, words: ChangeDescriptions) async throws -> DiffPage {
        var page = DiffPage(venue: self.venue.key, from: self.from, to: self.to)
        try await self.add(to: &page, query)
        if query.after == nil {
            page.words = try await words.words(of: self.summary().facts, in: self.venue, at: max(self.from, self.to))
        }
        return page
    }
}
