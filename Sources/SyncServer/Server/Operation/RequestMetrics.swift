import HTTPTypes
import Hummingbird
import Synchronization

/// Metrics of requests by route and never by path, so that clients cannot create series.
///
/// The metrics of a route are found in a table that never changes, and recording takes no lock.
final class RequestMetrics: Sendable {
    private struct Endpoint: Hashable {
        let route: String
        let method: String
    }

    private final class Table: Sendable {
        let endpoints: [Endpoint: EndpointMetrics]

        init(_ endpoints: [Endpoint: EndpointMetrics]) {
            self.endpoints = endpoints
        }
    }

    let inProgress: Gauge
    private let table = AtomicLazyReference<Table>()
    /// The metrics of requests that no route matches.
    private let unmatched = EndpointMetrics(route: "", method: "")

    init(metrics: Metrics) {
        self.inProgress = metrics.gauge(
            "venue_http_requests_in_progress", help: "Requests that are being processed, including those that wait.")
    }

    /// Registers the routes of the router; once, before the first request.
    func register(routes: [(path: RouterPath, method: HTTPRequest.Method)]) {
        var endpoints = Set(routes.map { Endpoint(route: $0.path.description, method: $0.method.rawValue) })
        // The router derives HEAD from GET without listing it.
        endpoints.formUnion(endpoints.filter { $0.method == "GET" }.map { Endpoint(route: $0.route, method: "HEAD") })
        let metrics = endpoints.map { ($0, EndpointMetrics(route: $0.route, method: $0.method)) }
        _ = self.table.storeIfNil(Table(Dictionary(uniqueKeysWithValues: metrics)))
    }

    /// - Parameter route: Nil for a request that no route matches.
    func endpoint(_ route: String?, _ method: HTTPRequest.Method) -> EndpointMetrics {
        guard let route, let table = self.table.load() else { return self.unmatched }
        return table.endpoints[Endpoint(route: route, method: method.rawValue)] ?? self.unmatched
    }

    func write(to text: inout PrometheusText) {
        let endpoints = ((self.table.load()?.endpoints.values.map(\.self) ?? []) + [self.unmatched])
            .filter { $0.count > 0 }
            .sorted { ($0.route, $0.method) < ($1.route, $1.method) }
        text.family("venue_http_requests_total", .counter, "Processed requests.")
        for endpoint in endpoints { endpoint.writeCounts(to: &text) }
        text.family(
            "venue_http_request_duration_seconds", .histogram, "The time from the head of a request to its last byte.")
        for endpoint in endpoints { endpoint.writeDurations(to: &text) }
        text.family("venue_http_response_bytes_total", .counter, "Bytes of response bodies that were sent.")
        for endpoint in endpoints {
            text.sample(
                "venue_http_response_bytes_total", ["route": endpoint.route, "method": endpoint.method],
                Double(endpoint.bytes.value))
        }
    }
}

/// The metrics of one route and method.
final class EndpointMetrics: Sendable {
    let route: String
    let method: String
    let bytes = Counter()
    /// By the first digit of the status; 0 for an invalid status.
    private let statuses = (0...5).map { _ in Counter() }
    private let buckets = (0...EndpointMetrics.bounds.count).map { _ in Counter() }
    private let microseconds = Counter()

    /// Upper bounds of the buckets in seconds. A long poll may take a minute.
    private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60]
    private static let microsecondBounds = EndpointMetrics.bounds.map { Int($0 * 1e6) }

    init(route: String, method: String) {
        self.route = route
        self.method = method
    }

    func record(status: Int, bytes: Int, duration: Duration) {
        self.statuses[(1...5).contains(status / 100) ? status / 100 : 0].add()
        self.bytes.add(bytes)
        let microseconds = Int(
            clamping: duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000)
        self.microseconds.add(microseconds)
        let bucket = Self.microsecondBounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        self.buckets[bucket].add()
    }

    var count: Int { self.statuses.reduce(0) { $0 + $1.value } }

    func writeCounts(to text: inout PrometheusText) {
        for (digit, counter) in self.statuses.enumerated() where counter.value > 0 {
            text.sample(
                "venue_http_requests_total",
                ["route": self.route, "method": self.method, "status": digit == 0 ? "other" : "\(digit)xx"],
                Double(counter.value))
        }
    }

    func writeDurations(to text: inout PrometheusText) {
        let name = "venue_http_request_duration_seconds"
        var total = 0
        for (index, bucket) in self.buckets.enumerated() {
            total += bucket.value
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            text.sample("\(name)_bucket", ["route": self.route, "method": self.method, "le": bound], Double(total))
        }
        let labels: KeyValuePairs = ["route": self.route, "method": self.method]
        text.sample("\(name)_sum", labels, Double(self.microseconds.value) / 1e6)
        // The sum of the buckets, so that the two are always equal.
        text.sample("\(name)_count", labels, Double(total))
    }
}
