import HTTPTypes
import Hummingbird
import Logging
package import NIOCore
package import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Responds to requests that were sent before, and lets those wait that are known to wait, on the event loop of the connection, before a
/// task is made for them.
///
/// Such a response differs from that of the route in no byte: ``RequestMiddleware`` completes both.
package struct ImmediateResponder: ImmediateResponses {
    let readModel: ReadModel
    let cache: ResponseCache
    let middleware: RequestMiddleware
    let longPolls: LongPolls
    let logger: Logger

    package func outcome(of head: HTTPRequestHead, from address: SocketAddress?) -> ImmediateOutcome? {
        // While the server stops, the last of several responses announces the end of the connection: the task knows which one it is.
        guard head.method == .GET, head.uri.utf8.first == UInt8(ascii: "/"), !self.longPolls.isClosed,
            let version = self.readModel.confirmedVersion
        else { return nil }
        let fields = HTTPFields(head.headers, splitCookie: false)
        guard Self.hasNoBody(fields) else { return nil }
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: head.uri, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer()))
        guard let (outcome, route) = self.cache.outcome(of: request, at: version),
            self.middleware.rateLimit.admits(request, from: address, to: route)
        else { return nil }
        switch outcome {
        case .response(let response): return .response(self.response(response, to: request, on: route))
        case .wait(let wait): return .wait(wait)
        }
    }

    private static func hasNoBody(_ fields: HTTPFields) -> Bool {
        fields[.contentLength] == nil && fields[.transferEncoding] == nil && fields[.expect] == nil
    }

    private func response(_ encoded: EncodedResponse, to request: Request, on route: String) -> ImmediateResponse {
        let id = request.validID ?? RequestID().description
        var logger = self.logger
        // Setting it takes longer than counting the request.
        if logger.logLevel <= .info { logger[metadataKey: Logger.requestID] = .string(id) }
        let metrics = self.middleware.metrics
        let record = RequestRecord(.get, metrics.endpoint(route, .get), metrics, logger)
        var response = encoded.response(for: request)
        self.middleware.complete(&response, to: request, id: id)
        let body = response.status == .ok ? encoded.body : ByteBuffer()
        record.end(status: response.status.code, bytes: body.readableBytes)
        return ImmediateResponse(head: HTTPResponseHead(response.head), body: body)
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
