import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// The log of a venue, and what differs between any two of its revisions.
struct RevisionRoutes {
    let live: Live
    let authorizer: Authorizer

    func add(to router: Router<VenueContext>) {
        router.get("venues/{venue}/revisions", use: self.log)
        router.get("venues/{venue}/revisions/{number}", use: self.show)
        router.get("venues/{venue}/diff", use: self.diff)
    }

    /// `GET /venues/{venue}/revisions?limit=`: who, when, why and what; the newest first.
    @Sendable func log(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.authorizer.readable(request, context)
        let query = QueryValues(request)
        let limit = try query.limit(default: 50, most: 1_000)
        let before = try query.number("before", in: 1...Int64.max)
        let store = self.live.node.reader(of: venue)
        let words = ChangeDescriptions(store: store, language: request.preferredLanguage)
        var page = JSONPage()
        var last: Int64?
        for revision in try await words.told(store.log(of: venue, before: before, limit: limit), of: venue) {
            guard try page.append(revision) else { break }
            last = revision.number
        }
        let next = last.flatMap { last in
            last <= venue.first
                ? nil
                : request.address(
                    with: ["before": "\(last)", "limit": "\(limit)"], at: "/venues/\(venue.key)/revisions")
        }
        return try page.response("revisions", beside: NextPage(next: next))
            .cached("no-cache", isPublic: venue.settings.public).toldByLanguage
    }

    /// `GET /venues/{venue}/revisions/{number}`
    @Sendable func show(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.authorizer.readable(request, context)
        let number = try context.revisionNumber()
        let store = self.live.node.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        let words = ChangeDescriptions(store: store, language: request.preferredLanguage)
        return try await Response.json(words.told(entry, of: venue))
            .cached("no-cache", isPublic: venue.settings.public).toldByLanguage
    }

    /// `GET /venues/{venue}/diff?from=&to=&bodies=&level=&limit=`: either way round. The words tell of the whole difference, so
    /// they are worked out for the first page, and later ones have none.
    @Sendable func diff(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.authorizer.readable(request, context)
        let query = QueryValues(request)
        guard let from = try query.number("from", in: 1...Int64.max) else {
            throw Problem.parameter("from", "It takes a revision's number.")
        }
        let to = try query.number("to", in: 1...Int64.max)
        let part = try DiffQuery(request)
        return try await self.live.comparisons.withPermit(for: venue.key) {
            let page = try await self.live.node.store.withHead(of: venue) { venue in
                let to = to ?? venue.head
                let store = self.live.node.reader(of: venue, at: max(from, to))
                let comparison = RevisionComparison(store: store, venue: venue, from: from, to: to)
                let words = ChangeDescriptions(store: store, language: request.preferredLanguage)
                return try await comparison.page(part, words: words)
            }
            return try page.response(to: request, at: "/venues/\(venue.key)/diff")
                .cached("no-cache", isPublic: venue.settings.public).toldByLanguage
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

extension ChangeDescriptions {
    /// A log entry with its changes in words.
    func told(_ entry: RevisionStore.LogEntry, of venue: VenueRecord) async throws -> Revision {
        var revision = entry.revision
        revision.changes.words = try await self.words(of: entry.facts(), in: venue, at: revision.number)
        return revision
    }

    /// Log entries with their changes in words, the newest first; without those that were pruned meanwhile.
    func told(_ entries: [RevisionStore.LogEntry], of venue: VenueRecord) async throws -> [Revision] {
        var entries = entries
        while !entries.isEmpty {
            do {
                let words = try await self.words(
                    of: entries.map { (try $0.facts(), $0.revision.number) }, in: venue)
                return zip(entries, words).map { entry, words in
                    var revision = entry.revision
                    revision.changes.words = words
                    return revision
                }
            } catch StoreError.revisionPruned(_, let first) {
                entries.removeAll { $0.revision.number < first }
            }
        }
        return []
    }
}
