import Compression
import SampleVenue
import TestSupport
import Testing

/// A coding and an effort.
struct Way: CustomTestStringConvertible {
    let coding: ContentCoding
    let effort: Effort

    static let all = ContentCoding.allCases.flatMap { coding in
        [Effort.once, .streamed].map { Way(coding: coding, effort: $0) }
    }

    var testDescription: String { "\(self.coding) \(self.effort)" }
}

/// Outside of the macro, which would spell out how megabytes differ.
func expectSame(_ bytes: [UInt8], _ others: [UInt8], _ location: SourceLocation = #_sourceLocation) throws {
    let isSame = bytes == others
    try #require(isSame, "\(bytes.count) bytes, and not the \(others.count) expected", sourceLocation: location)
}

@Suite struct CompressionTests {
    @Test(arguments: Way.all)
    func `compressed bytes decompress to the original`(way: Way) throws {
        let texts = [
            [], [0], Array("{}".utf8), Text.venue(), Text.noise(100_000, seed: 1), Text.noise(1 << 15, seed: 2),
            [UInt8](repeating: 0x20, count: 1 << 17),
        ]
        for text in texts {
            let packed = try way.coding.compressed(text, effort: way.effort)
            try expectSame(way.coding.whole(packed), text)
            #expect(packed.count <= text.count + text.count / 1_000 + 40)
        }
    }

    @Test(arguments: Way.all)
    func `20 MB are compressed to less than a quarter and decompress to the original`(way: Way) throws {
        let text = Text.long(20 << 20, seed: 3)
        let packed = try way.coding.compressed(text, effort: way.effort)
        #expect(packed.count < text.count / 4)
        try expectSame(way.coding.whole(packed), text)
    }

    @Test(arguments: Way.all, [4, 5, 6] as [UInt64])
    func `a compressed stream may be cut anywhere, and flushed input has arrived`(way: Way, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Text.long(300_000, seed: seed)
        let compressor = try Compressor(way.coding, effort: way.effort)
        var packed: [UInt8] = [], start = 0
        while start < text.count {
            let end = min(start + Int.random(in: 0...40_000, using: &random), text.count)
            packed += try compressor.append(Array(text[start..<end]))
            start = end
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            packed += try compressor.flush()
            let arrived = try way.coding.unpacked(packed)
            try expectSame(arrived.bytes, Array(text[..<end]))
            #expect(!arrived.isWhole)
        }
        packed += try compressor.finish()
        try expectSame(way.coding.whole(packed), text)
    }

    @Test(arguments: Way.all)
    func `a compressed stream without input is an empty body, however often it is flushed`(way: Way) throws {
        let compressor = try Compressor(way.coding, effort: way.effort)
        var packed = try compressor.flush()
        packed += try compressor.append([])
        packed += try compressor.flush()
        packed += try compressor.finish()
        #expect(try way.coding.whole(packed).isEmpty)
    }

    @Test(arguments: Way.all)
    func `a wrong size hint does not change what the receiver gets`(way: Way) throws {
        let text = Text.venue()
        for size in [0, 1, text.count * 10, Int.max] {
            let compressor = try Compressor(way.coding, effort: way.effort, size: size)
            try expectSame(way.coding.whole(compressor.append(text) + compressor.finish()), text)
        }
    }

    @Test(arguments: Way.all)
    func `compression is deterministic`(way: Way) throws {
        let text = Text.long(100_000, seed: 7)
        let packed = try way.coding.compressed(text, effort: way.effort)
        try expectSame(way.coding.compressed(text, effort: way.effort), packed)
        // Neither a name nor a time.
        if way.coding == .gzip { #expect(packed[3..<8] == [0, 0, 0, 0, 0]) }
    }

    @Test(arguments: Way.all)
    func `a compressed body is read by the reference program`(way: Way) async throws {
        let text = Text.long(200_000, seed: 8)
        let whole = try way.coding.compressed(text, effort: way.effort)
        let stream = try Compressor(way.coding, effort: way.effort)
        var parts = try stream.append(Array(text[..<70_000]))
        parts += try stream.flush()
        parts += try stream.append(Array(text[70_000...]))
        parts += try stream.finish()
        for packed in [whole, parts, try way.coding.compressed([], effort: way.effort)] {
            guard let unpacked = try await way.coding.run(["-d", "-c"], on: packed) else { return }
            try expectSame(unpacked, way.coding.whole(packed))
        }
        try expectSame(way.coding.whole(parts), text)
    }

    @Test func `gzip for cached replies is as short as the reference program makes it`() async throws {
        let text = Text.venue()
        guard let theirs = try await ContentCoding.gzip.run(["-9", "-n", "-c"], on: text) else { return }
        #expect(try ContentCoding.gzip.compressed(text, effort: .once).count <= theirs.count + 16)
    }

    @Test func `brotli is shortest and gzip longest for cached replies`() throws {
        let reply = Array(Text.features.prefix(20).joined(separator: Array(",\n".utf8)))
        let lengths = try [ContentCoding.br, .zstd, .gzip].map { try $0.compressed(reply, effort: .once).count }
        #expect(lengths == lengths.sorted())
    }
}
