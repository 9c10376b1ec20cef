import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Lets requests wait without the task of the connection, which takes more memory than everything else about them.
///
/// A request that has waited is passed on to the task, and so is at once every request behind others that it has not answered.
package final class WaitingRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let responder: any ImmediateResponses
    /// How many requests were passed on and have no complete response.
    private var passedOn = 0
    private var waiting: WaitingRequest?
    /// When the request arrived that has waited and is answered now.
    private(set) var arrival: ContinuousClock.Instant?

    package init(responder: any ImmediateResponses) {
        self.responder = responder
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            // It has to be answered before those behind it.
            if let waiting = self.waiting { self.passOn(waiting, after: .changed, context) }
            if self.passedOn == 0, let wait = self.responder.wait(of: head, from: context.channel.remoteAddress) {
                self.waiting = WaitingRequest(head, wait)
            }
            if self.waiting == nil { self.passedOn += 1 }
        case .end:
            if let waiting = self.waiting { return self.beginWait(of: waiting, context) }
        case .body: break
        }
        if self.waiting == nil { context.fireChannelRead(data) }
    }

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
        self.abandon()
        self.passedOn += 1
        self.arrival = waiting.arrival
        context.fireChannelRead(self.wrapInboundOut(.head(waiting.head(after: outcome))))
        context.fireChannelRead(self.wrapInboundOut(.end(nil)))
    }

    private func abandon() {
        let waiting = self.waiting
        self.waiting = nil
        waiting?.end?()
    }

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
        self.abandon()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.abandon()
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) {
            self.passedOn -= 1
            self.arrival = nil
        }
        context.write(data, promise: promise)
    }
}
