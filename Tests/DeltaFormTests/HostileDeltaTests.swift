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

    @Test(arguments: [
        DeltaDocument.HeldFeature(level: .venueWide, rank: 1), .init(level: .venueWide, rank: .max),
        .init(level: .held(9), rank: 0), .init(level: .id(FeatureID(high: 4, low: 4)), rank: 0),
    ])
    func `a companion that is not held is refused`(_ companion: DeltaDocument.HeldFeature) throws {
        let base: MemoryBase
        var document: DeltaDocument
        (base, document) = Self.document()
        document.groups[0].companions = [.init(level: .venueWide, rank: 0)]
        #expect(try DeltaDocument(document.bytes()).decoded(with: base).blocks[0].bodies.count == 1)
        document.groups[0].companions.append(companion)
        #expect(throws: DeltaError.self) { _ = try DeltaDocument(document.bytes()).decoded(with: base) }
    }

    @Test func `companions are counted like bodies`() throws {
        var document: DeltaDocument
        let base: MemoryBase
        (base, document) = Self.document()
        // Of the 100,000 items of a page, one is the block and one the body.
        for (count, isRight) in [(99_998, true), (99_999, false)] {
            document.groups[0].companions = Array(repeating: .init(level: .venueWide, rank: 0), count: count)
            if isRight {
                #expect(try DeltaDocument(document.bytes()).decoded(with: base).blocks[0].bodies.count == 1)
            } else {
                #expect(throws: DeltaError("too many features")) { try DeltaDocument(document.bytes()) }
            }
        }
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

    @Test func `a stream that decompresses to too much takes no more memory than all bodies may have`() async {
        // The peak of this process has other causes.
        await #expect(processExitsWith: .success) {
            var (_, document) = Self.document()
            document.groups[0].sources = [nil]
            document.groups[0].stream = Self.bomb
            let before = Self.peak()
            #expect(throws: DeltaError.self) { _ = try document.decoded(with: MemoryBase()) }
            // The buffer doubles: at 64 MiB there are one of 64 and one of 32 MiB.
            #expect(Self.peak() - before < 120 << 20)
        }
    }

    /// The largest resident memory of the process so far, in bytes.
    private static func peak() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    @Test func `more groups than a page can have are refused`() throws {
        var (_, document) = Self.document()
        for (count, isRight) in [(10_000, true), (10_001, false)] {
            document.blocks[0].bodyCount = count
            let group = DeltaDocument.Group(sources: [nil], stream: Self.stored(Array("{}\n".utf8)))
            document.groups = Array(repeating: group, count: count)
            if isRight {
                #expect(try DeltaDocument(document.bytes()).decoded(with: MemoryBase()).text.count == 20_000)
            } else {
                #expect(throws: DeltaError("too many groups")) { try DeltaDocument(document.bytes()) }
            }
        }
    }

    @Test func `a time after the year 9999 is refused`() throws {
        var (_, document) = Self.document()
        document.publishedAt = Date(timeIntervalSince1970: 253_402_300_799)
        #expect(try DeltaDocument(document.bytes()) == document)
        document.publishedAt = Date(timeIntervalSince1970: 253_402_300_800)
        #expect(throws: DeltaError("a time after the year 9999")) { try DeltaDocument(document.bytes()) }
    }

    @Test func `a duplicate level is refused, because its features would be read twice`() throws {
        var (base, document) = Self.document()
        document.groups = []
        document.blocks[0].bodyCount = 0
        document.blocks[0].removed = [0]
        #expect(try document.decoded(with: base).blocks.count == 1)
        document.blocks.append(document.blocks[0])
        #expect(throws: DeltaError("a duplicate level")) { _ = try document.decoded(with: base) }
        // Once as a held level, once by its id.
        let level = FeatureID(high: 3, low: 3)
        base.features[level] = [:]
        document.blocks[0].removed = []
        document.blocks = [DeltaDocument.Level.held(0), .id(level)].map { level in
            var block = document.blocks[0]
            block.level = level
            return block
        }
        #expect(throws: DeltaError("a duplicate level")) { _ = try document.decoded(with: base) }
    }

    @Test func `a context that is not held is refused, and so is a group that uses none`() throws {
        var (base, document) = Self.document()
        document.groups[0].usesContext = true
        #expect(throws: DeltaError("a document without a context")) { try DeltaDocument(document.bytes()) }
        for context in [DeltaDocument.HeldFeature(level: .venueWide, rank: 1), .init(level: .held(0), rank: 0)] {
            document.context = context
            #expect(throws: DeltaError.self) { _ = try DeltaDocument(document.bytes()).decoded(with: base) }
        }
        document.context = .init(level: .venueWide, rank: 0)
        #expect(try DeltaDocument(document.bytes()).decoded(with: base).blocks[0].bodies.count == 1)
        // It is read once, for all groups.
        document.blocks[0].bodyCount = 3
        document.groups = Array(repeating: document.groups[0], count: 3)
        let counting = CountingBase(base)
        _ = try document.decoded(with: counting)
        #expect(counting.contextCount == 1)
        base.features = [:]
        #expect(throws: DeltaError.self) { _ = try document.decoded(with: base) }
    }

    /// Counts how often a context is read.
    private final class CountingBase: DeltaBase {
        private let base: MemoryBase
        private(set) var contextCount = 0

        init(_ base: MemoryBase) {
            self.base = base
        }

        func levels() -> [FeatureID] { self.base.levels() }

        func ids(of level: FeatureID?, at ranks: [Int]) -> [FeatureID]? { self.base.ids(of: level, at: ranks) }

        func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) -> [[UInt8]]? {
            self.base.bodies(of: level, at: ranks, limit: limit)
        }

        func context(of level: FeatureID?, like rank: Int, limit: Int) -> [[UInt8]]? {
            self.contextCount += 1
            return self.base.context(of: level, like: rank, limit: limit)
        }
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
        var document = DeltaEncoder(levels: []).document(of: page, since: nil, bodies: [[]], removed: [[]])
        document.blocks[0].bodyCount = 1
        document.groups = [
            .init(
                sources: [.init(level: level, rank: rank, prefix: prefix, suffix: suffix)],
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
