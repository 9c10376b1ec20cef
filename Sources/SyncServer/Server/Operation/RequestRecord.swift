import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Counts a request, and logs it when the response was sent.
///
/// The log line has the route instead of the path, so that it contains no cursor, key or venue.
struct RequestRecord: Sendable {
    private let endpoint: EndpointMetrics
    private let inProgress: Gauge
    private let method: HTTPRequest.Method
    private let logger: Logger
    private let start: ContinuousClock.Instant

    init(
        _ method: HTTPRequest.Method, _ endpoint: EndpointMetrics, _ metrics: RequestMetrics, _ logger: Logger,
        since start: ContinuousClock.Instant = .now
    ) {
        self.endpoint = endpoint
        self.inProgress = metrics.inProgress
        self.method = method
        self.logger = logger
        self.start = start
        self.inProgress.add()
    }

    /// Records the response: now, or when its body was sent.
    func end(_ response: inout Response, connection: DisconnectHandler?) {
        if self.method == .head {
            self.end(status: response.status.code, bytes: 0)
        } else if let bytes = response.body.contentLength, bytes <= Response.largeBody {
            // Not wrapped, so that a body in one buffer is sent in one write.
            self.end(status: response.status.code, bytes: bytes)
        } else {
            response.body = StreamRecord(self, status: response.status.code, connection: connection)
                .recording(response.body)
        }
    }

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

    /// One write for all buffers; the default implementation makes one for each.
    mutating func write(contentsOf buffers: some Sequence<ByteBuffer>) async throws {
        let buffers = Array(buffers)
        for buffer in buffers { self.stream.count(buffer) }
        try await self.writer.write(contentsOf: buffers)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await self.writer.finish(trailingHeaders)
    }
}
