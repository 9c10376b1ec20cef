import HTTPTypes
import Hummingbird
import NIOHTTP1

/// Allows scripts of other origins to read responses, including problems (CORS, in the Fetch standard).
///
/// Keys are sent in `Authorization`, which a script sets itself, and there are no cookies. So credentials are never allowed, and `*`
/// is safe. For other origins the response has no CORS header fields.
struct OriginPolicy: Sendable {
    let origins: AllowedOrigins

    /// The value of `Access-Control-Allow-Origin` for the sender of a request; nil if its origin is not allowed, or none is given.
    func allowedOrigin(of request: Request) -> String? {
        request.headers[.origin].flatMap(self.origins.headerValue)
    }

    /// Adds the header fields to a response.
    ///
    /// - Parameter allowed: The result of ``allowedOrigin(of:)``.
    func apply(_ allowed: String?, to response: inout Response) {
        // If all origins are allowed, every response says so, because a cache may serve it to a web page later.
        let allowsAll = if case .any = self.origins { true } else { false }
        if let origin = allowed ?? (allowsAll ? "*" : nil) {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = Self.exposedHeaders
        }
        self.vary(&response)
    }

    /// Adds what the response to a request from one origin has besides the fields that all have.
    func admit(_ origin: String, in headers: inout HTTPHeaders) {
        guard case .these = self.origins, let allowed = self.origins.headerValue(for: origin) else { return }
        headers.add(name: HTTPField.Name.accessControlAllowOrigin.rawName, value: allowed)
        headers.add(name: HTTPField.Name.accessControlExposeHeaders.rawName, value: Self.exposedHeaders)
    }

    static func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers[.accessControlRequestMethod] != nil
    }

    /// The response to a preflight request, for any path: whether there is a route shows in the response to the request itself.
    func preflightResponse(for origin: String) -> Response {
        var response = Response(
            status: .noContent,
            headers: [
                .accessControlAllowOrigin: origin, .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders:
                    "Authorization, Content-Crs, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-Request-ID",
                .accessControlMaxAge: "7200",
            ])
        self.vary(&response)
        return response
    }

    /// Without `Vary`, a cache could serve the response for one origin to another one.
    private func vary(_ response: inout Response) {
        guard case .these = self.origins else { return }
        response.headers[.vary] = response.headers[.vary].map { "\($0), Origin" } ?? "Origin"
    }

    private static let exposedHeaders =
        "ETag, Location, Content-Crs, Content-Location, Link, Retry-After, VenueSync-Left-Out, X-Request-ID"
}
