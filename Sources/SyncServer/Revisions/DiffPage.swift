import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

extension DiffQuery {
    init(_ request: Request) throws {
        let query = QueryValues(request)
        let after = try query.text("after").map { text in
            guard let id = FeatureID(text) else { throw Problem.parameter("after", "It must be the id of a feature.") }
            return id
        }
        self.init(
            levels: try query.levels(), after: after, limit: try query.limit(default: 1_000, max: 10_000),
            withBodies: try query.flag("bodies", default: true))
    }
}

/// A page of a difference.
struct DiffPage {
    let venue: VenueKey
    let from: Int64
    /// Nil for an upload that is not published.
    let to: Int64?
    /// The description of the whole difference; on the first page only.
    private var sentences: [String] = []
    /// The overrides that a staged upload newly contests; on the first page only.
    private var overrides: [OverrideEntry]?
    private var page = JSONPage()
    private var last: FeatureID?
    /// Whether there are changes that did not fit.
    private var isFull = false

    private init(venue: VenueKey, from: Int64, to: Int64?) {
        self.venue = venue
        self.from = from
        self.to = to
    }

    init(
        _ query: DiffQuery, of comparison: RevisionComparison, describer: ChangeDescriber, withAuthors: Bool
    ) async throws {
        self.init(venue: comparison.venue.key, from: comparison.from, to: comparison.to)
        var changes: [RevisionDiff.Change] = []
        let isLast = try await comparison.changes(query) { changes.append($0) }
        let origins = try await comparison.origins(of: changes.map(\.id))
        for var change in changes {
            change.overrides = (origins[change.id] ?? []).withAuthors(withAuthors)
            try self.add(change, limit: query.limit)
        }
        if !isLast { self.isFull = true }
        if query.after == nil { self.sentences = try await comparison.sentences(by: describer) }
    }

    init(_ query: DiffQuery, of comparison: StagedComparison, describer: ChangeDescriber) async throws {
        self.init(venue: comparison.venue.key, from: comparison.difference.base, to: nil)
        if try await !comparison.changes(query, { try self.add($0, limit: query.limit) }) { self.isFull = true }
        guard query.after == nil else { return }
        self.sentences = try await comparison.sentences(by: describer)
        self.overrides = try comparison.difference.contested()
    }

    /// Adds a change while the page has room for it and has fewer changes than requested.
    private mutating func add(_ change: RevisionDiff.Change, limit: Int) throws {
        guard !self.isFull else { return }
        self.isFull = try self.page.count == limit || !self.page.append(change)
        if !self.isFull { self.last = change.id }
    }

    private struct Frame: Encodable {
        let venue: VenueKey
        let from: Int64
        @OrNull var to: Int64?
        let words: [String]
        let overrides: [OverrideEntry]?
        @OrNull var next: String?
    }

    func response(to request: Request, at path: String) throws -> Response {
        let next = self.isFull ? self.last.map { request.address(with: ["after": $0.description], at: path) } : nil
        return try self.page.response(
            "changes",
            beside: Frame(
                venue: self.venue, from: self.from, to: self.to, words: self.sentences, overrides: self.overrides,
                next: next))
    }
}
