import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct ImportTests {
    @Test func `import: stores the uploaded features in canonical form`() async throws {
        try await Harness.run { harness in
            let archive = try SampleVenue(.init(levels: 2, unitsPerLevel: 6, customExtension: true)).archive()
            #expect(try await harness.push(archive).state == .published)
            #expect(try await harness.bodies(at: 1) == canonicalBodies(of: archive))
        }
    }

    @Test func `import: the same archive is unchanged, also with other formatting`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 6))
            try await harness.push(venue.archive())
            let before = try await harness.send(.get, "/venues/mall/sync").text
            #expect(try await harness.push(venue.archive()).state == .unchanged)
            for seed in 1...3 as ClosedRange<UInt64> {
                _ = venue.apply(try Edit.parse(list: "noise"), seed: seed)
                let upload = try await harness.push(venue.archive())
                #expect(upload.state == .unchanged && upload.revision == nil)
            }
            #expect(try await harness.send(.get, "/venues/mall/sync").text == before)
        }
    }

    @Test(arguments: [
        "rename=3", "move=3", "recategorise=2", "hours=2", "add=2", "remove=2", "relevel=1", "retype=1", "floor",
        "remove-floor",
        "noise,rename=1",
    ])
    func `import: an edit changes the edited features and no others`(edits: String) async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 8))
            try await harness.push(venue.archive())
            try await harness.setUnguarded()
            let reports = venue.apply(try Edit.parse(list: edits), seed: 5)
            let upload = try await harness.push(venue.archive())
            #expect(upload.state == .published && upload.revision == 2)
            let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2&bodies=false")
            func ids(_ kind: RevisionDiff.Change.Kind) -> Set<FeatureID> {
                Set(diff.changes.filter { $0.kind == kind }.map(\.id))
            }
            #expect(ids(.added) == Set(reports.flatMap(\.added)))
            #expect(ids(.removed) == Set(reports.flatMap(\.removed)))
            // A feature that depends on an edited one has changed if its level did, but not if it only touches another level.
            let changed = Set(reports.flatMap(\.changed))
            #expect(ids(.changed).isSuperset(of: changed))
            #expect(ids(.changed).isSubset(of: changed.union(reports.flatMap(\.carried))))
            let counts = try #require(upload.changes)
            #expect(counts.added == ids(.added).count && counts.changed == ids(.changed).count)
            #expect(counts.removed == ids(.removed).count)
            #expect(counts.levels.reduce(0) { $0 + $1.added + $1.changed + $1.removed } == diff.changes.count)
            #expect(counts.types.reduce(0) { $0 + $1.added + $1.changed + $1.removed } == diff.changes.count)
            #expect(diff.changes.allSatisfy { $0.kind != .changed || !$0.classes.isEmpty })
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `import: a client that follows random edits has the uploaded features`(seed: UInt64) async throws {
        try await Harness.run { harness in
            var random = SplitMix64(seed: seed)
            var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 6, seed: seed))
            try await harness.push(venue.archive())
            try await harness.setUnguarded()
            var replica = Replica()
            try replica.apply(await harness.pages())
            for _ in 0..<6 {
                let edits = (0..<2).map { _ in
                    [
                        "rename=2", "move=2", "add=1", "remove=1", "relevel=1", "floor", "remove-floor", "hours=1",
                        "noise",
                    ]
                    .randomElement(using: &random) ?? "noise"
                }
                _ = venue.apply(try Edit.parse(list: edits.joined(separator: ",")), seed: random.next())
                let upload = try await harness.push(venue.archive())
                #expect(upload.state == .published || upload.state == .unchanged)
                try replica.apply(
                    await harness.pages(since: replica.cursor, limit: Int.random(in: 1...40, using: &random)))
                let head = try await harness.get(Venue.self, "/venues/mall").head
                #expect(try await replica.features.mapValues(\.body) == harness.bodies(at: head))
                #expect(Set(replica.features.keys) == Set(venue.features.map(\.id)))
                // What the worker keeps for the next comparison is what the database has.
                let mall = try #require(VenueKey("mall"))
                let known = try await harness.store.comparisonBase(of: mall)
                let stored = try await RevisionStore(pool: harness.store.pool).comparisonBase(of: mall)
                #expect(known.features == stored.features && known.number == stored.number)
            }
        }
    }

    @Test func `import: other content of the manifest makes a revision, another creation time does not`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.small)
            try await harness.push(venue.archive())
            venue.manifest["created"] = "2031-01-01T00:00:00Z"
            venue.manifest["generated_by"] = "Another tool"
            #expect(try await harness.push(venue.archive()).state == .unchanged)
            venue.manifest["note"] = "kept"
            let upload = try await harness.push(venue.archive())
            #expect(upload.state == .published && upload.changes?.changed == 0)
        }
    }

    @Test func `import: a feature of eight megabytes is stored and sent`() async throws {
        try await Harness.run { harness in
            var files = Handmade.venueOnly
            let id = "5f1d8a7e-8c14-4d27-a3e2-90b1c6d7e803"
            // A single member is limited to a quarter of a megabyte.
            let words = Self.manyWords(200 << 10)
            let notes = (0..<42).map { #""note \#($0)":"\#($0) \#(words)""# }.joined(separator: ",")
            files["unit.geojson"] = Handmade.collection(
                Handmade.feature(id, properties: "{\(notes)}"))
            let upload = try await harness.push(Handmade.zip(files))
            #expect(upload.state == .published)
            let largest = try await harness.bodies(at: 1).values.map(\.count).max() ?? 0
            #expect(largest > 8 << 20)
        }
    }

    /// Random text, which does not reach the limit of the compression ratio.
    private static func manyWords(_ count: Int) -> String {
        var random = SplitMix64(seed: 1)
        return String(decoding: (0..<count).map { _ in UInt8.random(in: 97...122, using: &random) }, as: UTF8.self)
    }

    @Test func `import: a venue with a thousand levels is imported and synced`() async throws {
        try await Harness.run { harness in
            let venue = SampleVenue(.init(levels: 1_000, unitsPerLevel: 1))
            #expect(try await harness.push(venue.archive()).state == .published)
            var replica = Replica()
            try replica.apply(await harness.pages(limit: 50_000))
            #expect(replica.features.count == venue.features.count)
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] != nil))
    func `import: real archives are published, and their exports are unchanged`() async throws {
        let samples = URL(filePath: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] ?? "").appending(
            path: "polytech")
        let files = try FileManager.default.contentsOfDirectory(at: samples, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "zip" }.sorted { $0.path < $1.path }
        #expect(files.count == 4)
        try await Harness.run { harness in
            for (index, file) in files.enumerated() {
                var upload = try await harness.push(Array(Data(contentsOf: file)))
                // After two months enough features are removed for the removal guard.
                if upload.state == .staged { upload = try await harness.confirm(upload) }
                #expect(upload.state == .published && upload.revision == Int64(index + 1), "\(file.lastPathComponent)")
                let export = try await harness.send(.get, "/venues/mall/revisions/\(index + 1)/archive.zip")
                #expect(try await harness.push(Array(export.data)).state == .unchanged, "\(file.lastPathComponent)")
            }
        }
    }
}
