import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

/// Measures whole snapshots for 32 clients, uncompressed and with gzip, alternating with nginx that sends the same bytes from
/// files: on a database without statistics, as in the first minute after an import, and on an analysed one.
struct SnapshotLoads {
    let environment: BenchmarkEnvironment
    let levels: Int
    let seconds: Int
    let rounds: Int

    private static let clients = 32
    private static let path = "/venues/mall/sync?limit=50000"

    func measure() async throws {
        guard let wrk = Tools.wrk, Tools.psql != nil else { return }
        let sample = SampleVenue(.init(levels: self.levels, unitsPerLevel: 250, seed: 7))
        for isAnalysed in [false, true] {
            try await self.environment.withDatabase(of: sample, isAnalysed: isAnalysed) { node in
                guard let nginx = try await NginxServer(in: self.environment.folder) else { return }
                defer { nginx.stop() }
                let name = "whole snapshots, \(isAnalysed ? "analysed" : "fresh")"
                for coding in [nil, "gzip"] {
                    var line = try await self.compare(node, nginx, wrk, coding)
                    line["name"] = .string("\(name), \(coding ?? "plain")")
                    line["features"] = .number(Double(sample.features.count))
                    report(line)
                }
            }
        }
    }

    private func compare(_ node: Node, _ nginx: NginxServer, _ wrk: String, _ coding: String?) async throws
        -> JSONObject
    {
        let cold = try Fetch(Self.path, port: node.port, accepting: coding)
        let body = try await node.send("GET", Self.path, headers: coding.map { [("Accept-Encoding", $0)] } ?? []).body
        let file = try coding == nil ? nginx.serve(body, as: "all") : nginx.serve(body, gzip: body, as: "coded")
        var (ours, theirs, first): ([WrkResult], [WrkResult], [Double]) = ([], [], [])
        for _ in 0..<self.rounds {
            theirs.append(try self.load(wrk, nginx.port, file, coding))
            ours.append(try self.load(wrk, node.port, Self.path, coding))
            for _ in 0..<7 {
                first.append(try Fetch(Self.path, port: node.port, accepting: coding).firstByte.milliseconds)
            }
        }
        let load = Task.detached { [port = node.port] in try self.load(wrk, port, Self.path, coding) }
        try await Task.sleep(for: .milliseconds(300))
        var underLoad: [Double] = []
        for _ in 0..<15 {
            underLoad.append(try Fetch(Self.path, port: node.port, accepting: coding).firstByte.milliseconds)
        }
        ours.append(try await load.value)
        let (rate, control) = (ours.map(\.requestsPerSecond).median, theirs.map(\.requestsPerSecond).median)
        let memory = node.program.memory
        return [
            "clients": .number(Double(Self.clients)), "bytes": .number(Double(body.count)),
            "requests_per_second": .rounded(rate), "nginx_requests_per_second": .rounded(control),
            "ratio": .rounded(rate / control, decimals: 3),
            "errors": .number(Double(ours.reduce(0) { $0 + $1.errors })),
            "cold_first_byte_ms": .rounded(cold.firstByte.milliseconds, decimals: 2),
            "cold_total_ms": .rounded(cold.total.milliseconds, decimals: 2),
            "first_byte_ms": .rounded(first.median, decimals: 2),
            "first_byte_under_load_ms": .rounded(underLoad.median, decimals: 2),
            "resident_kib": .number(Double(memory.resident)), "peak_kib": .number(Double(memory.peak)),
        ]
    }

    private func load(_ wrk: String, _ port: Int, _ path: String, _ coding: String?) throws -> WrkResult {
        try WrkResult(
            of: wrk, "http://127.0.0.1:\(port)\(path)", connections: Self.clients, seconds: self.seconds,
            headers: coding.map { ["Accept-Encoding: \($0)"] } ?? [])
    }
}
