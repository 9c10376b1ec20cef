import Foundation
import HTTPTypes
import Hummingbird
import RevisionStore
import SyncModel

/// What the server tells a monitoring system. Nothing in it names a venue, a key or a client, so that no key is asked for.
struct MetricsRoutes {
    let metrics: Metrics
    let meter: RequestMetrics
    let queue: QueueReading

    init(metrics: Metrics, meter: RequestMetrics, store: RevisionStore) {
        self.metrics = metrics
        self.meter = meter
        self.queue = QueueReading(store: store)
        metrics.reading("venue_database_connections_max", help: "Connections that may be open at once.") {
            Double(store.connections.limit)
        }
        metrics.reading("venue_database_connections_in_use", help: "Connections that are lent.") {
            Double(store.connections.inUse)
        }
        metrics.reading("venue_database_waiting", help: "Requests that wait for a connection.") {
            Double(store.connections.waiting)
        }
        let start = Date().timeIntervalSince1970.rounded()
        metrics.reading("process_start_time_seconds", help: "When the server was started.") { start }
        metrics.reading("process_resident_memory_bytes", help: "Memory of the process.") { Self.residentMemory() }
    }

    func add(to router: Router<VenueContext>) {
        router.get("metrics", use: self.read)
    }

    /// `GET /metrics`
    @Sendable func read(_ request: Request, _ context: VenueContext) async throws -> Response {
        let counts = await self.queue.counts()
        var text = PrometheusText()
        self.metrics.write(to: &text)
        self.meter.write(to: &text)
        text.family("venue_database_up", .gauge, "Whether the database told how many uploads there are.")
        text.sample("venue_database_up", counts == nil ? 0 : 1)
        if let counts {
            text.family("venue_uploads", .gauge, "Uploads that are not finished.")
            for state in [Upload.State.received, .processing, .staged] {
                text.sample("venue_uploads", ["state": state.rawValue], Double(counts[state] ?? 0))
            }
        }
        return Response.bytes(Array(text.text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
            .cached("no-store", isPublic: false)
    }

    /// The second number of this file counts pages. There is no such file but on Linux.
    private static func residentMemory() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
