package import NIOCore
package import NIOHTTPTypes

/// Passes on one request of a connection at a time to its task: those that were sent before its response wait until the response is complete,
/// and then for a turn of the event loop. Otherwise a few clients that send thousands of requests at once would keep the loop busy, which looks for
/// events of other connections only when nothing is ready. Nothing more is read meanwhile. Requests to which an
/// ``ImmediateResponseHandler`` responds have no task and cost little; how many of them are due at once is bounded by ``InboundSlices``.
package final class RequestTurns: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private enum Event {
        case part(HTTPRequestPart)
        case error(any Error)
        /// The client sends nothing more.
        case end

        var isHead: Bool { if case .part(.head) = self { true } else { false } }
    }

    private let turns: EventLoopTurns
    /// What waits, at most a slice of what the client has sent.
    private var waiting: CircularBuffer<Event> = []
    /// Whether a request was passed on whose response is not complete.
    private var isResponding = false
    private var isScheduled = false

    package init(turns: EventLoopTurns) {
        self.turns = turns
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.receive(.part(self.unwrapInboundIn(data)), context)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.receive(.error(error), context)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        self.receive(.end, context)
    }

    private func receive(_ event: Event, _ context: ChannelHandlerContext) {
        if !self.waiting.isEmpty || self.isResponding && event.isHead {
            self.waiting.append(event)
        } else {
            self.passOn(event, context)
        }
    }

    private func passOn(_ event: Event, _ context: ChannelHandlerContext) {
        switch event {
        case .part(let part):
            if event.isHead { self.isResponding = true }
            context.fireChannelRead(self.wrapInboundOut(part))
        case .error(let error): context.fireErrorCaught(error)
        case .end: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) {
            self.isResponding = false
            if !self.waiting.isEmpty { self.waitForTurn(context) }
        }
        context.write(data, promise: promise)
    }

    private func waitForTurn(_ context: ChannelHandlerContext) {
        guard !self.isScheduled else { return }
        self.isScheduled = true
        self.turns.next(in: context) { self.takeTurn($0) }
    }

    private func takeTurn(_ context: ChannelHandlerContext) {
        self.isScheduled = false
        while let event = self.waiting.first, !self.isResponding || !event.isHead {
            self.waiting.removeFirst()
            self.passOn(event, context)
        }
        context.fireChannelReadComplete()
        if self.waiting.isEmpty { context.channel.read() }
    }

    package func read(context: ChannelHandlerContext) {
        if self.waiting.isEmpty { context.read() }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        self.waiting = []
        context.fireChannelInactive()
    }
}
