import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers requests whose response is kept without the task of the connection, which takes longer than everything else about them.
///
/// All others are passed on to the task, and so are the ones behind them until it has answered, and those of a client that does not
/// read what it is sent: the task waits for it, and reads no more requests meanwhile.
final class ImmediateResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let responder: ImmediateResponder
    /// How many requests were passed on and have no complete response.
    private var passedOn = 0
    /// The response to the request whose end was not read yet.
    private var answer: ImmediateResponder.Answer?

    init(responder: ImmediateResponder) {
        self.responder = responder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            if self.passedOn == 0, context.channel.isWritable {
                self.answer = self.responder.answer(to: head, from: context.remoteAddress)
            }
            if self.answer == nil { self.passedOn += 1 }
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
        if answer.body.readableBytes > 0 { context.write(self.wrapOutboundOut(.body(answer.body)), promise: nil) }
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) { self.passedOn -= 1 }
        context.write(data, promise: promise)
    }
}
