import DeltaForm
import Foundation
import IMDF
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

    @Test func `a page has all members of the plain form`() throws {
        let page = RandomHistory.page(of: [
            .init(level: nil, ordinal: nil, kind: .changes, isContinued: true, digest: nil),
            .init(level: FeatureID(high: 1, low: 2), ordinal: 3, kind: .gone, digest: nil),
            .init(level: FeatureID(high: 1, low: 3), ordinal: 3, kind: .snapshot, digest: Digest(of: [2])),
        ])
        let document = DeltaEncoder(levels: [FeatureID(high: 1, low: 2)])
            .document(of: page, bodies: [[], [], []], removed: [[], [], []])
        let read = try DeltaDocument(document.bytes())
        #expect(read.venue == "mall" && read.from == 6 && read.to == 7 && read.digest == page.digest)
        #expect(read.about == page.about && read.isComplete && read.cursor == page.cursor.description)
        #expect(read.publishedAt == page.publishedAt)
        var base = MemoryBase()
        base.features[FeatureID(high: 1, low: 2)] = [:]
        let decoded = try read.decoded(with: base)
        #expect(decoded.blocks.map(\.level) == page.blocks.map(\.level))
        #expect(decoded.blocks.map(\.kind) == [.changes, .gone, .snapshot])
        #expect(decoded.blocks.map(\.isContinued) == [true, false, false])
        #expect(decoded.blocks.map(\.digest) == page.blocks.map(\.digest))
    }

    @Test func `bodies larger than the window are described with their beginning and end`() throws {
        var base = MemoryBase()
        let id = FeatureID(high: 7, low: 7)
        let old = MemoryBase.body(id, "unit", "Old name", points: 6_000)
        base.features[nil] = [id: old]
        let new = Array(String(decoding: old, as: UTF8.self).replacing("Old", with: "New").utf8)
        let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .changes, digest: Digest(of: []))])
        let document = DeltaEncoder(levels: []).document(
            of: page, bodies: [[.init(new, source: base.held(id, on: nil))]], removed: [[]])
        #expect(old.count > 100_000 && document.bytes().count < 200)
        let decoded = try DeltaDocument(document.bytes()).decoded(with: base)
        #expect(decoded.text == new)
    }

    @Test func `without a base the bodies are compressed together`() throws {
        let ids = (0..<500).map { FeatureID(high: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, low: 5) }
        let bodies = ids.map { MemoryBase.body($0, "unit", "Shop") }
        let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .snapshot, digest: Digest(of: []))])
        let document = DeltaEncoder(levels: []).document(
            of: page, bodies: [bodies.map { .init($0, source: nil) }], removed: [[]])
        #expect(document.groups.count == 1)
        let decoded = try DeltaDocument(document.bytes()).decoded(with: MemoryBase(features: [:]))
        #expect(decoded.text == bodies.flatMap { $0 })
    }
}
