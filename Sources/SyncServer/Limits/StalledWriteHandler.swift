package import NIOCore

/// Closes a connection whose other end takes next to nothing of what is sent to it, less than a kilobyte a second: the answer
/// would stay in memory, and the one who waits to write it too. However long an answer takes, a slow client that goes on gets it.
package final class StalledWriteHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Any

    private let patience: TimeAmount
    private let unsent: (any Channel) -> Int
    private var alarm: Scheduled<Void>?

    /// Bytes that have to be taken from one look to the next.
    private var pace: Int { Int(self.patience.nanoseconds * MinimumUploadRate.bytesPerSecond / 1_000_000_000) }

    /// - Parameter unsent: Bytes that wait to be sent.
    package init(patience: TimeAmount, unsent: @escaping (any Channel) -> Int = StalledWriteHandler.unsent(of:)) {
        self.patience = patience
        self.unsent = unsent
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.alarm?.cancel()
        self.alarm = nil
        if !context.channel.isWritable { self.look(at: context.channel, after: self.unsent(context.channel)) }
        context.fireChannelWritabilityChanged()
    }

    /// Looks again later. Until the channel can be written to again nothing is added, so what is unsent can only become less.
    private func look(at channel: any Channel, after before: Int) {
        self.alarm = channel.eventLoop.assumeIsolated().scheduleTask(in: self.patience) {
            let unsent = self.unsent(channel)
            if before - unsent >= self.pace {
                self.look(at: channel, after: unsent)
            } else {
                channel.close(promise: nil)
            }
        }
    }

    package static func unsent(of channel: any Channel) -> Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.alarm?.cancel()
        self.alarm = nil
    }
}
