import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers requests whose response is kept, on the event loop of the connection, before a task is made for them.
///
/// Such a response differs from that of the routes in no byte: what ``RequestMiddleware`` does for all requests is done for it, too.
struct ImmediateResponder: Sendable {
    let readModel: ReadModel
    let caches: [RequestCache]
    let middleware: RequestMiddleware
    let logger: Logger
    private let date = HTTPDate()

    init(readModel: ReadModel, caches: [RequestCache], middleware: RequestMiddleware, logger: Logger) {
        self.readModel = readModel
        self.caches = caches
        self.middleware = middleware
        self.logger = logger
    }

    /// A response with its whole body.
    struct Answer {
        var head: HTTPResponse
        let body: ByteBuffer
    }

    /// The response to a request; nil for one that the routes have to answer.
    ///
    /// - Parameter address: The address of the connection.
    func answer(to head: HTTPRequest, from address: SocketAddress?) -> Answer? {
        guard head.method == .get, Self.hasNoBody(head), let version = self.readModel.confirmedVersion else {
            return nil
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let key = RequestCache.Key(request)
        guard let entry = self.caches.lazy.compactMap({ $0.entry(for: key, at: version) }).first else { return nil }
        return self.answer(to: request, from: address, with: entry)
    }

    private static func hasNoBody(_ head: HTTPRequest) -> Bool {
        head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
            && head.headerFields[.expect] == nil
    }

    private func answer(
        to request: Request, from address: SocketAddress?, with entry: RequestCache.Entry
    ) -> Answer? {
        switch self.middleware.rateLimit.decision(for: request, to: entry.route, from: address) {
        case .unlimited, .allowed: break
        case .withoutKey, .refused: return nil
        }
        let id = request.validID ?? RequestID().description
        var logger = self.logger
        logger[metadataKey: Logger.requestID] = .string(id)
        let metrics = self.middleware.metrics
        let record = RequestRecord(.get, metrics.endpoint(entry.route, .get), metrics, logger)
        var response = entry.response.response(for: request)
        let origins = self.middleware.origins
        origins.apply(origins.allowedOrigin(of: request), to: &response)
        response.headers[.requestID] = id
        response.headers[.date] = self.date.text
        response.headers[.server] = SyncApplication.serverName
        let body = response.status == .ok ? entry.response.body : ByteBuffer()
        record.end(status: response.status.code, bytes: body.readableBytes)
        return Answer(head: response.head, body: body)
    }
}
