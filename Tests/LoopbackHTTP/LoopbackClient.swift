import Foundation
package import NIOCore
package import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP/1.1 client without TLS, for tests and benchmarks of servers on this machine.
///
/// It reuses connections, without a limit for their number. It follows no redirect, decompresses nothing and repeats nothing.
package final class LoopbackClient: Sendable {
    package static let shared = LoopbackClient()

    /// The server at an address.
    fileprivate struct Endpoint: Hashable {
        let host: String
        let port: Int
    }

    /// Connections that are open and have no request.
    private let idle = Mutex<[Endpoint: [any Channel]]>([:])

    package init() {}

    /// Connecting takes at most this long: a server that has many connections to accept may be slow.
    private static let connectTimeout = TimeAmount.seconds(60)

    /// Sends a request, and returns when the head of its response has arrived.
    ///
    /// - Parameters:
    ///   - address: `http://127.0.0.1:8080`.
    ///   - path: With the query.
    ///   - timeout: For the whole exchange. Afterwards the connection is closed, and the body throws.
    package func open(
        _ method: HTTPMethod, _ address: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = [],
        timeout: Duration
    ) async throws -> LoopbackResponse {
        guard let url = URL(string: address), let host = url.host() else { throw LoopbackError.invalidAddress(address) }
        let endpoint = Endpoint(host: host, port: url.port ?? 80)
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: HTTPHeaders(headers))
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "\(host):\(endpoint.port)") }
        if !body.isEmpty || [.POST, .PUT, .PATCH].contains(method) {
            head.headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
        }
        let channel = try await self.channel(to: endpoint)
        let (parts, feed) = AsyncThrowingStream.makeStream(of: LoopbackResponse.Part.self)
        feed.onTermination = { termination in
            // The rest of a response that nobody reads ends with its connection.
            if case .cancelled = termination { channel.close(promise: nil) }
        }
        let exchange = Exchange(feed: feed, timeout: TimeAmount(timeout)) { [weak self] in
            self?.idle.withLock { $0[endpoint, default: []].append(channel) }
        }
        channel.write(Outbound.begin(exchange), promise: nil)
        channel.write(Outbound.part(.head(head)), promise: nil)
        if !body.isEmpty {
            channel.write(Outbound.part(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        // A connection that was closed meanwhile fails the write without reaching the handler.
        channel.writeAndFlush(Outbound.part(.end(nil))).whenFailure { feed.finish(throwing: $0) }
        var iterator = parts.makeAsyncIterator()
        guard case .head(let response) = try await iterator.next() else {
            try Task.checkCancellation()
            throw LoopbackError.connectionClosed
        }
        return LoopbackResponse(status: Int(response.status.code), headers: response.headers, parts: parts)
    }

    private func channel(to endpoint: Endpoint) async throws -> any Channel {
        while let channel = self.idle.withLock({ $0[endpoint]?.popLast() }) {
            if channel.isActive { return channel }
        }
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(ExchangeHandler())
                }
            }
            .connect(host: endpoint.host, port: endpoint.port).get()
    }
}

/// A response whose body may still be arriving.
package struct LoopbackResponse: Sendable {
    package enum Part: Sendable {
        case head(HTTPResponseHead)
        case body(ByteBuffer)
    }

    package let status: Int
    package let headers: HTTPHeaders
    fileprivate let parts: AsyncThrowingStream<Part, any Error>

    fileprivate init(status: Int, headers: HTTPHeaders, parts: AsyncThrowingStream<Part, any Error>) {
        (self.status, self.headers, self.parts) = (status, headers, parts)
    }

    /// The body, block by block. It throws if the body ends early.
    package var blocks: some AsyncSequence<ByteBuffer, any Error> & Sendable {
        self.parts.compactMap { part in if case .body(let bytes) = part { bytes } else { nil } }
    }

    /// The whole body.
    package func bytes() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await block in self.blocks { bytes += block.readableBytesView }
        // A stream that ends because its task was cancelled does not throw.
        try Task.checkCancellation()
        return bytes
    }
}

package enum LoopbackError: Error {
    case invalidAddress(String)
    case connectionClosed
    case timedOut
}

/// A request whose response is awaited.
private struct Exchange: Sendable {
    let feed: AsyncThrowingStream<LoopbackResponse.Part, any Error>.Continuation
    let timeout: TimeAmount
    /// Returns the connection.
    let release: @Sendable () -> Void
}

private enum Outbound: Sendable {
    case begin(Exchange)
    case part(HTTPClientRequestPart)
}

/// Passes the parts of responses on to the exchange that waits for them; one at a time.
private final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Outbound
    typealias OutboundOut = HTTPClientRequestPart

    private var exchange: Exchange?
    private var isReusable = false
    private var timeout: Scheduled<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch self.unwrapOutboundIn(data) {
        case .part(let part): context.write(self.wrapOutboundOut(part), promise: promise)
        case .begin(let exchange):
            guard context.channel.isActive else {
                return exchange.feed.finish(throwing: LoopbackError.connectionClosed)
            }
            self.exchange = exchange
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            self.timeout = context.eventLoop.assumeIsolated().scheduleTask(in: exchange.timeout) {
                let (handler, context) = bound.value
                handler.finish(LoopbackError.timedOut)
                context.close(promise: nil)
            }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.isReusable = head.isKeepAlive
            self.exchange?.feed.yield(.head(head))
        case .body(let bytes): self.exchange?.feed.yield(.body(bytes))
        case .end:
            let release = self.exchange?.release
            self.finish(nil)
            if self.isReusable { release?() } else { context.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.finish(LoopbackError.connectionClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.finish(error)
        context.close(promise: nil)
    }

    private func finish(_ error: (any Error)?) {
        self.timeout?.cancel()
        self.exchange?.feed.finish(throwing: error)
        (self.exchange, self.timeout) = (nil, nil)
    }
}
