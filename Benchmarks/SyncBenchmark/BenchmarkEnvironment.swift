import BenchmarkSupport
import EmbeddedPostgres
import Foundation
import IMDF
import LoopbackHTTP
import NIOHTTP1
import SampleVenue
import SyncModel

/// A database with a small and a large venue, and nodes that are started for each measurement.
struct BenchmarkEnvironment {
    static let key = "the benchmark's key"

    let folder: URL
    let venue: String
    let databaseURL: String
    /// The cursors of the first and the second revision of the small venue.
    let cursors: (first: String, second: String)

    static func run(venue: String, levels: Int, _ body: (BenchmarkEnvironment) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-sync-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try await EmbeddedPostgres.start(in: folder.path + "/data")
        do {
            _ = try Program.output(of: venue, ["migrate"], environment: ["VENUE_DATABASE_URL": database.databaseURL])
            let cursors = try await Self.fill(venue: venue, databaseURL: database.databaseURL, levels: levels)
            try await body(
                BenchmarkEnvironment(folder: folder, venue: venue, databaseURL: database.databaseURL, cursors: cursors))
            await database.stop()
        } catch {
            await database.stop()
            throw error
        }
    }

    private static func fill(
        venue: String, databaseURL: String, levels: Int
    ) async throws -> (first: String, second: String) {
        let node = try await Node(venue: venue, databaseURL: databaseURL)
        let worker = try Program(venue, ["work"], environment: ["VENUE_DATABASE_URL": databaseURL])
        defer {
            worker.stop()
            node.stop()
        }
        let small = SampleVenue()
        var next = small
        _ = next.apply(try Edit.parse(list: "rename=10,move=5,hours=5"), seed: 11)
        try await node.publish(small, to: "mall")
        let first = try await node.page("/venues/mall/sync").cursor
        try await node.publish(next, to: "mall")
        let second = try await node.page("/venues/mall/sync?since=\(first)").cursor
        let large = SampleVenue(.init(levels: levels, unitsPerLevel: 250, seed: 7))
        try await node.publish(large, to: "large")
        report([
            "name": "venues", "small": .number(Double(small.features.count)),
            "large": .number(Double(large.features.count)),
        ])
        return (first, second)
    }

    /// Runs a node on a new database with one venue, without statistics or analysed.
    func withDatabase(of sample: SampleVenue, isAnalysed: Bool, _ body: (Node) async throws -> Void) async throws {
        let database = try await EmbeddedPostgres.start(in: self.folder.path + "/data-\(isAnalysed)")
        do {
            let url = database.databaseURL
            try Tools.execute("ALTER SYSTEM SET autovacuum = off; SELECT pg_reload_conf()", in: url)
            let environment = ["VENUE_DATABASE_URL": url]
            _ = try Program.output(of: self.venue, ["migrate"], environment: environment)
            let worker = try Program(self.venue, ["work"], environment: environment)
            defer { worker.stop() }
            let node = try await Node(venue: self.venue, databaseURL: url)
            defer { node.stop() }
            try await node.publish(sample, to: "mall")
            if isAnalysed { try Tools.execute("ANALYZE", in: url) }
            try await body(node)
            await database.stop()
        } catch {
            await database.stop()
            throw error
        }
    }

    /// Starts a node; its caches are empty.
    func node() async throws -> Node {
        try await Node(venue: self.venue, databaseURL: self.databaseURL)
    }

    /// A request that was not successful.
    struct Refused: Error {
        let path: String
        let status: Int
    }
}

/// `venue serve` in a process of its own. Its access log is off, which is the default.
struct Node {
    let port: Int
    let program: Program

    init(venue: String, databaseURL: String) async throws {
        self.port = try freePort()
        self.program = try Program(
            venue, ["serve", "--port", "\(self.port)"],
            environment: [
                "VENUE_DATABASE_URL": databaseURL, "VENUE_ADMIN_KEY": BenchmarkEnvironment.key,
                "VENUE_MAX_CONNECTIONS": "15000",
            ])
        try await waitUntilResponding(port: self.port, path: "/ready")
    }

    func stop() { self.program.stop() }

    var address: String { "http://127.0.0.1:\(self.port)" }

    func send(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8] = [], headers: [(String, String)] = []
    ) async throws -> (headers: HTTPHeaders, body: [UInt8]) {
        let response = try await LoopbackClient.shared.open(
            HTTPMethod(rawValue: method), self.address, path,
            headers: headers + [("Authorization", "Bearer \(BenchmarkEnvironment.key)")]
                + (type.map { [("Content-Type", $0)] } ?? []), body: body, timeout: .seconds(300))
        let content = try await response.bytes()
        guard (200..<300).contains(response.status) else {
            throw BenchmarkEnvironment.Refused(path: path, status: response.status)
        }
        return (response.headers, content)
    }

    func page(_ path: String) async throws -> SyncPage { try SyncPage(json: await self.send("GET", path).body) }

    func publish(_ venue: SampleVenue, to key: String) async throws {
        try await self.publish(venue.archive(), to: key, query: "?identity=trust")
    }

    func publish(_ archive: [UInt8], to key: String, query: String) async throws {
        let receipt = try await self.send(
            "POST", "/venues/\(key)/uploads\(query)", type: "application/zip", body: archive)
        let id = try WireJSON.value(Upload.self, from: Data(receipt.body)).id
        while true {
            let upload = try WireJSON.value(
                Upload.self, from: Data(await self.send("GET", "/uploads/\(id)?wait=10").body))
            guard upload.state.isFinal else { continue }
            guard upload.state == .published else {
                throw BenchmarkEnvironment.Refused(path: "/uploads/\(id)", status: 0)
            }
            return
        }
    }

    /// Publishes an earlier revision again.
    func rollBack(to revision: Int) async throws -> Revision {
        let body = CanonicalJSON.data(["to": .number(Double(revision))])
        let response = try await self.send("POST", "/venues/mall/rollback", type: "application/json", body: body)
        return try WireJSON.value(Revision.self, from: Data(response.body))
    }
}
