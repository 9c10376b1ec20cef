import Foundation
import IMDF

/// Why a signed statement cannot be used.
package struct StatementError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A statement with its signature: the statement's canonical JSON with one more member, `signature`.
package struct SignedStatement: Hashable, Sendable {
    package let statement: RevisionStatement
    /// The 64 bytes of an Ed25519 signature over ``RevisionStatement/signedBytes``.
    package let signature: [UInt8]

    /// The largest document that is read, in bytes; enough for 100,000 levels.
    package static let maximumSize = 16 << 20

    package init(statement: RevisionStatement, signature: [UInt8]) {
        self.statement = statement
        self.signature = signature
    }

    /// The document as it is sent and stored: canonical JSON.
    package var document: [UInt8] {
        var members = self.statement.members
        members["signature"] = .string(Base64URL.text(of: self.signature))
        return CanonicalJSON.data(.object(members))
    }

    /// Reads a document. It has to be exactly the canonical JSON of a statement and its signature, so that no other reader can
    /// understand the signed bytes differently.
    ///
    /// - Throws: ``StatementError``. The signature is not verified.
    package init(_ document: [UInt8]) throws {
        guard document.count <= Self.maximumSize else { throw StatementError("the statement is too large") }
        guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: Data(document)) else {
            throw StatementError("the statement is not a JSON object")
        }
        guard let statement = RevisionStatement(members),
            let signature = members.text("signature").flatMap(Base64URL.bytes(of:))
        else { throw StatementError("the statement has an unknown form") }
        self.init(statement: statement, signature: signature)
        guard self.document == document else { throw StatementError("the statement is not in its canonical form") }
    }

    /// Verifies the signature.
    ///
    /// - Throws: ``StatementError`` if no key has the id that the statement names, or the signature is wrong.
    package func verify(trusting keys: some Sequence<PublicKey>) throws {
        guard let key = keys.first(where: { $0.id == self.statement.keyID }) else {
            throw StatementError("the statement is signed with the key \(self.statement.keyID), which is not trusted")
        }
        guard key.isSignature(self.signature, of: self.statement.signedBytes) else {
            throw StatementError("the signature of the statement is wrong")
        }
    }
}

extension RevisionStatement {
    /// Nil unless all members exist with the expected types, and the levels are in their order, each once.
    fileprivate init?(_ members: JSONObject) {
        guard members.integer("protocol") == Int64(Self.currentProtocol),
            let venue = members.text("venue").flatMap(VenueKey.init), let epoch = members.text("epoch"),
            let revision = members.integer("revision"), revision > 0,
            let digest = members.text("digest").flatMap({ Digest($0) }),
            case .array(let entries)? = members["levels"], let levels = Self.levels(entries),
            let bytes = members.integer("bytes"), bytes >= 0,
            let publishedAt = members.text("published_at").flatMap(Timestamp.date(of:)),
            let keyID = members.text("key_id")
        else { return nil }
        var validity: Validity?
        if let asOf = members.text("as_of").flatMap(Timestamp.date(of:)),
            let expires = members.text("expires").flatMap(Timestamp.date(of:))
        {
            validity = Validity(asOf: asOf, expires: expires)
        }
        self.init(
            venue: venue, epoch: epoch, revision: revision, digest: digest, levels: levels,
            manifestDigest: members.text("manifest_digest").flatMap { Digest($0) }, bytes: bytes,
            publishedAt: publishedAt, keyID: keyID, validity: validity)
    }

    private static func levels(_ entries: [JSONValue]) -> [Level]? {
        var levels: [Level] = []
        for entry in entries {
            guard case .array(let pair) = entry, pair.count == 2, case .string(let text) = pair[1],
                let digest = Digest(text)
            else { return nil }
            guard let last = levels.last else {
                guard pair[0] == .null else { return nil }
                levels.append(Level(id: nil, digest: digest))
                continue
            }
            guard case .string(let name) = pair[0], let id = FeatureID(name), last.id.map({ $0 < id }) ?? true else {
                return nil
            }
            levels.append(Level(id: id, digest: digest))
        }
        return levels.isEmpty ? nil : levels
    }
}

extension JSONObject {
    fileprivate func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    fileprivate func integer(_ key: String) -> Int64? {
        if case .number(let number)? = self[key] { Int64(exactly: number) } else { nil }
    }
}
