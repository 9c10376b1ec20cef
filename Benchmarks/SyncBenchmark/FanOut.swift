import BenchmarkSupport
import Foundation
import IMDF
import LoopbackHTTP
import NIOCore
import NIOHTTP1
import SyncModel

/// Measures the time from a publication to the last of many listeners, compared with nchan.
///
/// For VenueSync the time is counted from `published_at`, which is read before the commit, and from the request that publishes; for
/// nchan from the request.
struct FanOut {
    let environment: BenchmarkEnvironment
    let listeners: Int
    let publishes: Int

    func measure() async throws {
        try await self.measureEvents()
        guard Tools.nchan != nil, let nginx = try await NginxServer(in: self.environment.folder) else { return }
        defer { nginx.stop() }
        try await self.measureChannel(of: nginx)
    }

    private func measureEvents() async throws {
        let node = try await self.environment.node()
        defer { node.stop() }
        let group = try Listeners(self.listeners, at: "/events", port: node.port)
        defer { group.stop() }
        guard group.refused == 0 else {
            return report(["name": "fan-out: /events", "refused": .number(Double(group.refused))])
        }
        // A warm-up that is not counted: statements are prepared and connections opened.
        _ = try await node.rollBack(to: 1)
        _ = try group.wait(for: 1)
        var timing = Timing()
        for number in 0..<self.publishes {
            let requested = Self.now
            let revision = try await node.rollBack(to: number.isMultiple(of: 2) ? 2 : 1)
            let arrival = try group.wait(for: number + 2)
            timing.add(arrival, requested: requested, published: revision.publishedAt.timeIntervalSince1970 * 1_000_000)
        }
        report(timing.line("fan-out: /events", listeners: self.listeners))
    }

    private func measureChannel(of nginx: NginxServer) async throws {
        let group = try Listeners(self.listeners, at: "/listen", port: nginx.port)
        defer { group.stop() }
        try await Self.publish(at: nginx)
        _ = try group.wait(for: 1)
        var timing = Timing()
        for number in 0..<self.publishes {
            let requested = Self.now
            try await Self.publish(at: nginx)
            timing.add(try group.wait(for: number + 2), requested: requested, published: nil)
        }
        report(timing.line("fan-out: nchan", listeners: self.listeners))
    }

    /// Publishes a message with the size of an event of VenueSync.
    private static func publish(at nginx: NginxServer) async throws {
        let levels = Array(repeating: "\"00000000-0000-4000-8000-000000000000\"", count: 4).joined(separator: ",")
        let message = #"{"venue":"mall","revision":12,"kind":"upload","levels":[\#(levels)],"position":1207}"#
        let response = try await LoopbackClient.shared.open(
            .POST, "http://127.0.0.1:\(nginx.port)", "/publish", body: Array(message.utf8), timeout: .seconds(30))
        _ = try await response.bytes()
        guard (200..<300).contains(response.status) else {
            throw BenchmarkEnvironment.Refused(path: "/publish", status: response.status)
        }
    }

    /// Microseconds since 1970.
    private static var now: Double { Date().timeIntervalSince1970 * 1_000_000 }

    private struct Timing {
        private var (median, last, lastFromRequest): ([Double], [Double], [Double]) = ([], [], [])
        private var received: [Int] = []

        mutating func add(_ arrival: Listeners.Arrival, requested: Double, published: Double?) {
            self.median.append((arrival.median - (published ?? requested)) / 1_000)
            if published != nil { self.last.append((arrival.last - (published ?? requested)) / 1_000) }
            self.lastFromRequest.append((arrival.last - requested) / 1_000)
            self.received.append(arrival.count)
        }

        func line(_ name: String, listeners: Int) -> JSONObject {
            var line: JSONObject = [
                "name": .string(name), "listeners": .number(Double(listeners)),
                "publishes": .number(Double(self.received.count)),
                "missed": .number(Double(self.received.reduce(0) { $0 + listeners - $1 })),
                "median_listener_ms": .rounded(self.median.median, decimals: 2),
                "last_from_request_p50_ms": .rounded(self.lastFromRequest.median, decimals: 2),
                "last_from_request_p99_ms": .rounded(self.lastFromRequest.percentile(99), decimals: 2),
            ]
            if !self.last.isEmpty {
                line["last_p50_ms"] = .rounded(self.last.median, decimals: 2)
                line["last_p99_ms"] = .rounded(self.last.percentile(99), decimals: 2)
            }
            return line
        }
    }
}
