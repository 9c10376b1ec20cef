import HTTPTypes
import Hummingbird
import NIOCore
import SyncModel

/// Refuses the requests of clients that exceed the rate limit, with `Retry-After`.
struct RateLimitPolicy: Sendable {
    let limiter: RateLimiter

    enum Decision {
        /// The route is not limited, or the client is not counted.
        case unlimited
        case allowed(RateLimiter.Client)
        /// The sender has tried too many wrong keys, and its key is not known: the request is processed as without a key, and refused
        /// for this many seconds if that is not enough.
        case withoutKey(seconds: Double)
        case refused(seconds: Double)

        var mayLookUpKeys: Bool { if case .withoutKey = self { false } else { true } }

        /// The request as it is processed.
        func admitted(_ request: Request) -> Request {
            guard case .withoutKey = self else { return request }
            var head = request.head
            head.headerFields[.authorization] = nil
            return Request(head: head, body: request.body)
        }
    }

    /// Decides about a request before anything else is done for it.
    ///
    /// - Parameters:
    ///   - address: The address of the connection.
    ///   - route: Nil for a request that no route matches.
    ///   - isCounted: False for a request that was counted when it began to wait.
    func decision(
        about request: Request, from address: SocketAddress?, to route: String?, isCounted: Bool = true
    ) -> Decision {
        guard !Self.isExempt(route), let client = self.limiter.client(of: request, at: address) else {
            return .unlimited
        }
        if let seconds = self.limiter.refusal(of: client, isCounted: isCounted) { return .refused(seconds: seconds) }
        if let seconds = self.limiter.lookupRefusal(of: client) { return .withoutKey(seconds: seconds) }
        return .allowed(client)
    }

    /// Whether the request of a client with a known key, or without one, may be processed.
    func admits(_ request: Request, from address: SocketAddress?, to route: String) -> Bool {
        switch self.decision(about: request, from: address, to: route) {
        case .unlimited, .allowed: true
        case .withoutKey, .refused: false
        }
    }

    /// Records what the response tells about the key, and replaces the response to a request that needed one.
    func record(_ response: inout Response, _ decision: Decision) throws {
        switch decision {
        case .unlimited, .refused: break
        case .allowed(let client): self.limiter.record(response.status, of: client)
        case .withoutKey(let seconds):
            guard response.status == .unauthorized else { return }
            response = try self.refusal(for: seconds)
        }
    }

    func refusal(for seconds: Double) throws -> Response {
        self.limiter.refused.add()
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
