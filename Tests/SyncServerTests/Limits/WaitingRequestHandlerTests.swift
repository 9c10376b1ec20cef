import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import SyncServer
import Synchronization
import Testing

/// Requests that wait without the task of their connection.
struct WaitingRequestHandlerTests {
    /// Lets requests wait whose path begins with `/wait`.
    private final class Responder: ImmediateResponses {
        private let wakes = Mutex<[@Sendable (LongPolls.Outcome) -> Void]>([])
        private let ends = Atomic<Int>(0)

        /// How many waits were ended before their time.
        var ended: Int { self.ends.load(ordering: .relaxed) }

        func answer(to head: HTTPRequestHead, from address: SocketAddress?) -> ImmediateResponder.Answer? { nil }

        func wait(of head: HTTPRequest, from address: SocketAddress?) -> LongPolls.Wait? {
            guard head.path?.hasPrefix("/wait") ?? false else { return nil }
            return .init(subject: .anyChange, number: 7, timeout: .seconds(30))
        }

        func beginWait(
            _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
            _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
        ) -> @Sendable () -> Void {
            self.wakes.withLock { $0.append(wake) }
            return {
                self.ends.wrappingAdd(1, ordering: .relaxed)
                wake(.closed)
            }
        }

        func wake(_ outcome: LongPolls.Outcome) {
            for wake in self.wakes.withLock({ $0 }) { wake(outcome) }
        }
    }

    private let responder = Responder()
    private let channel = EmbeddedChannel()

    init() throws {
        try self.channel.pipeline.syncOperations.addHandler(WaitingRequestHandler(responder: self.responder))
    }

    private func request(_ path: String, body: String? = nil) throws {
        try self.channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)))
        if let body { try self.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: body))) }
        try self.channel.writeInbound(HTTPRequestPart.end(nil))
    }

    /// Answers a request that was passed on.
    private func respond(_ path: String) throws {
        var response = HTTPResponse(status: .ok)
        response.headerFields[.location] = path
        try self.channel.writeOutbound(HTTPResponsePart.head(response))
        try self.channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// The paths of the requests that were answered since the last call.
    private func answers() throws -> [String] {
        var paths: [String] = []
        while let part = try self.channel.readOutbound(as: HTTPResponsePart.self) {
            if case .head(let head) = part { paths.append(head.headerFields[.location] ?? "") }
        }
        return paths
    }

    /// The paths of the requests that were passed on since the last call, and the texts of their bodies.
    private func passedOn() throws -> [String] {
        var parts: [String] = []
        while let part = try self.channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head(let head): parts.append(head.path ?? "")
            case .body(let body): parts.append(String(buffer: body))
            case .end: parts.append("end")
            }
        }
        return parts
    }

    @Test func `request behind one that was passed on does not wait`() throws {
        try self.request("/other", body: "text")
        try self.request("/wait?wait=30")
        #expect(try self.passedOn() == ["/other", "text", "end", "/wait?wait=30", "end"])
        for path in ["/other", "/wait"] { try self.respond(path) }
        try self.request("/wait?wait=20")
        #expect(try self.answers() == ["/other", "/wait"] && self.passedOn() == [])
    }

    @Test(arguments: [LongPolls.Outcome.changed, .timedOut, .closed])
    func `request that waits is passed on once it is woken, and only once`(outcome: LongPolls.Outcome) throws {
        try self.request("/wait?since=x&wait=30&level=a")
        #expect(try self.passedOn() == [])
        for _ in 0..<2 {
            self.responder.wake(outcome)
            self.channel.embeddedEventLoop.run()
        }
        // After a change it waits for the rest of its time if the change does not concern it.
        #expect(try self.passedOn() == ["/wait?since=x&wait=\(outcome == .changed ? 30 : 0)&level=a", "end"])
        try self.respond("/wait")
        #expect(try self.answers() == ["/wait"] && self.responder.ended == 1)
    }

    @Test func `request that waits is passed on before one behind it`() throws {
        try self.request("/wait?wait=30")
        try self.request("/a")
        #expect(try self.passedOn() == ["/wait?wait=30", "end", "/a", "end"] && self.responder.ended == 1)
        self.responder.wake(.changed)
        self.channel.embeddedEventLoop.run()
        #expect(try self.passedOn() == [])
    }

    @Test(arguments: ["/wait", "/wait?w%61it=30", "/wait?wait=30&wait=30"])
    func `request whose time cannot be replaced waits elsewhere`(path: String) throws {
        try self.request(path)
        #expect(try self.passedOn() == [path, "end"])
    }

    @Test func `wait ends when the client disconnects`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireChannelInactive()
        self.channel.embeddedEventLoop.run()
        #expect(try self.responder.ended == 1 && self.passedOn() == [])
    }

    @Test func `request that waits is passed on before an error behind it`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        #expect(try self.passedOn() == ["/wait?wait=0", "end"])
        #expect(throws: HTTPParserError.self) { try self.channel.throwIfErrorCaught() }
    }

    @Test func `client that announces that it sends nothing more does not wait`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try self.passedOn() == ["/wait?wait=0", "end"])
    }
}
