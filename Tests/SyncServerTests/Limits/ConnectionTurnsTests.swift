import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import SyncServer
import Testing

/// What a client may send at once, and in which portions it is worked on.
struct ConnectionTurnsTests {
    /// Counts the parts that the decoder finds, as the handler of a connection does.
    private final class Counter: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        let slices: InboundSlices
        /// Since the last turn.
        var parts = 0
        var content = 0
        var requests = 0
        var errors = 0

        init(_ slices: InboundSlices) { self.slices = slices }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = self.unwrapInboundIn(data)
            self.slices.count(part)
            self.parts += 1
            if case .body(let bytes) = part { self.content += bytes.readableBytes }
            if case .head = part { self.requests += 1 }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.errors += 1
            self.slices.discard()
        }
    }

    private let channel = EmbeddedChannel()
    private let counter: Counter

    init() throws {
        let slices = InboundSlices(turns: EventLoopTurns(of: self.channel.embeddedEventLoop))
        self.counter = Counter(slices)
        try self.channel.pipeline.syncOperations.addHandlers([
            slices, ByteToMessageHandler(HTTPRequestDecoder()), self.counter,
        ])
    }

    /// Sends a text as one event of a socket, and returns the number of parts of each turn until nothing is left.
    private func parts(of text: String) throws -> [Int] {
        var counts: [Int] = []
        var turnsWithoutParts = 0
        try self.channel.writeInbound(ByteBuffer(string: text))
        // A turn may have a part of an extension only.
        while turnsWithoutParts < 400 {
            turnsWithoutParts = self.counter.parts > 0 ? 0 : turnsWithoutParts + 1
            if self.counter.parts > 0 { counts.append(self.counter.parts) }
            self.counter.parts = 0
            self.channel.read()
            // One turn.
            self.channel.embeddedEventLoop.advanceTime(by: .microseconds(20))
        }
        return counts
    }

    private static let chunked = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func `chunks of one byte are decoded in turns of some fifty`() throws {
        let counts = try self.parts(of: Self.chunked + String(repeating: "1\r\nx\r\n", count: 10_000) + "0\r\n\r\n")
        #expect(counts.reduce(0, +) == 10_002 && self.counter.content == 10_000)
        #expect(
            counts[0] < 400 && counts.dropFirst(4).allSatisfy { $0 <= 64 }, "\(counts.prefix(8)) \(counts.max() ?? 0)")
    }

    @Test func `requests that are sent at once are decoded in turns of some ten`() throws {
        let counts = try self.parts(of: String(repeating: "GET /health HTTP/1.1\r\nHost: a\r\n\r\n", count: 2_000))
        #expect(self.counter.requests == 2_000)
        // A head and an end for each.
        #expect(
            counts[0] < 150 && counts.dropFirst(4).allSatisfy { $0 <= 18 }, "\(counts.prefix(8)) \(counts.max() ?? 0)")
    }

    @Test func `bytes that are no part are decoded in turns of a kibibyte`() throws {
        let recorder = SizeRecorder()
        try self.channel.pipeline.syncOperations.addHandler(recorder, position: .after(self.counter.slices))
        _ = try self.parts(of: Self.chunked + "1;a=" + String(repeating: "x", count: 60_000))
        #expect(recorder.sizes.count > 50 && recorder.sizes.allSatisfy { $0 <= 1 << 10 }, "\(recorder.sizes)")
    }

    private final class SizeRecorder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        var sizes: [Int] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.sizes.append(self.unwrapInboundIn(data).readableBytes)
            context.fireChannelRead(data)
        }
    }

    @Test func `large parts are decoded in few turns, whatever was sent before`() throws {
        _ = try self.parts(of: Self.chunked + String(repeating: "1\r\nx\r\n", count: 1_000) + "0\r\n\r\n")
        let size = 1 << 20
        let counts = try self.parts(
            of: "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n"
                + String(repeating: "x", count: size))
        #expect(self.counter.content == 1_000 + size)
        #expect(counts.count < 80, "\(counts.count)")
    }

    @Test(arguments: [
        ("an extension", chunked + "1;a=" + String(repeating: "x", count: 300_000)),
        ("extensions", chunked + String(repeating: "1;a=\(String(repeating: "x", count: 1_000))\r\nx\r\n", count: 300)),
        ("chunks", chunked + String(repeating: "1\r\nx\r\n", count: 100_000)),
        (
            "trailers",
            chunked + "0\r\n" + String(repeating: "a: \(String(repeating: "x", count: 50))\r\n", count: 6_000)
        ),
    ])
    func `request with more framing than content ends with an error, and the rest is dropped`(
        what: String, request: String
    ) throws {
        _ = try self.parts(of: request)
        #expect(self.counter.errors == 1, "\(what)")
        let content = self.counter.content
        #expect(content < 60_000)
        _ = try self.parts(of: "1\r\nx\r\n1\r\nx\r\n")
        #expect(self.counter.content == content && self.counter.errors == 1)
    }

    @Test func `after plain bytes, chunks of one byte are decoded in turns of some fifty from the second turn on`()
        throws
    {
        let plain = String(repeating: "x", count: 100_000)
        let request = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n\(plain)"
        let before = try self.parts(of: request).count
        let counts = try self.parts(of: Self.chunked + String(repeating: "1\r\nx\r\n", count: 10_000) + "0\r\n\r\n")
        #expect(before < 20 && counts.dropFirst(2).allSatisfy { $0 <= 64 }, "\(before) \(counts.prefix(5))")
    }

    @Test func `end of what a client sends is reported after all slices, also if nothing asks for more`() throws {
        let end = EndRecorder()
        let slices = InboundSlices(turns: EventLoopTurns(of: self.channel.embeddedEventLoop))
        let channel = EmbeddedChannel(loop: self.channel.embeddedEventLoop)
        try channel.pipeline.syncOperations.addHandlers([
            slices, ByteToMessageHandler(HTTPRequestDecoder()), Counter(slices), end,
        ])
        let size = 100_000
        channel.pipeline.fireChannelRead(
            ByteBuffer(
                string: "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n"
                    + String(repeating: "x", count: size)))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(end.count == 0)
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(end.count == 1)
    }

    @Test func `small chunks of a client that writes as it computes are accepted in any number`() throws {
        let counts = try self.parts(
            of: Self.chunked + String(repeating: "a\r\n0123456789\r\n", count: 50_000) + "0\r\n\r\n")
        #expect(self.counter.errors == 0 && self.counter.content == 500_000)
        #expect(counts.dropFirst(4).allSatisfy { $0 <= 64 }, "\(counts.prefix(8)) \(counts.max() ?? 0)")
    }

    @Test func `requests are passed on one at a time, in order, and then the end of the connection`() throws {
        let channel = EmbeddedChannel()
        let end = EndRecorder()
        try channel.pipeline.syncOperations.addHandlers([
            RequestTurns(turns: EventLoopTurns(of: channel.embeddedEventLoop)), end,
        ])
        for path in ["/1", "/2", "/3"] {
            try channel.writeInbound(
                HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)))
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        for path in ["/1", "/2", "/3"] {
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            guard case .head(let head) = try channel.readInbound(as: HTTPRequestPart.self) else {
                Issue.record("no head of \(path)")
                return
            }
            #expect(head.path == path)
            #expect(try channel.readInbound(as: HTTPRequestPart.self) != nil)
            #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil, "nothing behind \(path)")
            #expect(end.count == (path == "/3" ? 1 : 0))
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }
    }

    private final class EndRecorder: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        var count = 0

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { self.count += 1 }
        }
    }
}
