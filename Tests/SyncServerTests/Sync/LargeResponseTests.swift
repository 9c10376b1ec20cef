import Compression
import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Responses of more than a megabyte, which are joined from chunks.
@Suite(.server)
struct LargeResponseTests {
    /// Requests every encoding twice, and checks that all decode to the plain response.
    private static func bytes(_ harness: Harness, _ path: String) async throws -> [UInt8] {
        let plain = try await harness.send(.get, path)
        #expect(plain.status == .ok && plain.headers[.contentEncoding] == nil)
        #expect(plain.headers[.contentLength] == "\(plain.data.count)")
        var streamed: [ContentCoding: [UInt8]] = [:]
        for coding in ContentCoding.allCases + ContentCoding.allCases {
            let encoded = try await harness.send(.get, path, headers: [.acceptEncoding: coding.rawValue])
            #expect(encoded.headers[.contentEncoding] == coding.rawValue)
            #expect(encoded.headers[.eTag] == plain.headers[.eTag])
            let isSame = try coding.decoded(Array(encoded.data)) == Array(plain.data)
            #expect(isSame, "\(coding) of \(path)")
            // The second time it is one body.
            if let once = streamed.updateValue(Array(encoded.data), forKey: coding) {
                #expect(once == Array(encoded.data))
                #expect(encoded.headers[.contentLength] == "\(encoded.data.count)")
            }
        }
        let head = try await harness.send(.head, path)
        #expect(head.headers[.contentLength] == "\(plain.data.count)")
        let known = try await harness.send(.get, path, headers: [.ifNoneMatch: try #require(plain.headers[.eTag])])
        #expect(known.status == .notModified && known.data.isEmpty)
        return Array(plain.data)
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `large pages and selections are byte for byte what the store has, in every encoding`(seed: UInt64) async throws
    {
        let harness = Harness.current
        var random = SplitMix64(seed: seed)
        let shape = [(2, 1_500), (5, 600), (40, 60)][Int(seed)]
        let sample = SampleVenue(.init(levels: shape.0, unitsPerLevel: shape.1, seed: seed))
        try await harness.push(sample.archive())
        try await harness.push(sample.edited(Edit(.rename, 20), seed: seed).archive())
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        let levels = try await harness.sync().blocks.compactMap(\.level).shuffled(using: &random)
        for selection in [[], levels.dropLast().map(\.description)] {
            let levelQuery = selection.map { "&level=\($0)" }.joined()
            var since: Cursor?
            repeat {
                let limit = Int.random(in: 2_900...3_400, using: &random)
                let request = SyncRequest(
                    venue: venue, since: since, to: nil, levels: try #require(LevelSelection(values: selection)),
                    limit: limit)
                var expected = try await RevisionReader(store: harness.store).changeSet(for: request)
                expected.cursor = try await harness.sealed(expected.cursor)
                let query = "limit=\(limit)\(levelQuery)" + (since.map { "&since=\($0)" } ?? "")
                let path = "/venues/mall/sync?\(query)"
                let isSame: Bool
                if expected.blocks.flatMap(\.features).reduce(0, { $0 + $1.count }) > 1 << 20 {
                    isSame = try await Self.bytes(harness, path) == expected.json()
                } else {
                    isSame = try await Array(harness.send(.get, path).data) == expected.json()
                }
                #expect(isSame, "\(query)")
                since = expected.isComplete ? nil : expected.cursor
            } while since != nil
        }
    }

    @Test func `large feature collections are available in every encoding, and archives from the same cache`()
        async throws
    {
        let harness = Harness.current
        let sample = SampleVenue(.init(levels: 4, unitsPerLevel: 700))
        try await harness.push(sample.archive())
        let plain = try await Self.bytes(harness, "/venues/mall/revisions/1/features")
        let features = try #require(try JSONReader.value(of: plain)["features"]?.array)
        #expect(Set(features.map { CanonicalJSON.data($0) }) == Set(sample.bodies.values))
        // Every body is on its own line.
        let lines = plain.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast()
        #expect(lines.count == features.count && lines.dropLast().allSatisfy { $0.last == UInt8(ascii: ",") })
        let located = try await harness.send(.get, "/venues/mall/revisions/1/features?has_geometry=true").features
        #expect(located.count == features.filter { $0["geometry"]?.isNull == false }.count)
        let archive = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip")
        try await harness.push(Array(archive.data), to: "copy")
        let copy = try await harness.send(.get, "/venues/copy/revisions/1/features")
        #expect(Set(try copy.features) == Set(sample.bodies.values))
    }

    @Test func `empty selection is an empty feature collection`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for query in ["type=unheard-of", "type=unheard-of&has_geometry=true"] {
            let empty = try await harness.send(.get, "/venues/mall/revisions/1/features?\(query)")
            #expect(try empty.features.isEmpty)
        }
    }
}
