import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SyncServer
import Testing

/// The order of responses on a connection some of whose requests are answered without its task.
struct KeptResponseHandlerTests {
    private let channel = EmbeddedChannel()

    private func addHandler(idleTimeout: TimeAmount = .hours(1)) throws {
        try self.channel.pipeline.syncOperations.addHandler(
            KeptResponseHandler(responder: Responder(), idleTimeout: idleTimeout))
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
        guard status != .continue else { return }
        try self.channel.writeOutbound(HTTPServerResponsePart.end(nil))
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

    @Test func `request that is passed on is answered before those behind it`() throws {
        try self.addHandler()
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
        try self.addHandler()
        try self.request("/other")
        try self.respond("/other", .continue)
        try self.request("/a")
        #expect(try self.answers() == ["/other"] && self.passedOn() == ["/other", "end", "/a", "end"])
    }

    @Test func `requests of a client that does not read are passed on`() throws {
        try self.addHandler()
        self.channel.isWritable = false
        try self.request("/a")
        #expect(try self.answers() == [] && self.passedOn() == ["/a", "end"])
    }

    @Test func `handlers behind are shown a request from time to time`() throws {
        try self.addHandler(idleTimeout: .nanoseconds(10))
        try self.request("/a")
        #expect(try self.answers() == [] && self.passedOn() == ["/a", "end"])
    }
}

/// Answers every path but `/other`.
private struct Responder: ImmediateResponses {
    func answer(to head: HTTPRequestHead, from address: SocketAddress?) -> ImmediateResponder.Answer? {
        guard head.uri != "/other" else { return nil }
        return .init(
            head: .init(version: .http1_1, status: .ok, headers: ["location": head.uri]),
            body: ByteBuffer(string: head.uri))
    }

    func wait(of head: HTTPRequest, from address: SocketAddress?) -> LongPolls.Wait? { nil }

    func beginWait(
        _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
        _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
    ) -> @Sendable () -> Void {
        {}
    }
}
