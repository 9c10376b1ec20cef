import HTTPTypes
import Hummingbird

/// Allows scripts of other origins to read responses, including problems (CORS, in the Fetch standard).
///
/// Keys are sent in `Authorization`, which a script sets itself, and there are no cookies. So credentials are never allowed, and `*`
/// is safe. For other origins the response has no CORS header fields.
struct OriginPolicy: Sendable {
    let origins: AllowedOrigins

    /// Adds the header fields to the response to a request.
    func apply(to response: inout Response, for request: Request) {
        // If all origins are allowed, every response says so, because a cache may serve it to a web page later.
        let allowsAll = if case .any = self.origins { true } else { false }
        if let origin = self.allowedOrigin(of: request) ?? (allowsAll ? "*" : nil) {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.exposedHeaders
        }
        // Without `Vary`, a cache could serve the response for one origin to another one.
        guard case .these = self.origins else { return }
        response = response.varying(by: .origin)
    }

    /// The value of `Access-Control-Allow-Origin` for the sender of a request; nil if its origin is not allowed, or none is given.
    private func allowedOrigin(of request: Request) -> String? {
        request.headers[.origin].flatMap(self.origins.headerValue)
    }

    /// The response to a preflight request of an allowed origin, for any path: whether there is a route shows in the response to the request
    /// itself. Nil for other requests.
    func preflightResponse(to request: Request) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil,
            self.allowedOrigin(of: request) != nil
        else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders:
                    "Authorization, Content-Crs, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-Request-ID",
                .accessControlMaxAge: "7200",
            ])
    }

    private static let exposedHeaders =
        "ETag, Location, Content-Crs, Content-Location, Link, Retry-After, VenueSync-Left-Out, X-Request-ID"
}
