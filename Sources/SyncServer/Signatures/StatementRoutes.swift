import Hummingbird
import RevisionStore
import SyncModel

/// Signed statements about revisions.
struct StatementRoutes: Sendable {
    let statements: StatementService
    let store: RevisionStore
    let authorizer: Authorizer

    func add(to routes: RouteGroups) {
        routes.readers.get("venues/{venue}/head", use: self.head)
        routes.readers.get("venues/{venue}/revisions/{number}/statement", use: self.statement)
        routes.venueAdmins.post("venues/{venue}/revisions/{number}/statement", use: self.sign)
    }

    /// `GET /venues/{venue}/head`: the statement about the newest revision, with the time until which it counts.
    @Sendable func head(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let (document, venue) = try await self.statements.head {
            try await self.authorizer.reader(request, context.parent).venue
        }
        return try Response.bytes(document, type: "application/json")
            .cached("max-age=15", isPublic: venue.settings.public)
    }

    /// `GET /venues/{venue}/revisions/{number}/statement`. It changes with the epoch of the venue and with the key of the server.
    @Sendable func statement(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let venue = context.venue
        let statement = try await self.statements.statement(of: context.revisionNumber(), in: venue)
        return try Response.bytes(statement.document, type: "application/json")
            .cached("max-age=60", isPublic: venue.settings.public)
    }

    /// `POST /venues/{venue}/revisions/{number}/statement` (admin): signs a revision as it is stored.
    @Sendable func sign(_ request: Request, _ context: VenueAdminContext) async throws -> Response {
        guard let number = context.parameters.get("number", as: Int64.self), number > 0 else { throw Problem.notFound }
        try await self.store.sign(number, of: context.venue, by: context.authorization)
        let statement = try await self.statements.statement(of: number, in: context.venue)
        return try Response.bytes(statement.document, status: .created, type: "application/json")
            .cached("no-store", isPublic: false)
    }
}
