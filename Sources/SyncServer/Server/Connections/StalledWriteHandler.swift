package import NIOCore

/// Closes a connection whose client reads less than a kilobyte per second of what is sent to it, because the response and the task
/// that writes it would stay in memory. A slow client that keeps reading receives its response, however long it takes.
package final class StalledWriteHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Any

    private let timeout: TimeAmount
    private let unsentBytes: (any Channel) -> Int
    private var check: Scheduled<Void>?

    /// The bytes that the client must read between two checks.
    private var minBytes: Int { Int(self.timeout.nanoseconds * MinimumUploadRate.bytesPerSecond / 1_000_000_000) }

    /// - Parameters:
    ///   - timeout: The interval of the checks.
    ///   - unsentBytes: Returns the bytes that wait to be sent.
    package init(
        timeout: TimeAmount, unsentBytes: @escaping (any Channel) -> Int = StalledWriteHandler.unsentBytes(of:)
    ) {
        self.timeout = timeout
        self.unsentBytes = unsentBytes
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.check?.cancel()
        self.check = nil
        if !context.channel.isWritable {
            self.scheduleCheck(of: context.channel, before: self.unsentBytes(context.channel))
        }
        context.fireChannelWritabilityChanged()
    }

    /// While the channel is not writable nothing is added, so the number of unsent bytes can only decrease.
    private func scheduleCheck(of channel: any Channel, before: Int) {
        self.check = channel.eventLoop.assumeIsolated().scheduleTask(in: self.timeout) {
            let unsent = self.unsentBytes(channel)
            if before - unsent >= self.minBytes {
                self.scheduleCheck(of: channel, before: unsent)
            } else {
                channel.close(promise: nil)
            }
        }
    }

    package static func unsentBytes(of channel: any Channel) -> Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.check?.cancel()
        self.check = nil
    }
}
