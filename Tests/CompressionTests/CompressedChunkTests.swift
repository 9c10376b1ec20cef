import Compression
import SampleVenue
import TestSupport
import Testing

@Suite struct CompressedChunkTests {
    /// Cuts a text at random positions, also into very short chunks.
    private static func split(_ text: [UInt8], using random: inout SplitMix64) -> [[UInt8]] {
        var chunks: [[UInt8]] = [], rest = text[...]
        while !rest.isEmpty {
            let most = [1, 2, 3, 40, 5_000, 120_000].randomElement(using: &random) ?? 1
            let chunk = rest.prefix(Int.random(in: 1...most, using: &random))
            chunks.append(Array(chunk))
            rest = rest.dropFirst(chunk.count)
        }
        return chunks
    }

    private static func join(_ chunks: [[UInt8]], in coding: ContentCoding) throws -> [UInt8] {
        var joiner = ChunkJoiner(coding)
        var body = joiner.opening
        for chunk in chunks {
            let encoded = try coding.compressedChunk(chunk, at: coding.alignment(of: joiner.length))
            joiner.append(encoded.checksum)
            body += encoded.bytes
        }
        return body + joiner.closing
    }

    @Test(arguments: ContentCoding.allCases, 0..<24 as Range<UInt64>)
    func `compressed chunks: joined chunks decompress to the joined texts`(coding: ContentCoding, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let length = Int.random(in: 1...900_000, using: &random)
        let text = seed % 6 == 5 ? Text.noise(length / 8 + 1, seed: seed) : Text.long(length, seed: seed)
        let chunks = Self.split(text, using: &random)
        try expectSame(coding.decoded(Self.join(chunks, in: coding)), text)
    }

    @Test(arguments: ContentCoding.testable, [40, 41, 42] as [UInt64])
    func `compressed chunks: joined chunks are read by the reference program`(coding: ContentCoding, seed: UInt64)
        async throws
    {
        var random = SplitMix64(seed: seed)
        let text = Text.long(700_000, seed: seed)
        let body = try Self.join(Self.split(text, using: &random), in: coding)
        try await expectSame(coding.run(["-d", "-c"], on: body), text)
        try expectSame(coding.decoded(body), text)
    }

    @Test(arguments: ContentCoding.allCases, [50, 51, 52, 53] as [UInt64])
    func `compressed chunks: an encoded chunk fits every body in which it has the same alignment`(
        coding: ContentCoding, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let beginnings = (0..<2).map { Text.long(400_000 + 70_001 * $0, seed: seed &+ UInt64($0)) }
        let chunks = Self.split(Text.long(300_000, seed: seed &+ 9), using: &random)
        let encoded = try chunks.map { try coding.compressedChunk($0, at: coding.alignment(of: 400_000)) }
        for beginning in beginnings {
            var joiner = ChunkJoiner(coding)
            let first = try coding.compressedChunk(beginning, at: 0)
            joiner.append(first.checksum)
            var body = joiner.opening + first.bytes
            for chunk in encoded {
                #expect(coding.alignment(of: joiner.length) == coding.alignment(of: 400_000))
                joiner.append(chunk.checksum)
                body += chunk.bytes
            }
            try expectSame(coding.decoded(body + joiner.closing), beginning + chunks.joined())
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `compressed chunks: a body without chunks is empty`(coding: ContentCoding) throws {
        let joiner = ChunkJoiner(coding)
        #expect(try coding.decoded(joiner.opening + joiner.closing).isEmpty)
    }
}
