import IMDF
import SampleVenue
import Testing

@Suite struct PortableSHA256Tests {
    private static func digest(_ parts: [[UInt8]]) -> Digest? {
        var hasher = PortableSHA256()
        for part in parts { part.withUnsafeBytes { hasher.update(bufferPointer: $0) } }
        return Digest(bytes: hasher.finalize())
    }

    /// The examples of FIPS 180-4, and the digest of no bytes.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `portable SHA-256 gives the published digests`(text: String, hex: String) {
        #expect(Self.digest([Array(text.utf8)])?.hex == hex)
    }

    @Test func `portable SHA-256 gives the published digest of a million bytes`() {
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        #expect(
            Self.digest(Array(repeating: part, count: 1000))?.hex
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `portable SHA-256 equals the hasher in use, for every length and division`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for length in 0..<260 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let cut = Int.random(in: 0...length, using: &random)
            #expect(
                Self.digest([Array(bytes[..<cut]), Array(bytes[cut...])]) == Digest(of: bytes), "\(length), \(cut)")
        }
    }
}
