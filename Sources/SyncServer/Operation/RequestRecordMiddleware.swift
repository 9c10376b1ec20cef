import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Around everything else: gives a request its name, counts it, and writes a line about it when it is answered.
///
/// The line has the route, not the address: cursors, keys and the names of venues stay out of the log.
struct RequestRecordMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let meter: RequestMetrics

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let id = context.name(request)
        let record = RequestRecord(
            endpoint: self.meter.endpoint(context.endpointPath, request.method), inProgress: self.meter.inProgress,
            method: request.method, logger: context.logger, start: .now)
        self.meter.inProgress.add()
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            record.end(status: 500, bytes: 0)
            throw error
        }
        response.headers[.requestID] = id
        if let bytes = response.body.contentLength {
            // Such a body is sent in one go, and faster as it is.
            record.end(status: response.status.code, bytes: request.method == .head ? 0 : bytes)
        } else {
            let stream = StreamRecord(record, status: response.status.code)
            response.body = response.body.map { buffer in
                stream.bytes.wrappingAdd(buffer.readableBytes, ordering: .relaxed)
                return buffer
            }
        }
        return response
    }
}

extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
}

extension VenueContext {
    /// Takes the name that the client gave the request, if it is one that may stand in a log, else the one that it has.
    fileprivate mutating func name(_ request: Request) -> String {
        guard let wanted = request.headers[.requestID], Self.isName(wanted) else {
            // A handler of log lines may keep no metadata.
            return self.logger[metadataKey: "hb.request.id"]?.description ?? RequestID().description
        }
        self.logger[metadataKey: "hb.request.id"] = .string(wanted)
        return wanted
    }

    private static func isName(_ text: String) -> Bool {
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

/// What is known of a request when it arrives.
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
        // Machines that watch us would drown the rest.
        let level: Logger.Level = Self.watched.contains(self.endpoint.route) ? .debug : .info
        self.logger.log(
            level: level, "Answered request",
            metadata: [
                "http.method": "\(self.method.rawValue)", "http.route": "\(self.endpoint.route)",
                "http.status": "\(status)", "http.bytes": "\(bytes)",
                "duration.ms": "\(Double(duration / .microseconds(10)).rounded() / 100)",
            ])
    }

    private static let watched: Set = ["/health", "/ready", "/metrics"]
}

/// Ends with the body that holds it: when it was sent, when the client went away, or when nobody wrote it at all.
private final class StreamRecord: Sendable {
    let bytes = Atomic<Int>(0)
    private let record: RequestRecord
    private let status: Int

    init(_ record: RequestRecord, status: Int) {
        self.record = record
        self.status = status
    }

    deinit {
        self.record.end(status: self.status, bytes: self.bytes.load(ordering: .relaxed))
    }
}
