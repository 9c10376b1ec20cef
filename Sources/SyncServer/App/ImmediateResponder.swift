package import HTTPTypes
import Hummingbird
import Logging
package import NIOCore
package import NIOHTTP1

/// Answers requests whose response is kept, and lets those wait that are known to wait, on the event loop of the connection, before a task
/// is made for them.
///
/// Such a response differs from that of the routes in no byte: what ``RequestMiddleware`` does for all requests is done for it, too.
package struct ImmediateResponder: ImmediateResponses {
    private let readModel: ReadModel
    private let cache: RequestCache
    private let middleware: RequestMiddleware
    private let longPolls: LongPolls
    private let logger: Logger
    private let date = HTTPDate()

    init(
        readModel: ReadModel, cache: RequestCache, middleware: RequestMiddleware, longPolls: LongPolls,
        logger: Logger
    ) {
        self.readModel = readModel
        self.cache = cache
        self.middleware = middleware
        self.longPolls = longPolls
        self.logger = logger
    }

    /// A response with its whole body.
    package struct Answer {
        package let head: HTTPResponseHead
        package let body: ByteBuffer

        package init(head: HTTPResponseHead, body: ByteBuffer) {
            self.head = head
            self.body = body
        }
    }

    private func entry(for key: RequestCache.Key) -> RequestCache.Entry? {
        self.readModel.confirmedVersion.flatMap { self.cache.entry(for: key, at: $0) }
    }

    private func admits(_ sender: RequestSender, to route: String) -> Bool {
        switch self.middleware.rateLimit.decision(from: sender, to: route) {
        case .unlimited, .allowed: true
        case .withoutKey, .refused: false
        }
    }

    // MARK: - Responses

    package func answer(to head: HTTPRequestHead, from address: SocketAddress?) -> Answer? {
        // While the server stops, the last of several responses announces the end of the connection: the task knows which one it is.
        guard !self.longPolls.isClosed, let request = PlainRequest(head), let entry = self.entry(for: .init(request)),
            case .response(let kept) = entry.outcome,
            self.admits(RequestSender(request, from: address), to: entry.route)
        else { return nil }
        return self.answer(to: request, on: entry.route, with: kept)
    }

    private func answer(to request: PlainRequest, on route: String, with kept: KeptResponse) -> Answer {
        let id = Request.validID(request.id) ?? RequestID().description
        var logger = self.logger
        // Setting it takes longer than counting the request.
        if logger.logLevel <= .info { logger[metadataKey: Logger.requestID] = .string(id) }
        let metrics = self.middleware.metrics
        let record = RequestRecord(.get, metrics.endpoint(route, .get), metrics, logger)
        var head = kept.head(ifNoneMatch: request.ifNoneMatch)
        if let origin = request.origin { self.middleware.origins.admit(origin, in: &head.headers) }
        head.headers.add(name: HTTPField.Name.requestID.rawName, value: id)
        head.headers.add(name: HTTPField.Name.date.rawName, value: self.date.text)
        let body = head.status == .ok ? kept.body : ByteBuffer()
        record.end(status: Int(head.status.code), bytes: body.readableBytes)
        return Answer(head: head, body: body)
    }

    // MARK: - Waiting

    package func wait(of head: HTTPRequest, from address: SocketAddress?) -> LongPolls.Wait? {
        guard head.method == .get, Self.hasNoBody(head) else { return nil }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        guard let entry = self.entry(for: .init(request)), case .wait(let wait) = entry.outcome,
            self.admits(RequestSender(request, from: address), to: entry.route)
        else { return nil }
        return wait
    }

    private static func hasNoBody(_ head: HTTPRequest) -> Bool {
        head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
            && head.headerFields[.expect] == nil
    }

    package func beginWait(
        _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
        _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
    ) -> @Sendable () -> Void {
        let (longPolls, inProgress) = (self.longPolls, self.middleware.metrics.inProgress)
        inProgress.add()
        let id = longPolls.waitForChange(of: wait.subject, after: wait.number, until: deadline, with: wait.key) {
            outcome in
            inProgress.subtract()
            wake(outcome)
        }
        return { longPolls.cancel(id, of: wait.subject) }
    }
}

/// What the handlers of a connection need of the server.
package protocol ImmediateResponses: Sendable {
    /// The response to a request; nil if the routes have to answer.
    func answer(to head: HTTPRequestHead, from address: SocketAddress?) -> ImmediateResponder.Answer?

    /// What a request waits for of which is known that nothing has changed; nil for all others.
    func wait(of head: HTTPRequest, from address: SocketAddress?) -> LongPolls.Wait?

    /// Lets a request wait without a task.
    ///
    /// - Parameter wake: Called once, on any thread.
    /// - Returns: Ends the wait before its time.
    func beginWait(
        _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
        _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
    ) -> @Sendable () -> Void
}
