import Foundation
import IMDF
import Testing

/// Every expected digest was made with `sha256sum`.
@Suite struct DigestTests {
    private static let empty = "sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let abc = "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let level = "sha-256:3881dc2ee848fe04d776737c86afbc783e482e7c5be6431d3aab36fa8fa2c928"

    private static func levelDigest() -> Digest {
        var digest = LevelDigest()
        digest.add(body: Array(#"{"a":1}"#.utf8))
        digest.add(body: Array(#"{"b":2}"#.utf8))
        return digest.finalize()
    }

    @Test func `digest: the wire text is that of SHA-256`() {
        #expect(Digest(of: Array("abc".utf8)).description == Self.abc)
        #expect(Digest(of: "abc".utf8).description == Self.abc)
        #expect(Digest(of: []).description == Self.empty)
    }

    @Test func `digest: text, bytes and JSON round-trip`() throws {
        let digest = Digest(of: "abc".utf8)
        #expect(Digest(digest.description) == digest)
        #expect(Digest(hex: digest.hex) == digest)
        #expect(Digest(bytes: digest.bytes) == digest)
        let data = try JSONEncoder().encode([digest])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(Self.abc)\"]")
        #expect(try JSONDecoder().decode([Digest].self, from: data) == [digest])
    }

    @Test func `digest: other texts are refused`() {
        let hex = Self.abc.dropFirst(8)
        let texts = [
            "", "sha-256:", String(hex), "SHA-256:\(hex)", "sha-256:\(hex.uppercased())", "sha-256:\(hex)0",
            "sha-256:\(hex.dropLast())", "sha-256:\(hex.dropLast(2))", " sha-256:\(hex)", "sha-256:\(hex)\n",
            "sha-512:\(hex)", "sha-256:\(hex.dropLast())é", "sha-256:\(hex.dropLast())g",
        ]
        for text in texts { #expect(Digest(text) == nil, "\(text)") }
        #expect(Digest(bytes: [UInt8](repeating: 0, count: 31)) == nil)
        #expect(Digest(bytes: [UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test func `level digest: it covers the bodies, each with a line feed`() {
        #expect(Self.levelDigest().description == Self.level)
        #expect(LevelDigest().finalize().description == Self.empty)
    }

    @Test func `revision digest: it covers the level lines and the manifest`() throws {
        let venueWide = Self.levelDigest()
        let levels = [
            (id: FeatureID(2), digest: Self.levelDigest()), (id: FeatureID(1), digest: LevelDigest().finalize()),
        ]
        #expect(
            RevisionDigest.digest(venueWide: venueWide, levels: levels, manifest: nil).hex
                == "dfe2b6e12902049f7ed9afb63827269382387c8b70e9df58b89b2e46ed306aed")
        #expect(
            RevisionDigest.digest(
                venueWide: venueWide, levels: levels.reversed(), manifest: Array(#"{"language":"en"}"#.utf8)
            ).hex == "70604db674837ab761432e708d0d3e06a638f4f7f3dabdc820539e18cda3fa9d")
        #expect(
            RevisionDigest.digest(venueWide: LevelDigest().finalize(), levels: [], manifest: nil).hex
                == "5185fb0178bbfd84168a23219a829a4b89ec5772768566866d898c427b6cccda")
    }
}
