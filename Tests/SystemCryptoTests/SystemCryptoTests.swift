import SampleVenue
import SystemCrypto
import Testing

@Suite struct SystemCryptoTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        var digits = hex[...]
        var bytes: [UInt8] = []
        while !digits.isEmpty {
            bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
        return bytes
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
    func `SHA-256 gives the published digests`(text: String, hex: String) {
        #expect(SHA256.hash(of: text.utf8) == Self.bytes(hex))
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `SHA-256 does not depend on how the bytes are divided, and a copy continues on its own`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for length in 0..<260 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let cut = Int.random(in: 0...length, using: &random)
            var hash = SHA256()
            hash.update(bytes[..<cut])
            var copy = hash
            copy.update([1])
            hash.update(Array(bytes[cut...]))
            #expect(hash.finalize() == SHA256.hash(of: bytes), "\(length), \(cut)")
            #expect(hash.finalize() == SHA256.hash(of: bytes), "finalizing changes nothing")
        }
    }

    /// RFC 4231, test cases 1, 2, 3 and 6: short keys, and one that is longer than a block.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `HMAC-SHA-256 gives the published codes`(key: [UInt8], message: [UInt8], hex: String) {
        #expect(HMACSHA256.code(of: message, key: key) == Self.bytes(hex))
    }

    /// RFC 8032, section 7.1, tests 1 to 3.
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ])
    func `Ed25519 gives the published signatures`(
        privateKey: String, publicKey: String, message: String, signature: String
    ) throws {
        let key = try #require(Ed25519.PrivateKey(bytes: Self.bytes(privateKey)))
        let (message, signature) = (Self.bytes(message), Self.bytes(signature))
        #expect(key.publicKey == Self.bytes(publicKey))
        #expect(key.signature(of: message) == signature)
        #expect(Ed25519.isSignature(signature, of: message, publicKey: key.publicKey))
    }

    @Test func `Ed25519 refuses every changed bit, wrong lengths and keys that are no point`() throws {
        let key = Ed25519.PrivateKey()
        let message = Array("revision 7".utf8)
        let signature = try #require(key.signature(of: message))
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Ed25519.isSignature(changed, of: message, publicKey: key.publicKey), "bit \(bit)")
        }
        #expect(!Ed25519.isSignature(signature, of: message + [0], publicKey: key.publicKey))
        #expect(!Ed25519.isSignature(Array(signature.dropLast()), of: message, publicKey: key.publicKey))
        #expect(!Ed25519.isSignature(signature, of: message, publicKey: Array(key.publicKey.dropLast())))
        #expect(!Ed25519.isSignature(signature, of: message, publicKey: [UInt8](repeating: 0xff, count: 32)))
        #expect(Ed25519.PrivateKey(bytes: [1, 2, 3]) == nil)
    }
}
