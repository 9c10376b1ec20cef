import Foundation
import SyncClient
import Synchronization
import Testing

/// Answers as a test says, in the order in which it says it, and notes what was asked.
final class ScriptedTransport: SyncTransport {
    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        /// After so many bytes the body ends, as if that were all.
        var cut: Int?
        /// After so many bytes the connection breaks; 0: before anything came.
        var reset: Int?
        /// Is called before the answer begins.
        var before: (@Sendable () async throws -> Void)?
    }

    struct Broken: Error {}
    /// More was asked than the test says.
    struct Unexpected: Error {}

    private struct State {
        var replies: [Reply] = []
        var requests: [TransportRequest] = []
    }

    private let state = Mutex(State())

    init(_ replies: [Reply] = []) {
        self.state.withLock { $0.replies = replies }
    }

    /// What was asked since the last look.
    func takeRequests() -> [TransportRequest] {
        self.state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// SyncResponses that nobody asked for.
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
            body: ByteStream(Array(reply.body.prefix(length)), breaks: reply.reset != nil))
    }
}

/// Bytes in small pieces, and perhaps a broken connection behind them.
struct ByteStream: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let breaks: Bool
    let piece: Int

    init(_ bytes: [UInt8], breaks: Bool = false, piece: Int = 97) {
        self.bytes = bytes
        self.breaks = breaks
        self.piece = piece
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let stream: ByteStream
        var place = 0

        mutating func next() async throws -> [UInt8]? {
            guard self.place < self.stream.bytes.count else {
                if self.stream.breaks { throw ScriptedTransport.Broken() }
                return nil
            }
            let end = Swift.min(self.place + self.stream.piece, self.stream.bytes.count)
            defer { self.place = end }
            return Array(self.stream.bytes[self.place..<end])
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
