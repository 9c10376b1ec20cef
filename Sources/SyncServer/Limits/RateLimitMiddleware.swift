import HTTPTypes
import Hummingbird
import SyncModel

/// Refuses who sends too much, with the time after which it goes on.
struct RateLimitMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let limiter: RateLimiter

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        guard !Self.isFree(context.endpointPath), let caller = self.limiter.caller(of: request, in: context) else {
            return try await next(request, context)
        }
        if let seconds = self.limiter.refusal(of: caller) { return try Self.refusal(for: seconds) }
        if let seconds = self.limiter.refusalToLookUp(caller) {
            // What needs no key is answered all the same.
            var head = request.head
            head.headerFields[.authorization] = nil
            var context = context
            context.mayLookUp = false
            let response = try await next(Request(head: head, body: request.body), context)
            guard response.status == .unauthorized, let seconds = self.limiter.counted(seconds) else { return response }
            return try Self.refusal(for: seconds)
        }
        let response = try await next(request, context)
        self.limiter.learn(response.status, of: caller)
        return response
    }

    private static func refusal(for seconds: Double) throws -> Response {
        var response = try Problem.rateLimited.response()
        response.headers[.retryAfter] = "\(max(Int(seconds.rounded(.up)), 1))"
        return response
    }

    /// Machines that watch the server, a document, and the console, which is many files at once: they cost next to nothing, and
    /// matter when much is going on.
    private static func isFree(_ route: String?) -> Bool {
        switch route {
        case "/health", "/ready", "/metrics", "/openapi.yaml": true
        case "/", "/console/library/{name}", "/console/**": true
        default: false
        }
    }
}

extension Problem {
    static let rateLimited = Problem(
        "rate-limited", status: 429, title: "That is too many requests",
        detail: "Wait as many seconds as Retry-After says.")
}
