import NIOCore
import NIOEmbedded
import NIOHTTP1
import SyncServer
import Synchronization
import Testing

/// The order of responses on a connection some of whose requests are answered, or wait, without its task.
struct ImmediateResponseHandlerTests {
    /// Lets requests wait whose path begins with `/wait`, and answers all others but those that begin with `/other`.
    private final class Responder: ImmediateResponses {
        private let wakes = Mutex<[@Sendable (LongPolls.Outcome) -> Void]>([])
        private let ends = Atomic<Int>(0)

        /// How many waits were ended before their time.
        var ended: Int { self.ends.load(ordering: .relaxed) }

        func outcome(of head: HTTPRequestHead, from address: SocketAddress?) -> ImmediateOutcome? {
            let path = head.uri
            if path.hasPrefix("/wait") { return .wait(.init(subject: .anyChange, number: 7, timeout: .seconds(30))) }
            guard !path.hasPrefix("/other") else { return nil }
            let response = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["location": path])
            return .response(.init(head: response, body: ByteBuffer(string: path)))
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
    private let handler: ImmediateResponseHandler

    init() throws {
        self.handler = ImmediateResponseHandler(responder: self.responder)
        try self.channel.pipeline.syncOperations.addHandler(self.handler)
    }

    private func request(_ path: String, body: String? = nil) throws {
        try self.channel.writeInbound(
            HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: path)))
        if let body { try self.channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: body))) }
        try self.channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    /// Answers a request that was passed on.
    private func respond(_ path: String, _ status: HTTPResponseStatus = .ok) throws {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["location": path])
        try self.channel.writeOutbound(HTTPServerResponsePart.head(head))
        if status != .continue { try self.channel.writeOutbound(HTTPServerResponsePart.end(nil)) }
    }

    /// The paths of the requests that were answered since the last call.
    private func answers() throws -> [String] {
        var paths: [String] = []
        while let part = try self.channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .head(let head) = part { paths.append(head.headers.first(name: "location") ?? "") }
        }
        return paths
    }

    /// The paths of the requests that were passed on since the last call, and the texts of their bodies.
    private func passedOn() throws -> [String] {
        var parts: [String] = []
        while let part = try self.channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head): parts.append(head.uri)
            case .body(let body): parts.append(String(buffer: body))
            case .end: parts.append("end")
            }
        }
        return parts
    }

    // MARK: - Responses

    @Test func `request that is passed on is answered before those behind it`() throws {
        for path in ["/a", "/b"] { try self.request(path) }
        #expect(try self.answers() == ["/a", "/b"] && self.passedOn() == [])
        try self.request("/other", body: "text")
        for path in ["/c", "/d"] { try self.request(path) }
        #expect(try self.answers() == [])
        #expect(try self.passedOn() == ["/other", "text", "end", "/c", "end", "/d", "end"])
        // Those that come while others are unanswered are passed on, too.
        for (path, next) in [("/other", "/e"), ("/c", "/f")] {
            try self.respond(path)
            try self.request(next)
        }
        #expect(try self.answers() == ["/other", "/c"] && self.passedOn() == ["/e", "end", "/f", "end"])
        for path in ["/d", "/e", "/f"] { try self.respond(path) }
        try self.request("/g", body: "ignored")
        #expect(try self.answers() == ["/d", "/e", "/f", "/g"] && self.passedOn() == [])
    }

    @Test func `informational response does not end a request that was passed on`() throws {
        try self.request("/other")
        try self.respond("/other", .continue)
        try self.request("/a")
        #expect(try self.answers() == ["/other"] && self.passedOn() == ["/other", "end", "/a", "end"])
    }

    @Test(arguments: ["/a", "/wait"])
    func `requests of a client that does not read are passed on`(path: String) throws {
        self.channel.isWritable = false
        try self.request(path)
        #expect(try self.answers() == [] && self.passedOn() == [path, "end"])
    }

    // MARK: - Waiting

    @Test func `request behind one that was passed on does not wait`() throws {
        try self.request("/other", body: "text")
        try self.request("/wait?wait=30")
        #expect(try self.passedOn() == ["/other", "text", "end", "/wait?wait=30", "end"])
        for path in ["/other", "/wait"] { try self.respond(path) }
        try self.request("/wait?wait=20")
        #expect(try self.answers() == ["/other", "/wait"] && self.passedOn() == [])
    }

    @Test(arguments: [LongPolls.Outcome.changed, .timedOut, .closed])
    func `request that waits is passed on as it was sent once it is woken, and only once`(
        outcome: LongPolls.Outcome
    ) throws {
        let path = "/wait?since=x&wait=30&level=a"
        try self.request(path)
        #expect(try self.passedOn() == [] && self.handler.endedWait == nil)
        for _ in 0..<2 {
            self.responder.wake(outcome)
            self.channel.embeddedEventLoop.run()
        }
        #expect(try self.passedOn() == [path, "end"])
        // After a change it waits for the rest of its time if the change does not concern it.
        let wait = try #require(self.handler.endedWait)
        #expect(wait.outcome == outcome && wait.deadline - wait.arrival == .seconds(30))
        try self.respond("/wait")
        #expect(try self.answers() == ["/wait"] && self.responder.ended == 1 && self.handler.endedWait == nil)
        // The next one is another request.
        try self.request("/a")
        #expect(try self.answers() == ["/a"] && self.passedOn() == [])
    }

    @Test func `request that waits is passed on before one behind it`() throws {
        try self.request("/wait?wait=30")
        try self.request("/a")
        #expect(try self.passedOn() == ["/wait?wait=30", "end", "/a", "end"] && self.responder.ended == 1)
        #expect(self.handler.endedWait?.outcome == .changed)
        self.responder.wake(.changed)
        self.channel.embeddedEventLoop.run()
        #expect(try self.passedOn() == [])
    }

    @Test func `wait ends when the client disconnects`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireChannelInactive()
        self.channel.embeddedEventLoop.run()
        #expect(try self.responder.ended == 1 && self.passedOn() == [])
    }

    @Test func `request that waits is passed on before an error behind it, and waits no more`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        #expect(try self.passedOn() == ["/wait?wait=30", "end"] && self.handler.endedWait?.outcome == .closed)
        #expect(throws: HTTPParserError.self) { try self.channel.throwIfErrorCaught() }
    }

    @Test func `client that announces that it sends nothing more does not wait`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try self.passedOn() == ["/wait?wait=30", "end"] && self.handler.endedWait?.outcome == .closed)
    }
}
