import DeltaForm
import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// The sizes of change sets in the delta form, compared with what zstd makes of the new state of all levels with the old one as its
/// dictionary. The cases are those of `SyncBenchmark sizes`.
@Suite(.server, .requires(program: "zstd"))
struct DeltaSizeTests {
    fileprivate struct Case: Sendable {
        let venue: SampleVenue
        let edits: [String]
    }

    fileprivate static let floor = Case(
        venue: SampleVenue(.init(levels: 1, unitsPerLevel: 400, seed: 7)), edits: ["rename=20"])
    fileprivate static let mall = Case(
        venue: SampleVenue(.init(levels: 4, unitsPerLevel: 250, seed: 7)),
        edits: [
            "rename=1", "rename=20", "rename=500", "hours=20", "move=20", "move=500", "move=2000", "retype=20",
            "retype=200",
            "rename=200,move=100,hours=100,add=50,remove=50",
        ])

    @Test(arguments: [Self.floor, Self.mall])
    fileprivate func `a change set in the delta form has at most 1.3 times the bytes of its bound`(
        _ history: Case
    ) async throws {
        let harness = Harness.current
        try await harness.push(history.venue.archive())
        let cursor = try await harness.sync().cursor
        let old = try await Self.state(at: 1, harness)
        for edits in history.edits {
            var venue = history.venue
            _ = venue.apply(try Edit.parse(list: edits), seed: 3)
            try await harness.push(venue.archive(), query: "?identity=trust")
            let head = try await harness.get(Venue.self, "/venues/mall").head
            let bound = try Self.bound(of: try await Self.state(at: head, harness), after: old)
            var (since, isComplete, bytes) = (cursor.description, false, 0)
            while !isComplete {
                let path = "/venues/mall/sync?since=\(since)&to=\(head)&limit=50000&form=delta"
                let response = try await harness.send(.get, path)
                let document = try DeltaDocument(Array(response.data))
                bytes += response.data.count
                (since, isComplete) = (try document.cursor.cursor(since: since), document.isComplete)
            }
            #expect(10 * bytes <= 13 * bound, "\(edits): \(bytes) bytes, bound \(bound)")
        }
    }

    /// All bodies of a revision, by level and id.
    private static func state(at revision: Int64, _ harness: Harness) async throws -> [UInt8] {
        let blocks = try await harness.pages(to: revision, limit: 50_000).flatMap(\.blocks)
        return blocks.sorted { ($0.level?.description ?? "") < ($1.level?.description ?? "") }
            .flatMap { block in block.features.map { (Self.id(of: $0), $0) }.sorted { $0.0 < $1.0 } }
            .flatMap { $0.1 + [UInt8(ascii: "\n")] }
    }

    private static func id(of body: [UInt8]) -> String {
        (try? WireJSON.value(Identified.self, from: Data(body)).id) ?? ""
    }

    private struct Identified: Decodable {
        let id: String
    }

    private static func bound(of new: [UInt8], after old: [UInt8]) throws -> Int {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(FeatureID.random())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["old", "new", "patch"].map { folder.appending(path: $0) }
        try Data(old).write(to: files[0])
        try Data(new).write(to: files[1])
        let zstd = Process()
        zstd.executableURL = URL(fileURLWithPath: try #require(Requirement.path(of: "zstd")))
        zstd.arguments = [
            "-q", "-f", "-19", "--long=27", "--patch-from=\(files[0].path)", files[1].path, "-o", files[2].path,
        ]
        try zstd.run()
        zstd.waitUntilExit()
        try #require(zstd.terminationStatus == 0)
        return try Data(contentsOf: files[2]).count
    }
}
