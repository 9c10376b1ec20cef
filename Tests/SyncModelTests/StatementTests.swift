import Foundation
import IMDF
import SyncModel
import Testing

/// Signed statements about revisions, byte for byte.
struct StatementTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
        }
    }

    /// Test 2 of RFC 8032 §7.1.
    private static let publicKey = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    private static let signature = bytes(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")

    private static func statement(validity: RevisionStatement.Validity? = nil) throws -> RevisionStatement {
        RevisionStatement(
            venue: try #require(VenueKey("mall")), epoch: "Oz5vD0AjYK0", revision: 7, digest: Digest(of: [1]),
            levels: [
                .init(id: nil, digest: Digest(of: [])),
                .init(id: FeatureID("00000000-0000-4000-8000-0000000000a1"), digest: Digest(of: [2])),
            ],
            manifestDigest: nil, bytes: 1_234, publishedAt: Date(timeIntervalSince1970: 1_775_034_000.25),
            keyID: "0123456789abcdef", validity: validity)
    }

    private static let text = """
        {"bytes":1234,"digest":"sha-256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",\
        "epoch":"Oz5vD0AjYK0","key_id":"0123456789abcdef",\
        "levels":[[null,"sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],\
        ["00000000-0000-4000-8000-0000000000a1",\
        "sha-256:dbc1b4c900ffe48d575b5da5c638040125f65db0fe3e24494b76ea986457d986"]],\
        "manifest_digest":null,"protocol":1,"published_at":"2026-04-01T09:00:00.250Z","revision":7,"venue":"mall"}
        """

    @Test func `statement is signed as canonical JSON, and sent with its signature as one more member`() throws {
        let statement = try Self.statement()
        #expect(String(decoding: statement.signedBytes, as: UTF8.self) == Self.text)
        let document = SignedStatement(statement: statement, signature: Self.signature).document
        // Removing one member gives the signed bytes, without any other change.
        let member = "\"signature\":\"\(Base64URL.text(of: Self.signature))\","
        #expect(member.utf8.count == 101)
        #expect(String(decoding: document, as: UTF8.self).replacing(member, with: "") == Self.text)
        #expect(try SignedStatement(document).statement == statement)
    }

    @Test func `statement about the head has two more members`() throws {
        let now = Date(timeIntervalSince1970: 1_775_034_100)
        let validity = RevisionStatement.Validity(asOf: now, expires: now + 600)
        let head = try Self.statement(validity: validity)
        let text = String(decoding: head.signedBytes, as: UTF8.self)
        #expect(text.hasPrefix("{\"as_of\":\"2026-04-01T09:01:40.000Z\",\"bytes\":1234,"))
        #expect(text.contains("\"expires\":\"2026-04-01T09:11:40.000Z\",\"key_id\""))
        let signed = SignedStatement(statement: head, signature: Self.signature)
        #expect(try SignedStatement(signed.document).statement.validity == validity)
    }

    @Test(arguments: [
        ("\"bytes\"", " \"bytes\""), ("1234", "1234.0"), ("1234", "-1"), ("\"protocol\":1", "\"protocol\":2"),
        ("\"revision\":7", "\"revision\":0"), ("\"revision\":7", "\"revision\":7,\"revision\":8"),
        ("\"venue\":\"mall\"", "\"venue\":\"Mall\""), ("\"venue\":\"mall\"", "\"venue\":\"mall\",\"x\":1"),
        ("[null,", "[\"00000000-0000-4000-8000-0000000000a0\","), ("sha-256:e3", "SHA-256:e3"),
        ("00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000A1"),
        ("09:00:00.250Z", "09:00:00.25Z"), ("\"manifest_digest\":null", "\"manifest_digest\":\"none\""),
        ("\"signature\":\"", "\"signature\":\"="), ("{", "[{"), ("}", ""),
    ])
    func `statement in any other form is refused`(part: String, replacement: String) throws {
        let signed = SignedStatement(statement: try Self.statement(), signature: Self.signature)
        let document = String(decoding: signed.document, as: UTF8.self)
        let other = document.replacing(part, with: replacement, maxReplacements: 1)
        #expect(other != document)
        #expect(throws: StatementError.self) { try SignedStatement(Array(other.utf8)) }
    }

    @Test func `signature is verified as RFC 8032 says, and only with the key that the statement names`() throws {
        let key = try #require(PublicKey(bytes: Self.publicKey))
        #expect(key.isSignature(Self.signature, of: [0x72]))
        #expect(!key.isSignature(Self.signature, of: [0x73]))
        #expect(!key.isSignature(Array(Self.signature.dropLast()), of: [0x72]))
        var other = Self.signature
        other[40] ^= 1
        #expect(!key.isSignature(other, of: [0x72]))
        let signed = SignedStatement(statement: try Self.statement(), signature: Self.signature)
        #expect(throws: StatementError("the statement is signed with the key 0123456789abcdef, which is not trusted")) {
            try signed.verify(trusting: [key])
        }
        #expect(throws: StatementError("the signature of the statement is wrong")) {
            let statement = try Self.statement().reissued(epoch: "Oz5vD0AjYK0", keyID: key.id)
            try SignedStatement(statement: statement, signature: Self.signature).verify(trusting: [key])
        }
    }

    @Test func `public key has exactly one text`() throws {
        let text = "ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"
        let key = try #require(PublicKey(text))
        #expect(key.bytes == Self.publicKey && key.description == text)
        #expect(key.id == "39f713d0a644253f")
        for other in [
            text + "=", text.replacing("-", with: "+"), String(text.dropLast()), String(text.dropFirst(8)),
            text.replacing("Zgw", with: "Zgx"), "ED25519:" + text.dropFirst(8), text + "AA",
        ] {
            #expect(PublicKey(other) == nil, "\(other)")
        }
    }
}
