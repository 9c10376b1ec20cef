import BenchmarkSupport
import Foundation
import IMDF
import NIOHTTP1
import SyncModel

/// Measures snapshots of the large venue, compared with nginx that serves the same bytes from a file.
struct Snapshots {
    let environment: BenchmarkEnvironment
    let rounds: Int

    private static let limit = 50_000
    /// Concurrent clients while the memory of the server is measured.
    private static let clients = 8

    func measure() async throws {
        let node = try await self.environment.node()
        let nginx = try await NginxServer(in: self.environment.folder)
        defer {
            node.stop()
            nginx?.stop()
        }
        let before = node.program.memory.resident
        let first = "/venues/large/sync?limit=\(Self.limit)"
        let cold = try Fetch(first, port: node.port)
        let (paths, bodies) = try await Self.pages(of: node, from: first)
        let page = try nginx?.serve(bodies[0], as: "page")
        let all = try nginx?.serve(Array(bodies.joined()), as: "all")
        try self.compare("snapshot, first page", node, [first], nginx, page, cold: cold)
        try self.compare("snapshot, all pages", node, paths, nginx, all)
        let features = "/venues/large/revisions/1/features"
        try self.compare("snapshot, one FeatureCollection", node, [features], nginx, all)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.clients { group.addTask { [port = node.port] in try Self.read(paths, port: port) } }
            try await group.waitForAll()
        }
        let memory = node.program.memory
        report([
            "name": "server memory, snapshots", "clients": .number(Double(Self.clients)),
            "pages": .number(Double(paths.count)), "idle_kib": .number(Double(before)),
            "resident_kib": .number(Double(memory.resident)), "peak_kib": .number(Double(memory.peak)),
        ])
    }

    private static func pages(of node: Node, from first: String) async throws -> (paths: [String], bodies: [[UInt8]]) {
        var (paths, bodies): ([String], [[UInt8]]) = ([first], [])
        while true {
            bodies.append(try await node.send("GET", paths[paths.count - 1]).body)
            let page = try SyncPage(json: bodies[bodies.count - 1])
            if page.complete { return (paths, bodies) }
            paths.append("\(first)&since=\(page.cursor)")
        }
    }

    @discardableResult
    private static func read(_ paths: [String], port: Int) throws -> (first: Double, total: Double, bytes: Int) {
        let fetches = try paths.map { try Fetch($0, port: port) }
        return (
            fetches[0].firstByte.milliseconds, fetches.reduce(0) { $0 + $1.total.milliseconds },
            fetches.reduce(0) { $0 + $1.bytes }
        )
    }

    private func compare(
        _ name: String, _ node: Node, _ paths: [String], _ nginx: NginxServer?, _ file: String?, cold: Fetch? = nil
    ) throws {
        var (ours, theirs):
            ([(first: Double, total: Double, bytes: Int)], [(first: Double, total: Double, bytes: Int)]) = (
                [], []
            )
        for _ in 0..<self.rounds {
            if let nginx, let file { theirs.append(try Self.read([file], port: nginx.port)) }
            ours.append(try Self.read(paths, port: node.port))
        }
        var line: JSONObject = [
            "name": .string(name), "bytes": .number(Double(ours[0].bytes)),
            "first_byte_ms": .rounded(ours.map(\.first).median, decimals: 2),
            "total_ms": .rounded(ours.map(\.total).median, decimals: 2),
        ]
        if let cold { line["cold_first_byte_ms"] = .rounded(cold.firstByte.milliseconds, decimals: 2) }
        if !theirs.isEmpty {
            line["nginx_first_byte_ms"] = .rounded(theirs.map(\.first).median, decimals: 2)
            line["nginx_total_ms"] = .rounded(theirs.map(\.total).median, decimals: 2)
            line["nginx_bytes"] = .number(Double(theirs[0].bytes))
        }
        report(line)
    }
}

/// Compares a compressed change set with its bodies alone, compressed by `gzip -9`.
struct CompressedSize {
    let environment: BenchmarkEnvironment

    func measure() async throws {
        let node = try await self.environment.node()
        defer { node.stop() }
        let path = "/venues/mall/sync?since=\(self.environment.cursors.first)"
        let plain = try await node.send("GET", path).body
        // Another version's cursor may not be readable.
        guard let changeSet = try? ChangeSet(json: plain) else { return }
        let bodies = changeSet.blocks.flatMap(\.features)
        var line: JSONObject = [
            "name": "compressed change set", "features": .number(Double(bodies.count)),
            "plain_bytes": .number(Double(plain.count)),
        ]
        for coding in ["gzip", "br", "zstd"] {
            let response = try await node.send("GET", path, headers: [("Accept-Encoding", coding)])
            guard response.headers["Content-Encoding"].first == coding else { continue }
            line["\(coding)_bytes"] = .number(Double(response.body.count))
        }
        if let gzip = Tools.gzip {
            let file = self.environment.folder.appending(path: "bodies")
            try Data(bodies.joined(separator: [0x0A])).write(to: file)
            let size = try Program.output(of: "/bin/sh", ["-c", "\"$1\" -9 -n <\"$2\" | wc -c", "sh", gzip, file.path])
            if let alone = Double(size.trimmingCharacters(in: .whitespacesAndNewlines)) {
                line["bodies_gzip_9_bytes"] = .number(alone)
                if let ours = line["gzip_bytes"]?.number { line["ratio"] = .rounded(ours / alone, decimals: 3) }
            }
        }
        report(line)
    }
}
