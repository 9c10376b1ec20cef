import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// The log of a venue, and what differs between any two of its revisions.
struct RevisionRoutes {
    let live: Live
    let gate: Gate

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/revisions", use: self.log)
        router.get("venues/{venue}/revisions/{number}", use: self.show)
        router.get("venues/{venue}/diff", use: self.diff)
    }

    private struct Log: Encodable {
        let revisions: [Revision]
        @OrNull var next: String?
    }

    /// `GET /venues/{venue}/revisions?limit=`: who, when, why and what; the newest first.
    @Sendable func log(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let query = QueryValues(request)
        let limit = try query.limit(default: 50, most: 1_000)
        let before = try query.number("before", in: 1...Int64.max)
        let store = self.live.node.reader(of: venue)
        let entries = try await store.log(of: venue, before: before, limit: limit)
        let words = ChangeWords(store: store, language: request.preferredLanguage)
        var revisions: [Revision] = []
        do {
            for entry in entries { revisions.append(try await words.told(entry, of: venue)) }
        } catch StoreError.revisionPruned {}  // just now, and with it whatever is older
        var next: String?
        if let last = revisions.last, last.number > venue.first, revisions.count == limit {
            next = request.address(
                with: ["before": "\(last.number)", "limit": "\(limit)"], at: "/venues/\(venue.key)/revisions")
        }
        return try Response.json(Log(revisions: revisions, next: next))
            .cached("no-cache", isPublic: venue.settings.public).toldByLanguage
    }

    /// `GET /venues/{venue}/revisions/{number}`
    @Sendable func show(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let number = try context.revisionNumber()
        let store = self.live.node.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        let words = ChangeWords(store: store, language: request.preferredLanguage)
        return try await Response.json(words.told(entry, of: venue))
            .cached("no-cache", isPublic: venue.settings.public).toldByLanguage
    }

    /// `GET /venues/{venue}/diff?from=&to=&bodies=&level=&limit=`: either way round. The words tell of the whole difference, so
    /// they are worked out for the first page, and later ones have none.
    @Sendable func diff(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.gate.readable(request, context)
        let query = QueryValues(request)
        guard let from = try query.number("from", in: 1...Int64.max) else {
            throw Problem.parameter("from", "It takes a revision's number.")
        }
        let to = try query.number("to", in: 1...Int64.max)
        let part = try DiffQuery(request)
        return try await self.live.comparisons.pass {
            var (diff, isLast) = try await self.live.node.store.newest(of: venue) { venue in
                let to = to ?? venue.head
                let store = self.live.node.reader(of: venue, at: max(from, to))
                let comparison = RevisionComparison(store: store, venue: venue, from: from, to: to)
                let words = ChangeWords(store: store, language: request.preferredLanguage)
                return try await comparison.page(part, words: words)
            }
            if !isLast, let last = diff.changes.last {
                diff.next = request.address(with: ["after": last.id.description], at: "/venues/\(venue.key)/diff")
            }
            return try Response.json(diff).cached("no-cache", isPublic: venue.settings.public).toldByLanguage
        }
    }
}

extension VenueContext {
    /// The revision that the path names.
    func revisionNumber() throws -> Int64 {
        guard let number = self.parameters.get("number", as: Int64.self), number > 0 else { throw Problem.notFound }
        return number
    }
}

extension ChangeWords {
    /// A log entry with its changes in words.
    func told(_ entry: RevisionStore.LogEntry, of venue: VenueRecord) async throws -> Revision {
        var revision = entry.revision
        revision.changes.words = try await self.words(of: entry.facts, in: venue, at: revision.number)
        return revision
    }
}
