import Hummingbird
import IMDF
import RevisionPlanning
import RevisionStore
import SyncModel

/// The log of a venue, and the difference between any two of its revisions.
struct RevisionRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    /// A comparison takes a core and some megabytes; the others are left to polls.
    let comparisonPermits: FairSemaphore<VenueKey>

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/revisions", use: self.log)
        routes.readers.get("venues/{venue}/revisions/{number}", use: self.show)
        routes.readers.get("venues/{venue}/diff", use: self.diff)
    }

    /// `GET /venues/{venue}/revisions?limit=`: author, time, message and changes; the newest first. Who may not publish gets no authors and
    /// messages, here and in the following, because responses to others may be kept by shared caches.
    @Sendable func log(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let query = QueryValues(request)
        let limit = try query.limit(default: 50, max: 1_000)
        let before = try query.number("before", in: 1...Int64.max)
        let store = self.readModel.reader(of: venue)
        let describer = ChangeDescriber(store: store, language: request.preferredLanguage)
        let seesAuthors = try await self.authorizer.seesAuthors(request, context)
        var page = JSONPage()
        var last: Int64?
        for revision in try await describer.described(store.log(of: venue, before: before, limit: limit), of: venue) {
            guard try page.append(revision.withAuthor(seesAuthors)) else { break }
            last = revision.number
        }
        let next = last.flatMap { last in
            last <= venue.first
                ? nil
                : request.address(
                    with: ["before": "\(last)", "limit": "\(limit)"], at: "/venues/\(venue.key)/revisions")
        }
        return try page.response("revisions", beside: NextPage(next: next))
            .cached("no-cache", isPublic: venue.settings.public && !seesAuthors).varying(by: .acceptLanguage)
    }

    /// `GET /venues/{venue}/revisions/{number}`
    @Sendable func show(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let number = try context.revisionNumber()
        let store = self.readModel.reader(of: venue, at: number)
        let entry = try await store.logEntry(number, of: venue)
        let describer = ChangeDescriber(store: store, language: request.preferredLanguage)
        let seesAuthors = try await self.authorizer.seesAuthors(request, context)
        return try await Response.json(describer.described(entry, of: venue).withAuthor(seesAuthors))
            .cached("no-cache", isPublic: venue.settings.public && !seesAuthors).varying(by: .acceptLanguage)
    }

    /// `GET /venues/{venue}/diff?from=&to=&bodies=&level=&limit=`: in either direction. The description is of the whole
    /// difference, so only the first page has it.
    @Sendable func diff(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let query = QueryValues(request)
        guard let from = try query.number("from", in: 1...Int64.max) else {
            throw Problem.parameter("from", "It must be the number of a revision.")
        }
        let to = try query.number("to", in: 1...Int64.max)
        let part = try DiffQuery(request)
        let seesAuthors = try await self.authorizer.seesAuthors(request, context)
        return try await self.comparisonPermits.withPermit(for: venue.key) {
            let page = try await venue.readHead {
                let to = to ?? venue.head
                let revisions = self.readModel.revisions(of: venue, at: max(from, to))
                let comparison = RevisionComparison(revisions: revisions, venue: venue, from: from, to: to)
                let describer = ChangeDescriber(store: revisions.store, language: request.preferredLanguage)
                return try await DiffPage(part, of: comparison, describer: describer, withAuthors: seesAuthors)
            }
            return try page.response(to: request, at: "/venues/\(venue.key)/diff")
                .cached("no-cache", isPublic: venue.settings.public && !seesAuthors).varying(by: .acceptLanguage)
        }
    }
}

extension ReaderContext {
    /// The revision number of the path.
    func revisionNumber() throws -> Int64 {
        guard let number = self.parameters.get("number", as: Int64.self), number > 0 else { throw Problem.notFound }
        return number
    }
}
