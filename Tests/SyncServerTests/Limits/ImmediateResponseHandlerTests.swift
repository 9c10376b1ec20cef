import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import SyncServer
import Synchronization
import Testing

/// The order of responses on a connection some of whose requests are answered without its task.
struct ImmediateResponseHandlerTests {
    /// Answers every path but `/other`, and lets requests wait whose path begins with `/wait`.
    private final class Responder: ImmediateResponses {
        private let wakes = Mutex<[@Sendable (LongPolls.Outcome) -> Void]>([])
        private let ends = Atomic<Int>(0)

        /// How many waits were ended before their time.
        var ended: Int { self.ends.load(ordering: .relaxed) }

        func decision(about head: HTTPRequest, from address: SocketAddress?) -> ImmediateResponder.Decision {
            let path = head.path ?? ""
            if path == "/other" { return .passOn }
            if path.hasPrefix("/wait") { return .wait(.init(subject: .anyChange, number: 7, timeout: .seconds(30))) }
            var response = HTTPResponse(status: .ok)
            response.headerFields[.location] = path
            return .answer(.init(head: response, body: ByteBuffer(string: path)))
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
        try self.channel.pipeline.syncOperations.addHandler(ImmediateResponseHandler(responder: self.responder))
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
        try self.channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        try self.request("/a")
        #expect(try self.answers() == [""] && self.passedOn() == ["/other", "end", "/a", "end"])
    }

    @Test func `requests of a client that does not read are passed on`() throws {
        self.channel.isWritable = false
        try self.request("/a")
        #expect(try self.answers() == [] && self.passedOn() == ["/a", "end"])
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
        try self.request("/a")
        #expect(try self.answers() == ["/wait", "/a"] && self.responder.ended == 1)
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

    @Test func `client that announces that it sends nothing more does not wait`() throws {
        try self.request("/wait?wait=30")
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try self.passedOn() == ["/wait?wait=0", "end"])
    }
}
