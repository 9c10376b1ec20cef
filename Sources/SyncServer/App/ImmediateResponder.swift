package import HTTPTypes
import Hummingbird
import Logging
package import NIOCore

/// Answers requests whose response is kept, and lets those wait that are known to wait, on the event loop of the connection, before a task
/// is made for them.
///
/// Such a response differs from that of the routes in no byte: what ``RequestMiddleware`` does for all requests is done for it, too.
package struct ImmediateResponder: ImmediateResponses {
    private let readModel: ReadModel
    private let caches: [RequestCache]
    private let middleware: RequestMiddleware
    private let longPolls: LongPolls
    private let logger: Logger
    private let date = HTTPDate()

    init(
        readModel: ReadModel, caches: [RequestCache], middleware: RequestMiddleware, longPolls: LongPolls,
        logger: Logger
    ) {
        self.readModel = readModel
        self.caches = caches
        self.middleware = middleware
        self.longPolls = longPolls
        self.logger = logger
    }

    /// A response with its whole body.
    package struct Answer {
        package let head: HTTPResponse
        package let body: ByteBuffer

        package init(head: HTTPResponse, body: ByteBuffer) {
            self.head = head
            self.body = body
        }
    }

    package enum Decision {
        case answer(Answer)
        /// Nothing has changed: the request is passed on when the wait has ended.
        case wait(LongPolls.Wait)
        /// The routes have to answer.
        case passOn
    }

    /// - Parameter address: The address of the connection.
    package func decision(about head: HTTPRequest, from address: SocketAddress?) -> Decision {
        guard head.method == .get, Self.hasNoBody(head), let version = self.readModel.confirmedVersion else {
            return .passOn
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let key = RequestCache.Key(request)
        guard let entry = self.caches.lazy.compactMap({ $0.entry(for: key, at: version) }).first else {
            return .passOn
        }
        let isCounted = if case .response = entry.outcome { true } else { false }
        switch self.middleware.rateLimit.decision(
            for: request, to: entry.route, from: address, isCounted: isCounted)
        {
        case .unlimited, .allowed: break
        case .withoutKey, .refused: return .passOn
        }
        return switch entry.outcome {
        case .response(let response): .answer(self.answer(to: request, on: entry.route, with: response))
        case .wait(let wait): .wait(wait)
        }
    }

    package func beginWait(
        _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
        _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
    ) -> @Sendable () -> Void {
        let (longPolls, inProgress) = (self.longPolls, self.middleware.metrics.inProgress)
        inProgress.add()
        let id = longPolls.waitForChange(of: wait.subject, after: wait.number, until: deadline) { outcome in
            inProgress.subtract()
            wake(outcome)
        }
        return { longPolls.cancel(id, of: wait.subject) }
    }

    private static func hasNoBody(_ head: HTTPRequest) -> Bool {
        head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
            && head.headerFields[.expect] == nil
    }

    private func answer(to request: Request, on route: String, with encoded: EncodedResponse) -> Answer {
        let id = request.validID ?? RequestID().description
        var logger = self.logger
        logger[metadataKey: Logger.requestID] = .string(id)
        let metrics = self.middleware.metrics
        let record = RequestRecord(.get, metrics.endpoint(route, .get), metrics, logger)
        var response = encoded.response(for: request)
        let origins = self.middleware.origins
        origins.apply(origins.allowedOrigin(of: request), to: &response)
        response.headers[.requestID] = id
        response.headers[.date] = self.date.text
        response.headers[.server] = SyncApplication.serverName
        let body = response.status == .ok ? encoded.body : ByteBuffer()
        record.end(status: response.status.code, bytes: body.readableBytes)
        return Answer(head: response.head, body: body)
    }
}
