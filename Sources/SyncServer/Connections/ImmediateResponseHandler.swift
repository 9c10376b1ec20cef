package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Answers requests whose response is kept without the task of the connection, which takes longer than everything else about them, and
/// lets requests wait without it, which takes more memory than everything else about them.
///
/// All others are passed on to the task, and so are the ones behind them until it has answered, and those of a client that does not
/// read what it is sent: the task waits for it, and reads no more requests meanwhile. A request that has waited is passed on, too.
package final class ImmediateResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let responder: any ImmediateResponses
    /// How many requests were passed on and have no complete response.
    private var passedOn = 0
    /// The response to the request whose end was not read yet.
    private var answer: ImmediateResponder.Answer?
    private var waiting: WaitingRequest?
    /// When the request arrived that has waited and is answered now.
    private(set) var arrival: ContinuousClock.Instant?

    package init(responder: any ImmediateResponses) {
        self.responder = responder
    }

    // MARK: - Requests

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head): self.decide(about: head, context)
        case .end:
            if let answer = self.answer {
                self.answer = nil
                return self.send(answer, context)
            }
            if let waiting = self.waiting { return self.beginWait(of: waiting, context) }
        case .body: break
        }
        if self.answer == nil, self.waiting == nil { context.fireChannelRead(data) }
    }

    private func decide(about head: HTTPRequest, _ context: ChannelHandlerContext) {
        // It has to be answered before those behind it.
        if let waiting = self.waiting { self.passOn(waiting, after: .changed, context) }
        if self.passedOn == 0, context.channel.isWritable {
            switch self.responder.decision(about: head, from: context.remoteAddress) {
            case .answer(let answer): return self.answer = answer
            case .wait(let wait):
                self.waiting = WaitingRequest(head, wait)
                if self.waiting != nil { return }
            case .passOn: break
            }
        }
        self.passedOn += 1
    }

    private func send(_ answer: ImmediateResponder.Answer, _ context: ChannelHandlerContext) {
        context.write(self.wrapOutboundOut(.head(answer.head)), promise: nil)
        if answer.body.readableBytes > 0 { context.write(self.wrapOutboundOut(.body(answer.body)), promise: nil) }
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    // MARK: - Waiting requests

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
        self.waiting = nil
        waiting.end?()
        self.passedOn += 1
        self.arrival = waiting.arrival
        context.fireChannelRead(self.wrapInboundOut(.head(waiting.head(after: outcome))))
        context.fireChannelRead(self.wrapInboundOut(.end(nil)))
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, let waiting = self.waiting {
            self.passOn(waiting, after: .closed, context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        self.abandon()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.abandon()
    }

    private func abandon() {
        let waiting = self.waiting
        self.waiting = nil
        waiting?.end?()
    }

    // MARK: - Responses

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) {
            self.passedOn -= 1
            self.arrival = nil
        }
        context.write(data, promise: promise)
    }
}

/// What an ``ImmediateResponseHandler`` needs of the server.
package protocol ImmediateResponses: Sendable {
    func decision(about head: HTTPRequest, from address: SocketAddress?) -> ImmediateResponder.Decision

    /// Lets a request wait without a task.
    ///
    /// - Parameter wake: Called once, on any thread.
    /// - Returns: Ends the wait before its time.
    func beginWait(
        _ wait: LongPolls.Wait, until deadline: ContinuousClock.Instant,
        _ wake: @escaping @Sendable (LongPolls.Outcome) -> Void
    ) -> @Sendable () -> Void
}
