import Hummingbird
import HummingbirdCore
import NIOCore

/// Limits the number of open connections. Further ones wait to be accepted until others are closed.
struct ConnectionLimit: AvailableConnectionsDelegate {
    let limit: Int
    let open: Gauge
    private var count = 0

    init(limit: Int, metrics: Metrics) {
        self.limit = limit
        self.open = metrics.gauge("venue_http_connections", help: "Open connections.")
    }

    mutating func connectionOpened() {
        self.count += 1
        self.open.add()
    }

    mutating func connectionClosed() {
        self.count -= 1
        self.open.subtract()
    }

    func isAcceptingNewConnections() -> Bool { self.count < self.limit }
}
