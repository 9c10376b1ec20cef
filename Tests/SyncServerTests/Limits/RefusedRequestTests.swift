import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SyncServer

/// What a connection does after the response to a request that was refused before it had ended.
struct RefusedRequestTests {
    /// Stands for the socket.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var written = ""
        var reads = 0
        var closedHalves: [CloseMode] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            self.written += String(buffer: self.unwrapOutboundIn(data))
            promise?.succeed()
        }

        func read(context: ChannelHandlerContext) { self.reads += 1 }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.closedHalves.append(mode)
            promise?.succeed()
        }
    }

    /// Responds 404 to every request, at its head or at its end.
    private final class Refuser: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        var waitsForEnd = false
        var bytes = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head: if !self.waitsForEnd { self.respond(context) }
            case .body(let content): self.bytes += content.readableBytes
            case .end: if self.waitsForEnd { self.respond(context) }
            }
        }

        /// As the handlers do that pass requests on to tasks.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func respond(_ context: ChannelHandlerContext) {
            let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["content-length": "0"])
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private let channel = EmbeddedChannel()
    private let socket = Socket()
    private let refuser = Refuser()

    init() throws {
        let slices = InboundSlices(turns: EventLoopTurns(of: self.channel.embeddedEventLoop))
        let connection = ConnectionHandler(
            slices: slices, readiness: Readiness(), grace: .seconds(1), idleTimeout: .seconds(60))
        try self.channel.pipeline.syncOperations.addHandlers([
            self.socket, slices, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), connection,
            HTTPServerProtocolErrorHandler(), self.refuser,
        ])
    }

    private func pass(_ milliseconds: Int64) {
        self.channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
    }

    @Test func `the response is sent at once, and the connection ends a moment later, in which nothing is read`() throws
    {
        try self.channel.writeInbound(
            ByteBuffer(string: "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"))
        #expect(self.socket.written.hasPrefix("HTTP/1.1 404 ") && self.socket.written.contains("connection: close"))
        let reads = self.socket.reads
        self.channel.read()
        try self.channel.writeInbound(ByteBuffer(string: "1\r\nx\r\n"))
        self.pass(249)
        #expect(self.socket.reads == reads && self.socket.closedHalves.isEmpty)
        self.pass(1)
        #expect(self.socket.closedHalves == [.output])
        // What the client had still sent is read then, so that it gets the response.
        self.pass(10)
        #expect(self.socket.reads > reads && self.refuser.bytes == 0)
    }

    @Test(arguments: [
        ("GET /x?q=%65ESCAPES%6", ""), ("GET /x%zz/ESCAPES/sync", ""), ("GET /x", "If-None-Match: \"MARKS\"\r\n"),
        ("GET /x", "Authorization: Bearer eMARKS\r\n"),
    ])
    func `a request may have thirty combining marks in a row`(line: String, field: String) throws {
        func status(_ count: Int) throws -> String.SubSequence {
            self.socket.written = ""
            let (marks, escapes) = (String(repeating: "\u{301}\u{316}", count: count / 2), "%CC%81%CC%96")
            let request = "\(line) HTTP/1.1\r\nHost: a\r\n\(field)\r\n"
                .replacing("MARKS", with: marks + (count % 2 == 1 ? "\u{301}" : ""))
                .replacing(
                    "ESCAPES", with: String(repeating: escapes, count: count / 2) + (count % 2 == 1 ? "%cc%81" : ""))
            try self.channel.writeInbound(ByteBuffer(string: request))
            return self.socket.written.prefix(12)
        }
        self.refuser.waitsForEnd = true
        #expect(try status(30) == "HTTP/1.1 404")
        #expect(try status(31) == "HTTP/1.1 400")
    }

    @Test(arguments: [
        ("400", "NONSENSE\r\n\r\n"), ("400", "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("501", "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"),
        (
            "400",
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                + String(repeating: "a: b\r\n", count: 10_000)
        ),
    ])
    func `a connection whose request cannot be parsed ends a moment after the response, too`(
        status: String, request: String
    ) throws {
        self.refuser.waitsForEnd = true
        try self.channel.writeInbound(ByteBuffer(string: request))
        while self.socket.written.isEmpty {
            self.channel.read()
            // One turn.
            self.channel.embeddedEventLoop.advanceTime(by: .microseconds(20))
        }
        #expect(self.socket.written.hasPrefix("HTTP/1.1 \(status) "))
        let reads = self.socket.reads
        self.channel.read()
        self.pass(249)
        #expect(self.socket.reads == reads && self.socket.closedHalves.isEmpty)
        self.pass(1)
        #expect(self.socket.closedHalves == [.output])
    }

    @Test func `the connection stays open after a request that has ended`() throws {
        self.refuser.waitsForEnd = true
        try self.channel.writeInbound(ByteBuffer(string: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(self.socket.written.hasPrefix("HTTP/1.1 404 "))
        self.pass(1_000)
        self.channel.read()
        #expect(self.socket.closedHalves.isEmpty && self.socket.reads > 0)
    }
}
