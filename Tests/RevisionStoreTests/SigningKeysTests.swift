import Foundation
import RevisionStore
import SyncModel
import Testing

/// The file with the keys that sign revisions.
struct SigningKeysTests {
    private static let day = Date(timeIntervalSince1970: 1_775_034_000)

    @Test func `signing keys: the oldest key signs until it is retired, and its secret is gone then`() throws {
        var keys = SigningKeys()
        let (first, second) = (try keys.create(at: Self.day), try keys.create(at: Self.day))
        #expect(keys.signerID == first.id && keys.trusted.map(\.id) == [first.id, second.id])
        let before = String(decoding: try keys.content(), as: UTF8.self)
        #expect(try SigningKeys(Data(before.utf8)).signerID == first.id)

        try keys.retire(first.id, isCompromised: false, at: Self.day + 1)
        let content = try keys.content()
        let restored = try SigningKeys(content)
        #expect(restored.signerID == second.id && restored.trusted.map(\.id) == [first.id, second.id])
        #expect(restored.keys[0].retiredAt == Self.day + 1 && restored.keys[1].retiredAt == nil)
        #expect(before.components(separatedBy: "private_key").count == 3)
        #expect(String(decoding: content, as: UTF8.self).components(separatedBy: "private_key").count == 2)
    }

    @Test func `signing keys: a compromised key is not accepted any more`() throws {
        var keys = SigningKeys()
        let (first, second) = (try keys.create(at: Self.day), try keys.create(at: Self.day))
        try keys.retire(first.id, isCompromised: true, at: Self.day)
        #expect(keys.trusted.map(\.id) == [second.id] && keys.signerID == second.id)
    }

    @Test func `signing keys: the last key that can sign is not retired`() throws {
        var keys = SigningKeys()
        let key = try keys.create(at: Self.day)
        for isCompromised in [false, true] {
            #expect(throws: SigningKeys.Invalid.self) {
                try keys.retire(key.id, isCompromised: isCompromised, at: Self.day)
            }
        }
        #expect(throws: SigningKeys.Invalid.self) { try keys.retire("none", isCompromised: false, at: Self.day) }
        #expect(keys.signerID == key.id)
    }

    @Test func `signing keys: a damaged file is refused`() throws {
        var keys = SigningKeys()
        let (first, second) = (try keys.create(at: Self.day), try keys.create(at: Self.day))
        let text = String(decoding: try keys.content(), as: UTF8.self)
        for (part, other) in [
            (first.id, "0123456789abcdef"), (second.publicKey, first.publicKey), ("\"keys\"", "\"kays\""),
            ("private_key\":\"", "private_key\":\"A"), ("}]", "}"),
        ] {
            #expect(throws: SigningKeys.Invalid.self, "\(part)") {
                try SigningKeys(Data(text.replacing(part, with: other, maxReplacements: 1).utf8))
            }
        }
        #expect(throws: SigningKeys.Invalid.self) {
            let entry = "\(text.split(separator: "[")[1].split(separator: "}")[0])}"
            return try SigningKeys(Data("{\"keys\":[\(entry),\(entry)]}".utf8))
        }
    }
}
