package import NIOCore
package import NIOHTTP1

/// Sends the responses that are known, and lets requests wait for a change, without the task of the connection, which takes more time and
/// memory than everything else about them.
///
/// It is in front of the codec that converts every request and parses its address as a URL, which takes longer than what is done here.
/// All other requests are passed on to the task, and so are those behind them until it has responded, those of a client that does not read
/// what it is sent, and requests that have waited, just as they were sent.
package final class ImmediateResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private final class WaitingRequest {
        let head: HTTPRequestHead
        let wait: LongPolls.Wait
        let arrival = ContinuousClock.now
        /// Ends the wait; nil before it has begun.
        var end: (@Sendable () -> Void)?

        var deadline: ContinuousClock.Instant { self.arrival + self.wait.timeout }

        init(_ head: HTTPRequestHead, _ wait: LongPolls.Wait) {
            self.head = head
            self.wait = wait
        }
    }

    private let responder: any ImmediateResponses
    /// How many requests were passed on and have no complete response.
    private var passedOn = 0
    /// The response to the request whose end was not read yet.
    private var response: ImmediateResponse?
    private var waiting: WaitingRequest?
    /// The wait of the request that was passed on and has no complete response.
    package private(set) var endedWait: EndedWait?

    package init(responder: any ImmediateResponses) {
        self.responder = responder
    }

    // MARK: - Requests

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            // The response to a request that waits comes before those to the requests behind it.
            if let waiting = self.waiting { self.passOn(waiting, after: .changed, context) }
            self.begin(head, context)
        case .end:
            if let response = self.response { return self.send(response, context) }
            if let waiting = self.waiting { return self.beginWait(of: waiting, context) }
        case .body: break
        }
        if self.response == nil, self.waiting == nil { context.fireChannelRead(data) }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if self.passedOn == 0, context.channel.isWritable {
            switch self.responder.outcome(of: head, from: context.channel.remoteAddress) {
            case .response(let response): return self.response = response
            case .wait(let wait): return self.waiting = WaitingRequest(head, wait)
            case nil: break
            }
        }
        self.passedOn += 1
    }

    private func send(_ response: ImmediateResponse, _ context: ChannelHandlerContext) {
        self.response = nil
        context.write(self.wrapOutboundOut(.head(response.head)), promise: nil)
        if response.body.readableBytes > 0 {
            context.write(self.wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) {
            self.passedOn -= 1
            self.endedWait = nil
        }
        context.write(data, promise: promise)
    }

    // MARK: - Waiting

    private func beginWait(of waiting: WaitingRequest, _ context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let this = NIOLoopBound((handler: self, waiting: waiting, context: context), eventLoop: loop)
        waiting.end = self.responder.beginWait(waiting.wait, until: waiting.deadline) { outcome in
            loop.execute {
                let (handler, waiting, context) = this.value
                guard handler.waiting === waiting else { return }
                handler.passOn(waiting, after: outcome, context)
                context.fireChannelReadComplete()
            }
        }
    }

    private func passOn(
        _ waiting: WaitingRequest, after outcome: LongPolls.Outcome, _ context: ChannelHandlerContext
    ) {
        self.abandonWait()
        self.passedOn += 1
        self.endedWait = EndedWait(arrival: waiting.arrival, deadline: waiting.deadline, outcome: outcome)
        context.fireChannelRead(self.wrapInboundOut(.head(waiting.head)))
        context.fireChannelRead(self.wrapInboundOut(.end(nil)))
    }

    private func abandonWait() {
        let waiting = self.waiting
        self.waiting = nil
        waiting?.end?()
    }

    // MARK: - The end of the connection

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, let waiting = self.waiting {
            self.passOn(waiting, after: .closed, context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // It arrived before what cannot be parsed.
        if let waiting = self.waiting { self.passOn(waiting, after: .closed, context) }
        context.fireErrorCaught(error)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        self.abandonWait()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.abandonWait()
    }
}

/// A response with its whole body.
package struct ImmediateResponse {
    package let head: HTTPResponseHead
    package let body: ByteBuffer

    package init(head: HTTPResponseHead, body: ByteBuffer) {
        self.head = head
        self.body = body
    }
}

/// The wait of a request that is passed on to the task of its connection.
package struct EndedWait: Hashable, Sendable {
    /// When the request arrived.
    package let arrival: ContinuousClock.Instant
    /// Until when it may wait, if what has changed does not concern it.
    package let deadline: ContinuousClock.Instant
    package let outcome: LongPolls.Outcome
}

/// What an ``ImmediateResponseHandler`` needs of the server.
package protocol ImmediateResponses: Sendable {
    /// Nil if the routes have to respond.
    func outcome(of head: HTTPRequestHead, from address: SocketAddress?) -> ImmediateOutcome?

    /// Lets a request wait.
    ///
    /// - Parameter wake: Called once, on any thread.
    /// - Returns: Ends the wait before its time.
    func beginWait(
        _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
        _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
    ) -> @Sendable () -> Void
}

/// What is known about a request before its parameters are read.
package enum ImmediateOutcome {
    case response(ImmediateResponse)
    /// Nothing has changed, and the request asks to wait for that.
    case wait(LongPolls.Wait)
}
