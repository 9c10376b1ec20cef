import AsyncHTTPClient
import BenchmarkSupport
import Foundation
import IMDF
import NIOCore
import NIOHTTP1
import SyncModel

/// From a publish to the last of many listeners, beside nchan.
///
/// Ours counts from `published_at`, which is read before the commit, and from the request that publishes; nchan's from the request.
struct FanOut {
    let stage: Stage
    let listeners: Int
    let publishes: Int

    func measure() async throws {
        try await self.measureEvents()
        guard Tools.nchan != nil, let nginx = try await NginxServer(in: self.stage.folder) else { return }
        defer { nginx.stop() }
        try await self.measureChannel(of: nginx)
    }

    private func measureEvents() async throws {
        let node = try await self.stage.node()
        defer { node.stop() }
        let crowd = try Listeners(self.listeners, at: "/events", port: node.port)
        defer { crowd.stop() }
        guard crowd.refused == 0 else {
            return report(["name": "fan-out: /events", "refused": .number(Double(crowd.refused))])
        }
        // One that is not counted: statements are prepared, connections are opened.
        _ = try await node.rollBack(to: 1)
        _ = try crowd.hear(of: 1)
        var timing = Timing()
        for number in 0..<self.publishes {
            let asked = Self.now
            let revision = try await node.rollBack(to: number.isMultiple(of: 2) ? 2 : 1)
            let hearing = try crowd.hear(of: number + 2)
            timing.add(hearing, asked: asked, published: revision.publishedAt.timeIntervalSince1970 * 1_000_000)
        }
        report(timing.line("fan-out: /events", listeners: self.listeners))
    }

    private func measureChannel(of nginx: NginxServer) async throws {
        let crowd = try Listeners(self.listeners, at: "/listen", port: nginx.port)
        defer { crowd.stop() }
        try await Self.publish(at: nginx)
        _ = try crowd.hear(of: 1)
        var timing = Timing()
        for number in 0..<self.publishes {
            let asked = Self.now
            try await Self.publish(at: nginx)
            timing.add(try crowd.hear(of: number + 2), asked: asked, published: nil)
        }
        report(timing.line("fan-out: nchan", listeners: self.listeners))
    }

    /// As many bytes as one of our events has.
    private static func publish(at nginx: NginxServer) async throws {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(nginx.port)/publish")
        request.method = .POST
        let levels = Array(repeating: "\"00000000-0000-4000-8000-000000000000\"", count: 4).joined(separator: ",")
        request.body = .bytes(
            Array(#"{"venue":"mall","revision":12,"kind":"upload","levels":[\#(levels)],"position":1207}"#.utf8))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        _ = try await response.body.collect(upTo: 1 << 16)
        guard (200..<300).contains(response.status.code) else {
            throw Stage.Refused(path: "/publish", status: response.status.code)
        }
    }

    /// Microseconds since 1970.
    private static var now: Double { Date().timeIntervalSince1970 * 1_000_000 }

    private struct Timing {
        private var (median, last, lastFromRequest): ([Double], [Double], [Double]) = ([], [], [])
        private var heard: [Int] = []

        mutating func add(_ hearing: Listeners.Hearing, asked: Double, published: Double?) {
            self.median.append((hearing.median - (published ?? asked)) / 1_000)
            if published != nil { self.last.append((hearing.last - (published ?? asked)) / 1_000) }
            self.lastFromRequest.append((hearing.last - asked) / 1_000)
            self.heard.append(hearing.count)
        }

        func line(_ name: String, listeners: Int) -> JSONObject {
            var line: JSONObject = [
                "name": .string(name), "listeners": .number(Double(listeners)),
                "publishes": .number(Double(self.heard.count)),
                "missed": .number(Double(self.heard.reduce(0) { $0 + listeners - $1 })),
                "median_listener_ms": .figure(self.median.median, places: 2),
                "last_from_request_p50_ms": .figure(self.lastFromRequest.median, places: 2),
                "last_from_request_p99_ms": .figure(self.lastFromRequest.percentile(99), places: 2),
            ]
            if !self.last.isEmpty {
                line["last_p50_ms"] = .figure(self.last.median, places: 2)
                line["last_p99_ms"] = .figure(self.last.percentile(99), places: 2)
            }
            return line
        }
    }
}
