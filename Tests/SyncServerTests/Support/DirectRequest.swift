import HTTPTypes
import Hummingbird
import IMDF
import Logging
import NIOCore
import NIOEmbedded
import RevisionStore
import SyncModel
import SyncServer
import Synchronization
import TestSupport

/// A request to the router without a client in between: a test can act while the body is half sent or the response
/// half read.
struct DirectRequest {
    var method = HTTPRequest.Method.get
    var path: String
    var key: String
    var type: String?
    var body: [UInt8] = []

    struct Response {
        let status: Int
        let text: String
        /// The error that ended the response before its end.
        let end: (any Error)?
    }

    /// - Parameters:
    ///   - halfSent: Runs when the server asks for the second half of the body.
    ///   - begun: Runs when the first bytes of the response were written.
    func send(
        to harness: Harness, halfSent: @escaping @Sendable () async throws -> Void = {},
        begun: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Response {
        var fields: HTTPFields = [.authorization: "Bearer \(self.key)"]
        if let type { fields[.contentType] = type }
        let head = HTTPRequest(method: self.method, scheme: nil, authority: nil, path: self.path, headerFields: fields)
        let middle = self.body.count / 2
        let parts = TwoParts(
            first: ByteBuffer(bytes: self.body[..<middle]), rest: ByteBuffer(bytes: self.body[middle...]),
            between: halfSent)
        let responder = harness.server.router().buildResponder()
        let context = AppRequestContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        let response = try await responder.respond(
            to: Request(head: head, body: RequestBody(asyncSequence: parts)), context: context)
        let sink = Sink()
        do {
            try await response.body.write(Reader(sink: sink, begun: begun))
        } catch {
            return Response(status: response.status.code, text: sink.text, end: error)
        }
        return Response(status: response.status.code, text: sink.text, end: nil)
    }
}

private struct TwoParts: AsyncSequence, Sendable {
    let first: ByteBuffer
    let rest: ByteBuffer
    let between: @Sendable () async throws -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        let parts: TwoParts
        var number = 0

        mutating func next() async throws -> ByteBuffer? {
            self.number += 1
            switch self.number {
            case 1: return self.parts.first
            case 2:
                try await self.parts.between()
                return self.parts.rest
            default: return nil
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: self) }
}

private final class Sink: Sendable {
    private let bytes = Mutex<ByteBuffer>(ByteBuffer())

    var text: String { self.bytes.withLock { String(buffer: $0) } }

    /// Appends bytes and returns whether they are the first.
    func take(_ buffer: ByteBuffer) -> Bool {
        self.bytes.withLock { bytes in
            defer { bytes.writeImmutableBuffer(buffer) }
            return bytes.readableBytes == 0
        }
    }
}

private struct Reader: ResponseBodyWriter {
    let sink: Sink
    let begun: @Sendable () async throws -> Void

    mutating func write(_ buffer: ByteBuffer) async throws {
        if self.sink.take(buffer) { try await self.begun() }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
