import Foundation
import SyncClient
import Synchronization
import Testing

/// Returns scripted replies in order and records the requests.
final class ScriptedTransport: SyncTransport {
    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        /// The body ends after this number of bytes, without an error.
        var cut: Int?
        /// The connection breaks after this number of bytes; 0: before the response.
        var reset: Int?
        /// Is called before the response.
        var before: (@Sendable () async throws -> Void)?
        /// Is called before each block of the body, and at its end.
        var beforeBlock: (@Sendable () -> Void)?

        /// A refusal by the server itself.
        static func problem(_ status: Int, type: String = "/problems/scripted", title: String = "No") -> Reply {
            Reply(
                status: status, headers: ["content-type": "application/problem+json"],
                body: Array(#"{"type":"\#(type)","title":"\#(title)","status":\#(status)}"#.utf8))
        }
    }

    struct Broken: Error {}
    /// There is no scripted reply for the request.
    struct Unexpected: Error {}

    private struct State {
        var replies: [Reply] = []
        var requests: [TransportRequest] = []
    }

    private let state = Mutex(State())

    init(_ replies: [Reply] = []) {
        self.state.withLock { $0.replies = replies }
    }

    /// Returns the requests since the last call.
    func takeRequests() -> [TransportRequest] {
        self.state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Replies that were not requested yet.
    var left: Int { self.state.withLock { $0.replies.count } }

    func reply(_ replies: [Reply]) {
        self.state.withLock { $0.replies += replies }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let reply: Reply? = self.state.withLock { state in
            state.requests.append(request)
            return state.replies.isEmpty ? nil : state.replies.removeFirst()
        }
        guard let reply else { throw Unexpected() }
        try await reply.before?()
        if reply.reset == 0 { throw Broken() }
        let length = min(reply.cut ?? reply.reset ?? reply.body.count, reply.body.count)
        return TransportResponse(
            status: reply.status, headers: reply.headers,
            body: ByteStream(
                Array(reply.body.prefix(length)), breaks: reply.reset != nil, beforeBlock: reply.beforeBlock))
    }
}

/// Bytes in small blocks, with a broken connection at the end if `breaks` is true.
struct ByteStream: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let breaks: Bool
    let blockSize: Int
    let beforeBlock: (@Sendable () -> Void)?

    init(
        _ bytes: [UInt8], breaks: Bool = false, blockSize: Int = 97, beforeBlock: (@Sendable () -> Void)? = nil
    ) {
        self.bytes = bytes
        self.breaks = breaks
        self.blockSize = blockSize
        self.beforeBlock = beforeBlock
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let stream: ByteStream
        var offset = 0

        mutating func next() async throws -> [UInt8]? {
            self.stream.beforeBlock?()
            guard self.offset < self.stream.bytes.count else {
                if self.stream.breaks { throw ScriptedTransport.Broken() }
                return nil
            }
            let end = Swift.min(self.offset + self.stream.blockSize, self.stream.bytes.count)
            defer { self.offset = end }
            return Array(self.stream.bytes[self.offset..<end])
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}

/// A folder for one test.
final class Folder: Sendable {
    let url: URL

    init() throws {
        self.url = FileManager.default.temporaryDirectory.appending(path: "replica-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: self.url) }

    var file: URL { self.url.appending(path: "mall.sqlite") }
}
