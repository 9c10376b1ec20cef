import ArgumentParser
import BenchmarkSupport
import DeltaForm
import EmbeddedPostgres
import Foundation
import IMDF
import SampleVenue
import SyncModel

/// Compares the bytes of whole change sets: plain with gzip and br, the delta form, and what zstd makes of the new state of all levels
/// with the old one as its dictionary. That has no digests, no cursor and no ids of levels; it bounds what a delta can save.
struct ChangeSetSizes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sizes", abstract: "Compare the sizes of change sets in all forms.")

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "A folder with archives of one venue, published in the order of their names.")
    var series: String?

    private static let edits = [
        "rename=1", "rename=20", "rename=500", "hours=20", "move=20", "move=500", "move=2000", "retype=20",
        "retype=200",
        "rename=200,move=100,hours=100,add=50,remove=50",
    ]

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-sizes-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try await EmbeddedPostgres.start(in: folder.path + "/data")
        do {
            let environment = ["VENUE_DATABASE_URL": database.databaseURL]
            _ = try Program.output(of: self.venue, ["migrate"], environment: environment)
            let worker = try Program(self.venue, ["work"], environment: environment)
            defer { worker.stop() }
            let node = try await Node(venue: self.venue, databaseURL: database.databaseURL)
            defer { node.stop() }
            try await self.measure(node, in: folder)
            await database.stop()
        } catch {
            await database.stop()
            throw error
        }
    }

    private func measure(_ node: Node, in folder: URL) async throws {
        let floor = SampleVenue(.init(levels: 1, unitsPerLevel: 400, seed: 7))
        let mall = SampleVenue(.init(levels: 4, unitsPerLevel: 250, seed: 7))
        let cases = [(floor, "rename=20", "one floor, ")] + Self.edits.map { (mall, $0, "") }
        for (number, (old, edits, prefix)) in cases.enumerated() {
            var new = old
            _ = new.apply(try Edit.parse(list: edits), seed: 3)
            try await node.publish(old, to: "case-\(number)")
            try await node.publish(new, to: "case-\(number)")
            try await self.compare("\(prefix)\(edits)", of: "case-\(number)", to: 2, node, in: folder)
        }
        guard let series else { return }
        let archives = try FileManager.default.contentsOfDirectory(atPath: series).filter { $0.hasSuffix(".zip") }
        for (index, name) in archives.sorted().enumerated() {
            let archive = [UInt8](try Data(contentsOf: URL(filePath: series).appending(path: name)))
            try await node.publish(archive, to: "series", query: "")
            if index == 0 {
                let settings = CanonicalJSON.data(["removal_guard": .bool(false)])
                _ = try await node.send("PATCH", "/venues/series", type: "application/json", body: settings)
            } else {
                try await self.compare(name, of: "series", to: index + 1, node, in: folder)
            }
        }
    }

    /// Measures the change set from the revision before.
    private func compare(_ name: String, of venue: String, to revision: Int, _ node: Node, in folder: URL) async throws
    {
        let (old, cursor) = try await self.state(of: venue, at: revision - 1, node)
        let (new, _) = try await self.state(of: venue, at: revision, node)
        let query = "to=\(revision)&limit=50000"
        var (plain, gzip, br, delta, pages, features) = (0, 0, 0, 0, 0, 0)
        var since = cursor
        var isComplete = false
        while !isComplete {
            let path = "/venues/\(venue)/sync?since=\(since)&\(query)"
            let text = try await node.send("GET", path).body
            let page = try ChangeSet(json: text)
            plain += text.count
            features += page.blocks.reduce(0) { $0 + $1.features.count + $1.removed.count }
            gzip += try await node.send("GET", path, headers: [("Accept-Encoding", "gzip")]).body.count
            br += try await node.send("GET", path, headers: [("Accept-Encoding", "br")]).body.count
            (since, isComplete) = (page.cursor.description, page.isComplete)
        }
        (since, isComplete) = (cursor, false)
        while !isComplete {
            let path = "/venues/\(venue)/sync?since=\(since)&\(query)&form=delta"
            let bytes = try await node.send("GET", path).body
            let document = try DeltaDocument(bytes)
            delta += bytes.count
            pages += 1
            (since, isComplete) = (try document.cursor.cursor(since: since), document.isComplete)
        }
        var line: JSONObject = [
            "name": "change set sizes", "case": .string(name), "features": .number(Double(features)),
            "plain_bytes": .number(Double(plain)), "gzip_bytes": .number(Double(gzip)),
            "br_bytes": .number(Double(br)), "delta_bytes": .number(Double(delta)),
            "delta_pages": .number(Double(pages)),
        ]
        if let zstd = Tools.zstd {
            let files = ["old", "new", "patch"].map { folder.appending(path: $0) }
            try Data(old).write(to: files[0])
            try Data(new).write(to: files[1])
            _ = try Program.output(
                of: zstd,
                [
                    "-q", "-f", "-19", "--long=27", "--patch-from=\(files[0].path)", files[1].path, "-o", files[2].path,
                ])
            let bound = try Data(contentsOf: files[2]).count
            line["bound_bytes"] = .number(Double(bound))
            line["ratio"] = .rounded(Double(delta) / Double(bound), decimals: 2)
        }
        report(line)
    }

    /// All bodies of a revision, by level and id, and the cursor of a client that holds them.
    private func state(of venue: String, at revision: Int, _ node: Node) async throws -> ([UInt8], cursor: String) {
        var levels: [String: [String: [UInt8]]] = [:]
        var cursor = ""
        while true {
            let path = "/venues/\(venue)/sync?to=\(revision)&limit=50000&since=\(cursor)"
            let page = try ChangeSet(json: try await node.send("GET", path).body)
            for block in page.blocks {
                for body in block.features {
                    let id = try JSONDecoder().decode(Identified.self, from: Data(body)).id
                    levels[block.level?.description ?? "", default: [:]][id] = body
                }
            }
            cursor = page.cursor.description
            guard page.isComplete else { continue }
            let bodies = levels.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.key < $1.key }.map(\.value) }
            return (bodies.flatMap { $0 + [UInt8(ascii: "\n")] }, cursor)
        }
    }

    private struct Identified: Decodable {
        let id: String
    }
}
