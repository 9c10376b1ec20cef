import Foundation
import HTTPTypes
import Hummingbird
import RevisionStore
import SyncModel

/// The metrics of the server for Prometheus. They contain no venue, key or client, so no key is required.
struct MetricsRoutes: Sendable {
    let metrics: Metrics
    let requestMetrics: RequestMetrics
    let queueSizes: UploadQueueSizes

    init(metrics: Metrics, requestMetrics: RequestMetrics, queueSizes: UploadQueueSizes) {
        let connections = queueSizes.store.connections
        self.metrics = metrics
        self.requestMetrics = requestMetrics
        self.queueSizes = queueSizes
        metrics.reading("venue_database_connections_max", help: "The maximum number of open connections.") {
            Double(connections.limit)
        }
        metrics.reading("venue_database_connections_in_use", help: "Connections in use.") {
            Double(connections.inUse)
        }
        metrics.reading("venue_database_waiting", help: "Requests that wait for a connection.") {
            Double(connections.waiting)
        }
        let start = Date().timeIntervalSince1970.rounded()
        metrics.reading(
            "process_start_time_seconds", help: "Start time of the process, in seconds since the Unix epoch."
        ) { start }
        metrics.reading("process_resident_memory_bytes", help: "Resident memory of the process.") {
            Self.residentMemory()
        }
    }

    func add(to routes: RouteGroups) {
        routes.open.get("metrics", use: self.read)
    }

    /// `GET /metrics`
    @Sendable func read(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let counts = await self.queueSizes.counts()
        var text = PrometheusText()
        self.metrics.write(to: &text)
        self.requestMetrics.write(to: &text)
        text.family("venue_database_up", .gauge, "Whether the database returned the number of uploads.")
        text.sample("venue_database_up", counts == nil ? 0 : 1)
        if let counts {
            text.family("venue_uploads", .gauge, "Unfinished uploads by state.")
            for state in [Upload.State.received, .processing, .staged] {
                text.sample("venue_uploads", ["state": state.rawValue], Double(counts[state] ?? 0))
            }
        }
        return try Response.bytes(Array(text.text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
            .cached("no-store", isPublic: false)
    }

    /// The second number in this file, which only Linux has, is the number of resident pages.
    private static func residentMemory() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
