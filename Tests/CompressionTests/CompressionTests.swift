import Compression
import SampleVenue
import TestSupport
import Testing

/// A content coding with a compression effort.
struct Variant: CustomTestStringConvertible {
    let coding: ContentCoding
    let effort: Effort

    static let all = Self.variants(of: ContentCoding.allCases)
    static let testable = Self.variants(of: ContentCoding.testable)

    private static func variants(of codings: [ContentCoding]) -> [Variant] {
        codings.flatMap { coding in [Effort.once, .streamed].map { Variant(coding: coding, effort: $0) } }
    }

    var testDescription: String { "\(self.coding) \(self.effort)" }
}

/// Compares outside of the macro, which would print the difference of megabytes.
func expectSame(_ bytes: [UInt8], _ others: [UInt8], _ location: SourceLocation = #_sourceLocation) throws {
    let isSame = bytes == others
    try #require(isSame, "\(bytes.count) bytes, and not the \(others.count) expected", sourceLocation: location)
}

@Suite struct CompressionTests {
    @Test(arguments: Variant.all)
    func `compression: compressed bytes decompress to the original`(variant: Variant) throws {
        let texts = [
            [], [0], Array("{}".utf8), Text.venue(), Text.noise(100_000, seed: 1), Text.noise(1 << 15, seed: 2),
            [UInt8](repeating: 0x20, count: 1 << 17),
        ]
        for text in texts {
            let encoded = try variant.coding.compressed(text, effort: variant.effort)
            try expectSame(variant.coding.decoded(encoded, isOneFrame: true), text)
            #expect(encoded.count <= text.count + text.count / 1_000 + 40)
        }
    }

    @Test(arguments: Variant.all)
    func `compression: 20 MB are reduced to less than a quarter and decompress to the original`(variant: Variant) throws
    {
        let text = Text.long(20 << 20, seed: 3)
        let encoded = try variant.coding.compressed(text, effort: variant.effort)
        #expect(encoded.count < text.count / 4)
        try expectSame(variant.coding.decoded(encoded, isOneFrame: true), text)
    }

    @Test(arguments: Variant.all, [4, 5, 6] as [UInt64])
    func `compressed stream may be cut anywhere, and flushed input has arrived`(variant: Variant, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Text.long(300_000, seed: seed)
        let compressor = try Compressor(variant.coding, effort: variant.effort)
        var encoded: [UInt8] = [], start = 0
        while start < text.count {
            let end = min(start + Int.random(in: 0...40_000, using: &random), text.count)
            encoded += try compressor.append(Array(text[start..<end]))
            start = end
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            encoded += try compressor.flush()
            let arrived = try variant.coding.partiallyDecoded(encoded, isOneFrame: true)
            try expectSame(arrived.bytes, Array(text[..<end]))
            #expect(!arrived.isComplete)
        }
        encoded += try compressor.finish()
        try expectSame(variant.coding.decoded(encoded, isOneFrame: true), text)
    }

    @Test(arguments: Variant.all)
    func `compressed stream without input is an empty body, however often it is flushed`(variant: Variant) throws {
        let compressor = try Compressor(variant.coding, effort: variant.effort)
        var encoded = try compressor.flush()
        encoded += try compressor.append([])
        encoded += try compressor.flush()
        encoded += try compressor.finish()
        #expect(try variant.coding.decoded(encoded, isOneFrame: true).isEmpty)
    }

    @Test(arguments: Variant.all)
    func `compression: a wrong size hint does not change what the receiver gets`(variant: Variant) throws {
        let text = Text.venue()
        for size in [0, 1, text.count * 10, Int.max] {
            let compressor = try Compressor(variant.coding, effort: variant.effort, size: size)
            try expectSame(
                variant.coding.decoded(compressor.append(text) + compressor.finish(), isOneFrame: true), text)
        }
    }

    @Test(arguments: Variant.all)
    func `compression is deterministic`(variant: Variant) throws {
        let text = Text.long(100_000, seed: 7)
        let encoded = try variant.coding.compressed(text, effort: variant.effort)
        try expectSame(variant.coding.compressed(text, effort: variant.effort), encoded)
        // The header has neither a name nor a time.
        if variant.coding == .gzip { #expect(encoded[3..<8] == [0, 0, 0, 0, 0]) }
    }

    @Test(arguments: Variant.testable)
    func `compression: bodies are read by the reference program`(variant: Variant) async throws {
        let text = Text.long(200_000, seed: 8)
        let whole = try variant.coding.compressed(text, effort: variant.effort)
        let stream = try Compressor(variant.coding, effort: variant.effort)
        var parts = try stream.append(Array(text[..<70_000]))
        parts += try stream.flush()
        parts += try stream.append(Array(text[70_000...]))
        parts += try stream.finish()
        for encoded in [whole, parts, try variant.coding.compressed([], effort: variant.effort)] {
            try await expectSame(
                variant.coding.run(["-d", "-c"], on: encoded), variant.coding.decoded(encoded, isOneFrame: true))
        }
        try expectSame(variant.coding.decoded(parts, isOneFrame: true), text)
    }

    @Test(.requires(program: "gzip"))
    func `compression: gzip for cached responses is as short as the reference program makes it`() async throws {
        let text = Text.venue()
        let reference = try await ContentCoding.gzip.run(["-9", "-n", "-c"], on: text)
        #expect(try ContentCoding.gzip.compressed(text, effort: .once).count <= reference.count + 16)
    }

    @Test func `compression: brotli is shortest and gzip longest for cached responses`() throws {
        let response = Array(Text.features.prefix(20).joined(separator: Array(",\n".utf8)))
        let lengths = try [ContentCoding.br, .zstd, .gzip].map { try $0.compressed(response, effort: .once).count }
        #expect(lengths == lengths.sorted())
    }
}
