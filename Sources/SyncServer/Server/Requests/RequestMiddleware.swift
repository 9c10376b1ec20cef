import HTTPTypes
import Hummingbird

/// The only middleware of all routes.
///
/// A request that waits for a change keeps the stack frames of every middleware around it, about 3 KiB each. So what is done for all
/// requests is a list of steps in one function, and each step is a function that returns before the next one begins.
struct RequestMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let metrics: RequestMetrics
    let origins: OriginPolicy
    let rateLimit: RateLimitPolicy
    private let date = HTTPDate()

    init(_ settings: ServerSettings, authorizer: Authorizer) {
        self.metrics = RequestMetrics(metrics: settings.metrics)
        self.origins = OriginPolicy(origins: settings.origins)
        self.rateLimit = RateLimitPolicy(
            limiter: RateLimiter(
                limit: settings.rateLimit, behind: settings.proxies, metrics: settings.metrics,
                clock: settings.rateLimitClock, isKnownKey: authorizer.isKnownKey))
    }

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let id = context.setID(of: request)
        let record = RequestRecord(
            request.method, self.metrics.endpoint(context.endpointPath, request.method), self.metrics, context.logger,
            since: context.endedWait?.arrival ?? .now)
        var response: Response
        if let preflight = self.origins.preflightResponse(to: request) {
            response = preflight
        } else {
            let decision = self.rateLimit.decision(
                about: request, from: context.channel.remoteAddress, to: context.endpointPath,
                isCounted: context.endedWait == nil)
            context.mayLookUpKeys = decision.mayLookUpKeys
            do {
                if case .refused(let seconds) = decision {
                    response = try self.rateLimit.refusal(for: seconds)
                } else {
                    guard request.hasPlainPath else { throw HTTPError(.notFound) }
                    response = try await next(decision.admitted(request), context)
                }
            } catch {
                response = try ErrorResponse.response(to: error, in: context)
            }
            try self.rateLimit.record(&response, decision)
        }
        self.complete(&response, to: request, id: id)
        record.end(&response, connection: context.connection)
        return response
    }

    /// Adds the header fields that do not depend on the route, to every response that is sent.
    func complete(_ response: inout Response, to request: Request, id: String) {
        self.origins.apply(to: &response, for: request)
        response.headers[.requestID] = id
        response.headers[.server] = "VenueSync"
        response.headers[.date] = self.date.text
    }
}

extension Request {
    /// Whether the path has no empty part. The router would ignore one, and a rule of a proxy about `/metrics` not apply to `//metrics`.
    /// The landing page of OGC API – Features has an address that ends with a slash, so that others can be relative to it.
    fileprivate var hasPlainPath: Bool {
        let path = self.uri.path
        let mayEndWithSlash = path == "/" || path.hasPrefix("/ogc/")
        return !path.contains("//") && (mayEndWithSlash || !path.hasSuffix("/"))
    }
}
