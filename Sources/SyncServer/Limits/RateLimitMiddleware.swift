import HTTPTypes
import Hummingbird
import SyncModel

/// Refuses the requests of clients that exceed the rate limit, with `Retry-After`.
struct RateLimitMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let limiter: RateLimiter

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        guard !Self.isExempt(context.endpointPath), let client = self.limiter.client(of: request, in: context) else {
            return try await next(request, context)
        }
        if let seconds = self.limiter.refusal(of: client) { return try Self.refusal(for: seconds) }
        if let seconds = self.limiter.lookupRefusal(of: client) {
            // Requests that need no key are answered, as without one.
            var head = request.head
            head.headerFields[.authorization] = nil
            var context = context
            context.mayLookUpKeys = false
            let response = try await next(Request(head: head, body: request.body), context)
            guard response.status == .unauthorized, let seconds = self.limiter.counted(seconds) else { return response }
            return try Self.refusal(for: seconds)
        }
        let response = try await next(request, context)
        self.limiter.record(response.status, of: client)
        return response
    }

    private static func refusal(for seconds: Double) throws -> Response {
        var response = try Problem.rateLimited.response()
        response.headers[.retryAfter] = "\(max(Int(seconds.rounded(.up)), 1))"
        return response
    }

    /// Monitoring, the API document, and the many files of the console are not limited: they cost little, and are needed under load.
    private static func isExempt(_ route: String?) -> Bool {
        switch route {
        case "/health", "/ready", "/metrics", "/openapi.yaml": true
        case "/", "/console/library/{name}", "/console/**": true
        default: false
        }
    }
}
