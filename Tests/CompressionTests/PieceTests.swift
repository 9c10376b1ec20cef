import Compression
import SampleVenue
import TestSupport
import Testing

@Suite struct PieceTests {
    /// Cuts a text at random positions, also into very short pieces.
    private static func split(_ text: [UInt8], using random: inout SplitMix64) -> [[UInt8]] {
        var pieces: [[UInt8]] = [], rest = text[...]
        while !rest.isEmpty {
            let most = [1, 2, 3, 40, 5_000, 120_000].randomElement(using: &random) ?? 1
            let piece = rest.prefix(Int.random(in: 1...most, using: &random))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    private static func join(_ pieces: [[UInt8]], in coding: ContentCoding) throws -> [UInt8] {
        var joiner = PieceJoiner(coding)
        var body = joiner.opening
        for piece in pieces {
            let encoded = try coding.encodedPiece(piece, at: coding.place(of: joiner.length))
            joiner.append(encoded.seam)
            body += encoded.bytes
        }
        return body + joiner.closing
    }

    @Test(arguments: ContentCoding.allCases, 0..<24 as Range<UInt64>)
    func `joined pieces decompress to the joined texts`(coding: ContentCoding, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let length = Int.random(in: 1...900_000, using: &random)
        let text = seed % 6 == 5 ? Text.noise(length / 8 + 1, seed: seed) : Text.long(length, seed: seed)
        let pieces = Self.split(text, using: &random)
        try expectSame(coding.decoded(Self.join(pieces, in: coding)), text)
    }

    @Test(arguments: ContentCoding.testable, [40, 41, 42] as [UInt64])
    func `joined pieces are read by the reference program`(coding: ContentCoding, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let text = Text.long(700_000, seed: seed)
        let body = try Self.join(Self.split(text, using: &random), in: coding)
        try await expectSame(coding.run(["-d", "-c"], on: body), text)
        try expectSame(coding.decoded(body), text)
    }

    @Test(arguments: ContentCoding.allCases, [50, 51, 52, 53] as [UInt64])
    func `an encoded piece fits every body in which it has the same alignment`(
        coding: ContentCoding, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let beginnings = (0..<2).map { Text.long(400_000 + 70_001 * $0, seed: seed &+ UInt64($0)) }
        let pieces = Self.split(Text.long(300_000, seed: seed &+ 9), using: &random)
        let encoded = try pieces.map { try coding.encodedPiece($0, at: coding.place(of: 400_000)) }
        for beginning in beginnings {
            var joiner = PieceJoiner(coding)
            let first = try coding.encodedPiece(beginning, at: 0)
            joiner.append(first.seam)
            var body = joiner.opening + first.bytes
            for piece in encoded {
                #expect(coding.place(of: joiner.length) == coding.place(of: 400_000))
                joiner.append(piece.seam)
                body += piece.bytes
            }
            try expectSame(coding.decoded(body + joiner.closing), beginning + pieces.joined())
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `a body without pieces is empty`(coding: ContentCoding) throws {
        let joiner = PieceJoiner(coding)
        #expect(try coding.decoded(joiner.opening + joiner.closing).isEmpty)
    }
}
