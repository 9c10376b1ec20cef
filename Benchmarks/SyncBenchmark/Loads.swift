import BenchmarkSupport
import Foundation
import IMDF

/// Measures requests per second, alternating with nginx that serves a file of the same size.
struct Loads {
    let environment: BenchmarkEnvironment
    let seconds: Int
    let rounds: Int

    func measure() async throws {
        guard let wrk = Tools.wrk else { return }
        let node = try await self.environment.node()
        let nginx = try await NginxServer(in: self.environment.folder)
        defer {
            node.stop()
            nginx?.stop()
        }
        let idle = node.program.memory.resident
        for (name, cursor) in [
            ("no-change poll", self.environment.cursors.second),
            ("small change set, cached", self.environment.cursors.first),
        ] {
            let path = "/venues/mall/sync?since=\(cursor)"
            let body = try await node.send("GET", path).body
            let file = try nginx?.serve(body, as: name.replacing(" ", with: "-"))
            var (ours, theirs): ([WrkResult], [WrkResult]) = ([], [])
            for _ in 0..<self.rounds {
                if let file, let nginx { theirs.append(try self.load(wrk, "http://127.0.0.1:\(nginx.port)\(file)")) }
                ours.append(try self.load(wrk, node.address + path))
            }
            let rate = ours.map(\.requestsPerSecond).median
            var line: JSONObject = [
                "name": .string(name), "bytes": .number(Double(body.count)), "requests_per_second": .rounded(rate),
                "p50_us": .rounded(ours.map(\.p50).median), "p99_us": .rounded(ours.map(\.p99).median),
                "errors": .number(Double(ours.reduce(0) { $0 + $1.errors })),
            ]
            if !theirs.isEmpty {
                let control = theirs.map(\.requestsPerSecond).median
                line["nginx_requests_per_second"] = .rounded(control)
                line["nginx_p99_us"] = .rounded(theirs.map(\.p99).median)
                line["ratio"] = .rounded(rate / control, decimals: 3)
            }
            report(line)
        }
        let memory = node.program.memory
        report([
            "name": "server memory under load", "idle_kib": .number(Double(idle)),
            "resident_kib": .number(Double(memory.resident)), "peak_kib": .number(Double(memory.peak)),
        ])
    }

    private func load(_ wrk: String, _ url: String) throws -> WrkResult {
        try WrkResult(of: wrk, url, connections: 64, seconds: self.seconds)
    }
}

/// The output of wrk.
struct WrkResult {
    /// Runs wrk with the key of the benchmark.
    init(of wrk: String, _ url: String, connections: Int, seconds: Int, headers: [String] = []) throws {
        let headers = (headers + ["Authorization: Bearer \(BenchmarkEnvironment.key)"]).flatMap { ["-H", $0] }
        self.init(
            try Program.output(
                of: wrk,
                ["-t1", "-c\(connections)", "-d\(seconds)s", "--latency", "--timeout", "30s"] + headers + [url]))
    }

    var requestsPerSecond = 0.0
    /// Microseconds.
    var p50 = 0.0
    var p99 = 0.0
    /// Responses without success, and broken connections.
    var errors = 0

    init(_ output: String) {
        for line in output.split(separator: "\n") {
            let fields = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let last = fields.last else { continue }
            if fields[0] == "Requests/sec:" { self.requestsPerSecond = Double(last) ?? 0 }
            if fields[0] == "50%" { self.p50 = Self.microseconds(last) }
            if fields[0] == "99%" { self.p99 = Self.microseconds(last) }
            if fields[0] == "Non-2xx" { self.errors += Int(last) ?? 0 }
            if line.contains("Socket errors:") {
                self.errors += fields.compactMap { Int($0.trimmingCharacters(in: [","])) }.reduce(0, +)
            }
        }
    }

    private static func microseconds(_ text: String) -> Double {
        let units: [(String, Double)] = [("us", 1), ("ms", 1_000), ("s", 1_000_000)]
        guard let (unit, scale) = units.first(where: { text.hasSuffix($0.0) }) else { return 0 }
        return (Double(text.dropLast(unit.count)) ?? 0) * scale
    }
}
