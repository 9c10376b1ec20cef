import NIOCore
import NIOHTTP1

/// Implements what RFC 9112 requires of a connection besides parsing: one `Host`, no other transfer coding than `chunked` and none for
/// HTTP/1.0, `Expect`, and a close that loses no request.
///
/// A client may be silent for a limited time before and between requests, and while it sends one. A request that has arrived takes as long as
/// its response does, also one that waits for a change.
///
/// A response that begins before its request has ended, because it refuses it or because it cannot be parsed, announces the end of the
/// connection: the rest of the request is dropped and not decoded. The connection ends a moment later, in which nothing is read: otherwise
/// clients that connect again at once would cost a connection and a response each time, thousands of times in a second.
///
/// A server that stops cannot close an idle connection at once, because a request may be on its way. So the connection stays open
/// for a grace period, and the response to a request in this period has `Connection: close`. A connection whose end was announced,
/// or that stayed idle, is closed: first the outbound half, so that bytes which still arrive do not reset the connection before the
/// client has read everything.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request without a complete response.
    private struct Exchange {
        let version: HTTPVersion
        let keepsAlive: Bool
        /// Whether the client waits for permission to send the body.
        var expectsPermission = false
        /// Whether the whole request has arrived.
        var isReceived = false
        var closesAfterwards = false
    }

    private let slices: InboundSlices
    /// The parts of a body that one slice had. They are passed on as one, because every part costs each of the other handlers a call.
    private var body: ByteBuffer?
    private let readiness: Readiness
    /// How long an idle connection stays open when the server stops.
    private let grace: TimeAmount
    /// How long a client may be silent.
    private let idleTimeout: TimeAmount
    /// When the last part of a request has arrived, or of a response was sent.
    private var lastActivity = NIODeadline.now()
    private var idleTimer: Scheduled<Void>?
    /// More than one when requests are pipelined.
    private var exchanges: [Exchange] = []
    private var isQuiescing = false
    /// Further requests are ignored.
    private var isClosing = false
    /// The end of a connection whose request was refused is due.
    private var isPausing = false
    /// The status of the response to a request that is not passed on; nil for one that cannot be parsed.
    private var refusal: HTTPResponseStatus?
    private var timer: Scheduled<Void>?

    /// A client that waits for permission to send a body gets it after this time, unless the request was refused before.
    private static let permissionDelay = TimeAmount.milliseconds(20)

    /// How long nothing is read from a client whose request was refused before it ended.
    private static let refusalPause = TimeAmount.milliseconds(250)

    /// How long the client may be silent before the inbound half is closed, too, and the maximum number of such periods.
    private static let lingerPeriod = TimeAmount.seconds(2)
    private static let lingerPeriods = 15

    init(slices: InboundSlices, readiness: Readiness, grace: TimeAmount, idleTimeout: TimeAmount) {
        self.slices = slices
        self.readiness = readiness
        self.grace = grace
        self.idleTimeout = idleTimeout
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !self.isClosing else { return }
        let part = self.unwrapInboundIn(data)
        self.slices.count(part)
        self.lastActivity = .now()
        switch part {
        case .head(let head):
            if let refusal = head.refusal { return self.refuse(refusal, context) }
            self.exchanges.append(
                Exchange(
                    version: head.version, keepsAlive: head.isKeepAlive, expectsPermission: head.expectsPermission))
            if self.exchanges.count == 1 { self.permitLater(context) }
        case .body(var content):
            if self.body?.writeBuffer(&content) == nil { self.body = content }
            return
        case .end:
            self.passBodyOn(context)
            if let last = self.exchanges.indices.last { self.exchanges[last].isReceived = true }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.passBodyOn(context)
        context.fireChannelReadComplete()
    }

    private func passBodyOn(_ context: ChannelHandlerContext) {
        guard let body else { return }
        self.body = nil
        if !self.isClosing { context.fireChannelRead(self.wrapInboundOut(.body(body))) }
    }

    /// Responds after the requests before it, and closes the connection.
    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        self.isClosing = true
        self.refusal = status
        self.fail(context, HTTPParserError.invalidHeaderToken)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The end of what is dropped is none of a request that needs a response.
        if !self.isClosing { self.fail(context, error) }
    }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        self.passBodyOn(context)
        // The decoder would report every slice that follows.
        self.slices.discard()
        context.fireErrorCaught(error)
    }

    /// Tells the client of the first exchange that it may send the body of its request, if it waits for that.
    private func permitLater(_ context: ChannelHandlerContext) {
        guard let exchange = self.exchanges.first, exchange.expectsPermission else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.permissionDelay) {
            // A response that has begun says that the connection ends. Later requests are told by themselves.
            guard let first = self.exchanges.first, first.expectsPermission, !first.isReceived, !first.closesAfterwards,
                context.channel.isActive
            else { return }
            self.exchanges[0].expectsPermission = false
            context.writeAndFlush(
                self.wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Not passed on, because other handlers would close the connection at once.
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        self.isQuiescing = true
        self.closeAfterGrace(context)
    }

    // MARK: - Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch self.unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code):
            guard self.exchanges.first.map({ $0.version >= .http1_1 }) ?? true else {
                promise?.succeed()  // HTTP/1.0 has no informational responses
                return
            }
            context.write(data, promise: promise)
        case .head(var head):
            self.prepare(&head)
            context.write(self.wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            self.end(context, data, promise)
        }
    }

    /// Decides whether the connection stays open after the response, and sets the header fields accordingly.
    private func prepare(_ head: inout HTTPResponseHead) {
        // A request that cannot be parsed has no exchange.
        let exchange = self.exchanges.first ?? Exchange(version: .http1_1, keepsAlive: false)
        if self.exchanges.isEmpty, let refusal { head.status = refusal }
        let isStopping = self.isQuiescing || self.readiness.isDraining
        // Pipelined requests were sent before the announcement, so only the response to the last one announces the end.
        var closes =
            !exchange.keepsAlive || !head.isKeepAlive || !exchange.isReceived
            || isStopping && self.exchanges.count == 1
        if exchange.version < .http1_1 {
            // Without chunked encoding, a body of unknown length ends with the connection.
            head.version = .http1_0
            closes = closes || !head.hasKnownLength
            head.headers.remove(name: "transfer-encoding")
            head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
        if closes { head.headers.replaceOrAdd(name: "connection", value: "close") }
        if self.exchanges.isEmpty { self.exchanges = [exchange] }
        self.exchanges[0].closesAfterwards = closes
    }

    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        self.lastActivity = .now()
        guard !self.exchanges.isEmpty else { return context.write(data, promise: promise) }
        let exchange = self.exchanges.removeFirst()
        guard exchange.closesAfterwards else {
            context.write(data, promise: promise)
            self.permitLater(context)
            return self.closeAfterGrace(context)
        }
        self.isClosing = true
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(data, promise: written)
        guard !exchange.isReceived, !exchange.expectsPermission else {
            return written.futureResult.assumeIsolated().whenComplete { _ in self.close(context) }
        }
        self.slices.halt()
        self.isPausing = true
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.schedule(context, in: Self.refusalPause) { self.close(context) }
        }
    }

    /// After an error, the other handlers close the connection at once.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard self.isPausing else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
    }

    // MARK: - Closing

    func handlerAdded(context: ChannelHandlerContext) {
        self.scheduleIdleCheck(context, in: self.idleTimeout)
    }

    private func scheduleIdleCheck(_ context: ChannelHandlerContext, in time: TimeAmount) {
        self.idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.closeIfIdle(context) }
    }

    private func closeIfIdle(_ context: ChannelHandlerContext) {
        guard !self.isClosing else { return }
        let isResponding = self.exchanges.last?.isReceived ?? false
        let rest = isResponding ? self.idleTimeout : self.lastActivity + self.idleTimeout - .now()
        if rest > .zero { self.scheduleIdleCheck(context, in: rest) } else { context.close(promise: nil) }
    }

    private func closeAfterGrace(_ context: ChannelHandlerContext) {
        guard self.isQuiescing, self.exchanges.isEmpty, !self.isClosing else { return }
        self.schedule(context, in: self.grace) {
            if self.exchanges.isEmpty, !self.isClosing { self.close(context) }
        }
    }

    private func close(_ context: ChannelHandlerContext) {
        (self.isClosing, self.isPausing) = (true, false)
        self.slices.discard()
        context.close(mode: .output, promise: nil)
        self.linger(context, periods: Self.lingerPeriods)
    }

    private func linger(_ context: ChannelHandlerContext, periods: Int) {
        let before = self.slices.receivedBytes
        self.schedule(context, in: Self.lingerPeriod) {
            if self.slices.receivedBytes > before, periods > 1 {
                self.linger(context, periods: periods - 1)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private func schedule(_ context: ChannelHandlerContext, in time: TimeAmount, _ task: @escaping () -> Void) {
        self.timer?.cancel()
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: time, task)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.cancelTimers()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.cancelTimers()
    }

    private func cancelTimers() {
        self.timer?.cancel()
        self.idleTimer?.cancel()
    }
}

extension HTTPResponseHead {
    /// Whether the client can determine the end of the response before the connection is closed.
    fileprivate var hasKnownLength: Bool {
        self.status == .noContent || self.status == .notModified || self.headers.contains(name: "content-length")
    }
}

extension HTTPVersion {
    static func < (left: HTTPVersion, right: HTTPVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    static func >= (left: HTTPVersion, right: HTTPVersion) -> Bool { !(left < right) }
}
