package import NIOCore
package import NIOHTTP1

/// Answers requests whose response is kept without the task of the connection, which takes longer than everything else about them.
///
/// All others are passed on to the task, and so are the ones behind them until it has answered, and those of a client that does not
/// read what it is sent: the task waits for it, and reads no more requests meanwhile.
package final class KeptResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private let responder: any ImmediateResponses
    private let maximumSilence: TimeAmount
    /// How many requests were passed on and have no complete response.
    private var passedOn = 0
    /// The response to the request whose end was not read yet.
    private var answer: ImmediateResponder.Answer?
    private var lastPassedOn = NIODeadline.now()

    /// - Parameter idleTimeout: A handler behind this one closes connections that are idle for so long. It is shown a request from time to
    ///   time.
    package init(responder: any ImmediateResponses, idleTimeout: TimeAmount) {
        self.responder = responder
        self.maximumSilence = .nanoseconds(idleTimeout.nanoseconds / 10)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            if self.passedOn == 0, context.channel.isWritable, .now() - self.lastPassedOn < self.maximumSilence {
                self.answer = self.responder.answer(to: head, from: context.channel.remoteAddress)
            }
            if self.answer == nil {
                self.passedOn += 1
                self.lastPassedOn = .now()
            }
        case .end:
            if let answer = self.answer {
                self.answer = nil
                return self.send(answer, context)
            }
        case .body: break
        }
        if self.answer == nil { context.fireChannelRead(data) }
    }

    private func send(_ answer: ImmediateResponder.Answer, _ context: ChannelHandlerContext) {
        context.write(self.wrapOutboundOut(.head(answer.head)), promise: nil)
        if answer.body.readableBytes > 0 {
            context.write(self.wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        }
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) { self.passedOn -= 1 }
        context.write(data, promise: promise)
    }
}
