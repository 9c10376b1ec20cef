import HTTPTypes
import Hummingbird

/// Lets scripts of certain web pages read our answers, refusals too (CORS, in the Fetch standard).
///
/// Keys travel in `Authorization`, which a script sets itself; cookies play no part, so credentials are never allowed and `*` is
/// safe. A page that is not allowed is told nothing at all.
struct OriginMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let origins: AllowedOrigins

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        let answer = request.headers[.origin].flatMap(self.origins.answer)
        if let answer, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            return self.permission(for: answer)
        }
        var response = try await next(request, context)
        // Where every page may read, the answer says so to everyone: a cache may hand it to a page later.
        let isForAll = if case .any = self.origins { true } else { false }
        if let answer = answer ?? (isForAll ? "*" : nil) {
            response.headers[.accessControlAllowOrigin] = answer
            response.headers[.accessControlExposeHeaders] = Self.exposed
        }
        self.vary(&response)
        return response
    }

    /// The answer to a browser that asks before it sends a request. Whether there is such a route is told when it does.
    private func permission(for origin: String) -> Response {
        var response = Response(
            status: .noContent,
            headers: [
                .accessControlAllowOrigin: origin, .accessControlAllowMethods: "GET, HEAD, POST, PATCH, DELETE",
                .accessControlAllowHeaders: "Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Request-ID",
                .accessControlMaxAge: "7200",
            ])
        self.vary(&response)
        return response
    }

    /// A cache must not hand one page's permission to another, nor an answer without one.
    private func vary(_ response: inout Response) {
        guard case .these = self.origins else { return }
        response.headers[.vary] = response.headers[.vary].map { "\($0), Origin" } ?? "Origin"
    }

    private static let exposed = "ETag, Location, Content-Location, Retry-After, VenueSync-Left-Out, X-Request-ID"
}
