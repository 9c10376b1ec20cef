package import NIOCore
package import NIOHTTP1

/// Passes what a client sends on to the HTTP decoder in slices, one in a turn of the event loop.
///
/// What a client sends costs by its parts and not by its bytes: 64 KiB may be one part of an archive, ten thousand chunks of one byte or two
/// thousand requests, and all connections of the loop would wait for them. So slices become smaller while they have many parts, and
/// nothing is read from the client before all slices are passed on. Only as few bytes as an ordinary request has are passed on without a turn.
package final class InboundSlices: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    /// In bytes. The smallest slice has some fifty chunks of one byte, or eight requests.
    private static let sizes = 256...(16 << 10)
    /// What is passed on at once if it is a slice or less, in bytes.
    private static let sizeWithoutTurn = 1 << 10
    /// A request costs as much as so many chunks.
    private static let costOfRequest = 16
    /// A slice that costs more is followed by a smaller one, one that costs less by a larger one.
    private static let costs = 16...64
    /// In bytes. So much of a slice in which no part ends costs as much as a chunk: it may be fields of trailers.
    private static let sizeOfField = 16
    /// The bytes of one request that may be neither its content nor as many as its content: its head, sizes and extensions of chunks, trailers.
    private static let maximumOverhead = 192 << 10

    /// A client whose request is dropped can send 64 KiB in this time.
    private static let pauseWhileDiscarding = TimeAmount.milliseconds(10)

    private let turns: EventLoopTurns
    private var pending = ByteBuffer()
    private var size = InboundSlices.sizeWithoutTurn
    /// The cost of the slice that is being decoded.
    private var cost = 0
    /// The bytes of the current request that were no content, less those that were.
    private var overhead = 0
    private var isScheduled = false
    /// What arrives is dropped, and nothing is read for it.
    private var isHalted = false
    /// What arrives is dropped, and read now and then.
    private var isDiscarding = false
    /// The client has closed its half of the connection, and not everything before that was passed on.
    private var hasUnreportedEnd = false
    /// The bytes that have arrived.
    private(set) var receivedBytes = 0
    /// Nil before the handler is added, and after the connection has ended.
    private var context: ChannelHandlerContext?

    package init(turns: EventLoopTurns) {
        self.turns = turns
    }

    /// Counts a part that the decoder has found in the current slice.
    package func count(_ part: HTTPServerRequestPart) {
        switch part {
        case .head:
            self.cost += Self.costOfRequest
            self.overhead = 0
        case .body(let content):
            self.cost += 1
            self.overhead -= 2 * content.readableBytes
        case .end:
            self.cost += 1
            self.overhead = 0
        }
    }

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Decodes nothing any more, and reads nothing until ``discard()``.
    func halt() {
        self.isHalted = true
        self.pending = ByteBuffer()
    }

    /// Decodes nothing any more. What still arrives is read now and then and dropped, because the connection is being closed, and a client that
    /// cannot send the rest of its request would not read the response. The other handlers do not ask for more any longer.
    package func discard() {
        (self.isHalted, self.isDiscarding) = (false, true)
        self.pending = ByteBuffer()
        if let context { self.read(context: context) }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        self.receivedBytes += bytes.readableBytes
        guard !self.isDiscarding, !self.isHalted else { return }
        guard self.pending.readableBytes == 0 else {
            self.pending.writeBuffer(&bytes)
            return
        }
        self.pending = bytes
        if bytes.readableBytes <= min(self.size, Self.sizeWithoutTurn) { self.passOn(context) }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if self.isDiscarding { self.read(context: context) }
    }

    private func passOn(_ context: ChannelHandlerContext) {
        guard let slice = self.pending.readSlice(length: min(self.size, self.pending.readableBytes)) else { return }
        if self.pending.readableBytes == 0 { self.pending = ByteBuffer() }
        self.cost = 0
        self.overhead += slice.readableBytes
        context.fireChannelRead(self.wrapInboundOut(slice))
        if self.cost == 0 { self.cost = slice.readableBytes / Self.sizeOfField }
        if self.cost > Self.costs.upperBound {
            self.size = max(self.size * Self.costs.upperBound / self.cost, Self.sizes.lowerBound)
        } else if self.cost < Self.costs.lowerBound {
            self.size = min(self.size * 2, Self.sizes.upperBound)
        }
        if self.overhead > Self.maximumOverhead, !self.isDiscarding {
            self.discard()
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        }
    }

    package func read(context: ChannelHandlerContext) {
        guard !self.isHalted else { return }
        guard self.isDiscarding || self.pending.readableBytes > 0 else { return context.read() }
        guard !self.isScheduled else { return }
        self.isScheduled = true
        guard self.isDiscarding else { return self.turns.next(in: context) { self.takeTurn($0) } }
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pauseWhileDiscarding) {
            if let context = self.context { self.takeTurn(context) }
        }
    }

    private func takeTurn(_ context: ChannelHandlerContext) {
        self.isScheduled = false
        guard !self.isHalted else { return }
        guard !self.isDiscarding else { return context.read() }
        self.passOn(context)
        context.fireChannelReadComplete()
        if self.pending.readableBytes == 0, self.hasUnreportedEnd {
            self.hasUnreportedEnd = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        // From the other end of the pipeline, whose handlers decide whether they can take more.
        context.channel.read()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed, self.pending.readableBytes > 0 else {
            return context.fireUserInboundEventTriggered(event)
        }
        self.hasUnreportedEnd = true
        // The system reports nothing any more that would be followed by a read.
        context.channel.read()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        self.discard()
        context.fireChannelInactive()
    }
}
