import DeltaForm
import Foundation
import IMDF
import SampleVenue
import SyncModel
import Testing

struct DeltaDocumentTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a page in the delta form has the features of the page that it was made of`(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        let (document, after) = history.page(context: seed % 2 == 0)
        let read = try DeltaDocument(document.bytes())
        #expect(read == document)
        var replica = history.base
        replica.apply(try read.decoded(with: history.base))
        #expect(replica.features == after.features)
    }

    @Test(arguments: [nil, [:], ["walk_speed": 1.1, "elevator_seconds": 60]] as [JSONValue?])
    func `a page has the travel times of the venue, and a flag for them`(times: JSONValue?) throws {
        var page = RandomHistory.page(of: [])
        page.about.wayfinding = times
        let bytes = DeltaEncoder(levels: [])
            .document(of: page, since: RandomHistory.since, bodies: [], removed: []).bytes()
        #expect(bytes[4] & 16 == (times == nil ? 0 : 16))
        #expect(try DeltaDocument(bytes).about == page.about)
    }

    @Test func `a page has all members of the plain form`() throws {
        let page = RandomHistory.page(of: [
            .init(level: nil, ordinal: nil, kind: .changes, isContinued: true, digest: nil),
            .init(level: FeatureID(high: 1, low: 2), ordinal: 3, kind: .gone, digest: nil),
            .init(level: FeatureID(high: 1, low: 3), ordinal: 3, kind: .snapshot, digest: Digest(of: [2])),
        ])
        let document = DeltaEncoder(levels: [FeatureID(high: 1, low: 2)])
            .document(of: page, since: RandomHistory.since, bodies: [[], [], []], removed: [[], [], []])
        let read = try DeltaDocument(document.bytes())
        #expect(read.venue == "mall" && read.from == 6 && read.to == 7 && read.digest == page.digest)
        #expect(read.about == page.about && read.isComplete)
        let since = RandomHistory.since.description
        #expect(try read.cursor.cursor(since: since) == page.cursor.description)
        // The format, the flags and the epoch are those of the cursor of the request.
        #expect(read.cursor.unchanged == 3)
        #expect(throws: DeltaError.self) { try read.cursor.cursor(since: String(since.prefix(11))) }
        #expect(throws: DeltaError.self) { try read.cursor.cursor(since: nil) }
        #expect(read.publishedAt == page.publishedAt)
        var base = MemoryBase()
        base.features[FeatureID(high: 1, low: 2)] = [:]
        let decoded = try read.decoded(with: base)
        #expect(decoded.blocks.map(\.level) == page.blocks.map(\.level))
        #expect(decoded.blocks.map(\.kind) == [.changes, .gone, .snapshot])
        #expect(decoded.blocks.map(\.isContinued) == [true, false, false])
        #expect(decoded.blocks.map(\.digestPrefix) == page.blocks.map { $0.digest?.prefix })
    }

    @Test func `bodies larger than the window are described with their beginning and end`() throws {
        var base = MemoryBase()
        let id = FeatureID(high: 7, low: 7)
        let old = MemoryBase.body(id, "unit", "Old name", points: 6_000)
        base.features[nil] = [id: old]
        let new = Array(String(decoding: old, as: UTF8.self).replacing("Old", with: "New").utf8)
        let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .changes, digest: Digest(of: []))])
        let document = DeltaEncoder(levels: []).document(
            of: page, since: RandomHistory.since, bodies: [[.init(new, type: .unit, source: base.held(id, on: nil))]],
            removed: [[]])
        #expect(old.count > 100_000 && document.bytes().count < 200)
        let decoded = try DeltaDocument(document.bytes()).decoded(with: base)
        #expect(decoded.text == new)
    }

    @Test func `a body that has nothing in common with its former version is not described with it`() throws {
        var base = MemoryBase()
        let ids = [1, 60].map { FeatureID(high: 7, low: $0) }
        for id in ids { base.features[nil]?[id] = MemoryBase.body(id, "unit", "Shop", points: 30) }
        func sources(of first: [UInt8]) throws -> [DeltaDocument.Source?] {
            // The second body is the same but for its name.
            let second = MemoryBase.body(ids[1], "unit", "Baker", points: 30)
            let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .changes, digest: Digest(of: []))])
            let bodies = zip([first, second], ids).map {
                DeltaEncoder.Body($0, type: .unit, source: base.held($1, on: nil))
            }
            let document = DeltaEncoder(levels: []).document(
                of: page, since: nil, bodies: [bodies], removed: [[]])
            let decoded = try DeltaDocument(document.bytes()).decoded(with: base)
            #expect(decoded.blocks[0].bodies.map { Array(decoded.text[$0]) } == [first, second])
            return document.groups.flatMap(\.sources)
        }
        let replaced = Array(repeating: Array("{zyx}".utf8), count: 100).flatMap { $0 }
        let sourcesOfReplaced = try sources(of: replaced)
        #expect(sourcesOfReplaced[0] == nil && sourcesOfReplaced[1] != nil)
        // A body that is mostly new, but repeats parts of the former version, keeps it.
        let longer =
            Array("{\"a\":1,".utf8) + MemoryBase.body(ids[0], "unit", "Shop", points: 30).dropFirst().dropLast()
        #expect(try sources(of: longer + Array(",\"z\":1}".utf8)).allSatisfy { $0 != nil })
    }

    @Test func `without a base the bodies are compressed together`() throws {
        let ids = (0..<500).map { FeatureID(high: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, low: 5) }
        let bodies = ids.map { MemoryBase.body($0, "unit", "Shop") }
        let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .snapshot, digest: Digest(of: []))])
        let document = DeltaEncoder(levels: []).document(
            of: page, since: RandomHistory.since, bodies: [bodies.map { .init($0, type: .unit, source: nil) }],
            removed: [[]])
        #expect(document.groups.count == 1)
        let decoded = try DeltaDocument(document.bytes()).decoded(with: MemoryBase(features: [:]))
        // Not in one expectation, which would print all bytes.
        let texts = Set(decoded.blocks[0].bodies.map { Array(decoded.text[$0]) })
        #expect(texts.symmetricDifference(bodies).count == 0)
    }

    @Test func `new features are next to their neighbours, in whatever order they are`() throws {
        // A grid of units, each with its vertices in common with eight others.
        var random = SplitMix64(seed: 11)
        let corners = (0...30).map { column in
            (0...30).map { row in
                let (east, north) = (
                    Int.random(in: 0...999_999, using: &random), Int.random(in: 0...999_999, using: &random)
                )
                return "[139.\(100_000_000 + column * 1_000_000 + east),35.\(100_000_000 + row * 1_000_000 + north)]"
            }
        }
        var bodies: [[UInt8]] = []
        for column in 0..<30 {
            for row in 0..<30 {
                let ring = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)].map { corners[column + $0][row + $1] }
                let id = FeatureID(high: random.next(), low: random.next())
                bodies.append(
                    Array(
                        """
                        {"feature_type":"unit","geometry":{"coordinates":[[\(ring.joined(separator: ","))]],"type":"Polygon"},"id":"\(id)"}
                        """.utf8))
            }
        }
        let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .snapshot, digest: Digest(of: []))])
        func document(_ bodies: [[UInt8]], _ type: (Int) -> FeatureType) -> DeltaDocument {
            DeltaEncoder(levels: []).document(
                of: page, since: nil,
                bodies: [bodies.enumerated().map { .init($1, type: type($0), source: nil) }], removed: [[]])
        }
        let inOrder = document(bodies) { _ in .unit }
        let shuffled = document(bodies.shuffled(using: &random)) { _ in .unit }
        #expect(Digest(of: shuffled.bytes()) == Digest(of: inOrder.bytes()))
        // With a type of its own for each, they stay in the given order.
        let apart = document(bodies.shuffled(using: &random)) { .init(rawValue: String(format: "%04d", $0)) }
        #expect(5 * inOrder.bytes().count < 4 * apart.bytes().count)
        let decoded = try DeltaDocument(shuffled.bytes()).decoded(with: MemoryBase(features: [:]))
        let texts = Set(decoded.blocks[0].bodies.map { Array(decoded.text[$0]) })
        #expect(texts.symmetricDifference(bodies).count == 0)
    }
}
