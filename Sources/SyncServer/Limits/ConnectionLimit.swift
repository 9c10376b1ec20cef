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
