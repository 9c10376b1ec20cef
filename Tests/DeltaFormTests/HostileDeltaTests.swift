import CZlib
import DeltaForm
import Foundation
import IMDF
import SampleVenue
import SyncModel
import Testing

/// Documents that no server sends. Each ends with an error, and costs no more memory than the limits say.
struct HostileDeltaTests {
    @Test func `a document that is cut anywhere is refused`() {
        var history = RandomHistory(seed: 3)
        let bytes = history.page(context: true).document.bytes()
        for length in Set(stride(from: 0, to: bytes.count, by: 41)).union(bytes.indices.suffix(40)) {
            #expect(throws: DeltaError.self) {
                _ = try DeltaDocument(Array(bytes.prefix(length))).decoded(with: history.base)
            }
        }
        #expect(throws: DeltaError.self) { try DeltaDocument(bytes + [0]) }
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `a damaged document is refused or has other features`(seed: UInt64) throws {
        var history = RandomHistory(seed: seed)
        let (document, after) = history.page(context: true)
        let bytes = document.bytes()
        var random = SplitMix64(seed: seed)
        var refusals = 0
        for _ in 0..<40 {
            var damaged = bytes
            damaged[.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            do {
                _ = try DeltaDocument(damaged).decoded(with: history.base)
            } catch is DeltaError {
                refusals += 1
            }
        }
        #expect(refusals > 0 && !after.features.isEmpty)
    }

    /// Ranks that the level does not have, and levels that are not held.
    @Test(arguments: [
        Unheld(3, nil), Unheld(.max / 2, nil), Unheld(0, .held(9)), Unheld(0, .id(FeatureID(high: 4, low: 4))),
        Unheld(.max, .venueWide),
    ])
    fileprivate func `a source that is not held is refused`(_ source: Unheld) throws {
        let (base, document) = Self.document(rank: source.rank, level: source.level)
        #expect(throws: DeltaError.self) { _ = try DeltaDocument(document.bytes()).decoded(with: base) }
    }

    fileprivate struct Unheld: Sendable {
        let rank: Int
        let level: DeltaDocument.Level?

        init(_ rank: Int, _ level: DeltaDocument.Level?) {
            self.rank = rank
            self.level = level
        }
    }

    @Test(arguments: [(1_000, 0), (0, 1_000), (150, 150), (Int.max / 2, Int.max / 2)])
    func `more common bytes than a held body has are refused`(prefix: Int, suffix: Int) throws {
        let (base, document) = Self.document(prefix: prefix, suffix: suffix)
        #expect(throws: DeltaError.self) { _ = try DeltaDocument(document.bytes()).decoded(with: base) }
    }

    @Test func `removed ranks that do not ascend or do not exist are refused`() throws {
        var (base, document) = Self.document()
        document.blocks[0].removed = [0, 0]
        #expect(throws: DeltaError.self) { try DeltaDocument(document.bytes()) }
        document.blocks[0].removed = [3]
        #expect(throws: DeltaError.self) { _ = try DeltaDocument(document.bytes()).decoded(with: base) }
        base.features[nil]?[FeatureID(high: 9, low: 9)] = []
        document.blocks[0].removed = [0, 1]
        #expect(try DeltaDocument(document.bytes()).decoded(with: base).blocks[0].removed.count == 2)
    }

    @Test func `a stream that decompresses to too much is refused before it is in memory`() throws {
        var (base, document) = Self.document()
        document.groups[0].stream = Self.bomb
        #expect(Self.bomb.count < 1 << 20)
        #expect(throws: DeltaError.self) { _ = try document.decoded(with: base) }
        base.features = [:]
        #expect(throws: DeltaError.self) { _ = try document.decoded(with: base) }
    }

    @Test func `a compressed index that is too large is refused`() throws {
        let (_, document) = Self.document()
        var bytes = document.bytes()
        // Flags follow the magic number: the index is compressed.
        bytes[DeltaDocument.magic.count] |= 8
        #expect(throws: DeltaError.self) { try DeltaDocument(bytes) }
    }

    @Test func `the number of bodies has to be that of the streams`() throws {
        let (base, document) = Self.document()
        for (text, isRight) in [("x\n", true), ("x", false), ("", false), ("x\ny\n", false), ("x\ny", false)] {
            var document = document
            document.groups[0].stream = Self.stored(Array(text.utf8))
            if isRight {
                #expect(try document.decoded(with: base).blocks[0].bodies.count == 1)
            } else {
                #expect(throws: DeltaError.self) { _ = try document.decoded(with: base) }
            }
        }
        for count in [0, 2, 200_000] {
            var document = document
            document.blocks[0].bodyCount = count
            #expect(throws: DeltaError.self) { try DeltaDocument(document.bytes()) }
        }
    }

    /// A document with one body that is described with a held one.
    private static func document(
        rank: Int = 0, level: DeltaDocument.Level? = nil, prefix: Int = 4, suffix: Int = 4
    ) -> (MemoryBase, DeltaDocument) {
        var base = MemoryBase()
        let id = FeatureID(high: 1, low: 1)
        base.features[nil] = [id: MemoryBase.body(id, "unit", "Shop", points: 2)]
        let page = RandomHistory.page(of: [.init(level: nil, ordinal: nil, kind: .changes, digest: Digest(of: []))])
        var document = DeltaEncoder(levels: []).document(of: page, bodies: [[]], removed: [[]])
        document.blocks[0].bodyCount = 1
        document.groups = [
            .init(
                sources: [.init(level: level, rank: rank, prefix: prefix, suffix: suffix)], context: nil,
                stream: self.stored(Array("x\n".utf8)))
        ]
        return (base, document)
    }

    /// A stream of one stored block.
    private static func stored(_ text: [UInt8]) -> [UInt8] {
        let length = UInt16(text.count)
        return [1, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)] + text
    }

    /// 200 MB of zeros.
    private static let bomb: [UInt8] = {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        var output = [UInt8](repeating: 0, count: 1 << 20)
        var zeros = [UInt8](repeating: 0, count: 1 << 20)
        let count = output.withUnsafeMutableBufferPointer { output in
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            for round in 0..<200 {
                zeros.withUnsafeMutableBufferPointer { zeros in
                    stream.next_in = zeros.baseAddress
                    stream.avail_in = UInt32(zeros.count)
                    deflate(&stream, round == 199 ? Z_FINISH : Z_NO_FLUSH)
                }
            }
            return output.count - Int(stream.avail_out)
        }
        deflateEnd(&stream)
        return Array(output.prefix(count))
    }()
}
