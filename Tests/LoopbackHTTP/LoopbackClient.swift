import Foundation
package import NIOCore
package import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP/1.1 client without TLS, for tests and benchmarks of servers on this machine.
///
/// It reuses connections, without a limit for their number. It follows no redirect and decompresses nothing. It repeats a `GET` whose reused
/// connection was closed before a response, and nothing else.
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

    deinit {
        for channel in self.idle.withLock({ $0.values.joined() }) { channel.close(promise: nil) }
    }

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
        let (channel, isReused) = try await self.channel(to: endpoint)
        do {
            return try await self.send(head, body, on: channel, of: endpoint, timeout: timeout)
        } catch LoopbackError.connectionClosed where isReused && [.GET, .HEAD].contains(method) {
            // The server closed an idle connection at the same moment.
            let (another, _) = try await self.channel(to: endpoint, reusing: false)
            return try await self.send(head, body, on: another, of: endpoint, timeout: timeout)
        }
    }

    private func send(
        _ head: HTTPRequestHead, _ body: [UInt8], on channel: any Channel, of endpoint: Endpoint, timeout: Duration
    ) async throws -> LoopbackResponse {
        let (parts, feed) = AsyncThrowingStream.makeStream(of: LoopbackResponse.Part.self)
        let exchange = Exchange(feed: feed, timeout: TimeAmount(timeout))
        feed.onTermination = { [weak self] termination in
            // The rest of a response that nobody reads ends with its connection.
            guard case .finished(nil) = termination, exchange.isReusable.withLock(\.self), let self else {
                return channel.close(promise: nil)
            }
            self.idle.withLock { $0[endpoint, default: []].append(channel) }
        }
        channel.write(Outbound.begin(exchange), promise: nil)
        channel.write(Outbound.part(.head(head)), promise: nil)
        if !body.isEmpty {
            channel.write(Outbound.part(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        channel.writeAndFlush(Outbound.part(.end(nil))).whenComplete { result in
            switch result {
            case .success: exchange.isSent.withLock { $0 = true }
            // A connection that was closed meanwhile fails the write without reaching the handler.
            case .failure: feed.finish(throwing: LoopbackError.connectionClosed)
            }
        }
        var iterator = parts.makeAsyncIterator()
        guard case .head(let response) = try await iterator.next() else {
            try Task.checkCancellation()
            throw LoopbackError.connectionClosed
        }
        return LoopbackResponse(status: Int(response.status.code), headers: response.headers, parts: parts)
    }

    private func channel(
        to endpoint: Endpoint, reusing isReusing: Bool = true
    ) async throws -> (channel: any Channel, isReused: Bool) {
        while isReusing, let channel = self.idle.withLock({ $0[endpoint]?.popLast() }) {
            if channel.isActive { return (channel, true) }
        }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(ExchangeHandler())
                }
            }
            .connect(host: endpoint.host, port: endpoint.port).get()
        return (channel, false)
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
private final class Exchange: Sendable {
    let feed: AsyncThrowingStream<LoopbackResponse.Part, any Error>.Continuation
    let timeout: TimeAmount
    /// Whether the request has left.
    let isSent = Mutex(false)
    /// Whether another request may follow on the connection.
    let isReusable = Mutex(false)

    init(feed: AsyncThrowingStream<LoopbackResponse.Part, any Error>.Continuation, timeout: TimeAmount) {
        (self.feed, self.timeout) = (feed, timeout)
    }
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
    private var isKeptAlive = false
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
            self.isKeptAlive = head.isKeepAlive
            self.exchange?.feed.yield(.head(head))
        case .body(let bytes): self.exchange?.feed.yield(.body(bytes))
        case .end:
            if let exchange, self.isKeptAlive, exchange.isSent.withLock(\.self) {
                exchange.isReusable.withLock { $0 = true }
            }
            self.finish(nil)
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
