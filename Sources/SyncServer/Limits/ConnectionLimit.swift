import Hummingbird
import HummingbirdCore
import NIOCore

/// Counts connections, and accepts no more than so many: the next ones wait until others are closed.
struct ConnectionLimit: AvailableConnectionsDelegate {
    let most: Int
    /// For those who watch.
    let open: Gauge
    private var count = 0

    init(most: Int, metrics: Metrics) {
        self.most = most
        self.open = metrics.gauge("venue_http_connections", help: "Connections that are open.")
    }

    mutating func connectionOpened() {
        self.count += 1
        self.open.add()
    }

    mutating func connectionClosed() {
        self.count -= 1
        self.open.subtract()
    }

    func isAcceptingNewConnections() -> Bool { self.count < self.most }
}

/// Closes a connection whose other end takes nothing of what is sent to it for so long: the answer would stay in memory, and
/// the one who waits to write it too.
final class StalledWriteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let patience: TimeAmount
    private var alarm: Scheduled<Void>?

    init(patience: TimeAmount) {
        self.patience = patience
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.alarm?.cancel()
        self.alarm = nil
        if !context.channel.isWritable {
            let channel = context.channel
            self.alarm = context.eventLoop.scheduleTask(in: self.patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.alarm?.cancel()
        self.alarm = nil
    }
}
