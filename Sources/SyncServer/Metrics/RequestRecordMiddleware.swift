import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// The outermost middleware: gives a request its id, counts it, and logs it when it was answered.
///
/// The log line has the route instead of the path, so that it contains no cursor, key or venue.
struct RequestRecordMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let requestMetrics: RequestMetrics

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let id = context.setID(of: request)
        let record = RequestRecord(
            endpoint: self.requestMetrics.endpoint(context.endpointPath, request.method),
            inProgress: self.requestMetrics.inProgress, method: request.method, logger: context.logger, start: .now)
        self.requestMetrics.inProgress.add()
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            record.end(status: 500, bytes: 0)
            throw error
        }
        response.headers[.requestID] = id
        if request.method == .head {
            record.end(status: response.status.code, bytes: 0)
        } else if let bytes = response.body.contentLength, bytes <= Response.largeBody {
            // Not wrapped, so that a body in one buffer is sent in one write.
            record.end(status: response.status.code, bytes: bytes)
        } else {
            response.body = StreamRecord(record, status: response.status.code, connection: context.connection)
                .recording(response.body)
        }
        return response
    }
}

extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
}

extension AppRequestContext {
    /// Takes over the id that the client has sent if it is fit for a log; otherwise the request keeps the one that it has.
    fileprivate mutating func setID(of request: Request) -> String {
        guard let id = request.headers[.requestID], Self.isValidID(id) else {
            // A log handler may store no metadata.
            return self.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        }
        self.logger[metadataKey: "hb.request.id"] = .string(id)
        return id
    }

    private static func isValidID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// What is recorded of a request when it is answered.
private struct RequestRecord: Sendable {
    let endpoint: EndpointMetrics
    let inProgress: Gauge
    let method: HTTPRequest.Method
    let logger: Logger
    let start: ContinuousClock.Instant

    func end(status: Int, bytes: Int) {
        let duration = ContinuousClock.now - self.start
        self.inProgress.subtract()
        self.endpoint.record(status: status, bytes: bytes, duration: duration)
        // The frequent requests of monitoring systems would hide the others.
        let level: Logger.Level = Self.monitoringRoutes.contains(self.endpoint.route) ? .debug : .info
        self.logger.log(
            level: level, "Request completed",
            metadata: [
                "http.method": "\(self.method.rawValue)", "http.route": "\(self.endpoint.route)",
                "http.status": "\(status)", "http.bytes": "\(bytes)",
                "duration.ms": "\(Double(duration / .microseconds(10)).rounded() / 100)",
            ])
    }

    private static let monitoringRoutes: Set = ["/health", "/ready", "/metrics"]
}

/// Records a response with a body that is large or of unknown length, once: when the body was written, when writing failed, or
/// when the client disconnected before anything was written.
private final class StreamRecord: Sendable {
    private let bytes = Atomic<Int>(0)
    private let hasEnded = Atomic(false)
    private let record: RequestRecord
    private let status: Int
    private let connection: DisconnectHandler?

    init(_ record: RequestRecord, status: Int, connection: DisconnectHandler?) {
        self.record = record
        self.status = status
        self.connection = connection
    }

    func recording(_ body: ResponseBody) -> ResponseBody {
        // While the body is written, a disconnect ends the write with an error.
        let observer = self.connection?.addObserver { self.end() }
        return ResponseBody(contentLength: body.contentLength) { writer in
            if let observer { self.connection?.removeObserver(observer) }
            defer { self.end() }
            try await body.write(CountingWriter(writer: writer, stream: self))
        }
    }

    func count(_ buffer: ByteBuffer) {
        self.bytes.wrappingAdd(buffer.readableBytes, ordering: .relaxed)
    }

    private func end() {
        guard !self.hasEnded.exchange(true, ordering: .relaxed) else { return }
        self.record.end(status: self.status, bytes: self.bytes.load(ordering: .relaxed))
    }
}

private struct CountingWriter: ResponseBodyWriter {
    /// Used by the one task that sends the response.
    nonisolated(unsafe) var writer: any ResponseBodyWriter
    let stream: StreamRecord

    mutating func write(_ buffer: ByteBuffer) async throws {
        self.stream.count(buffer)
        try await self.writer.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await self.writer.finish(trailingHeaders)
    }
}
