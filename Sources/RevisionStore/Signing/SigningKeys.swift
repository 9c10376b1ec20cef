package import Foundation
package import SyncModel
import SystemCrypto

/// The keys of a file with which this program signs statements about revisions. They are never in the database.
///
/// The file is a JSON object `{"keys": [{"key_id", "public_key", "private_key", "created_at", "retired_at"}]}`, the oldest key first.
/// A retired key has no private key any more. It signs nothing, and is listed so that what it has signed can be signed again.
package struct SigningKeys: Sendable {
    package struct Key: Codable, Sendable {
        package let id: String
        package let publicKey: String
        /// The 32 bytes in base64url; nil for a retired key.
        fileprivate var privateKey: String?
        package let createdAt: Date
        package private(set) var retiredAt: Date?

        package enum CodingKeys: String, CodingKey {
            case id = "key_id"
            case publicKey = "public_key"
            case privateKey = "private_key"
            case createdAt = "created_at"
            case retiredAt = "retired_at"
        }

        /// A new key.
        fileprivate init(createdAt: Date) {
            let pair = Ed25519.PrivateKey()
            let publicKey = SigningKeys.publicKey(of: pair)
            self.id = publicKey.id
            self.publicKey = publicKey.description
            self.privateKey = Base64URL.text(of: pair.bytes)
            self.createdAt = createdAt
        }

        fileprivate mutating func retire(at date: Date) {
            self.privateKey = nil
            self.retiredAt = date
        }
    }

    /// What is wrong with a file of keys, or with a change of it.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    private struct File: Codable {
        let keys: [Key]
    }

    package private(set) var keys: [Key]
    /// The keys whose statements are valid, by id.
    private var publicKeys: [String: PublicKey] = [:]
    private var signer: (id: String, key: Ed25519.PrivateKey)?

    package init() {
        self.keys = []
    }

    /// Reads the content of a file.
    ///
    /// - Throws: ``Invalid``.
    package init(_ content: Data) throws {
        guard let file = try? WireJSON.value(File.self, from: content) else {
            throw Invalid(description: "it is not a JSON object with a list of keys")
        }
        try self.init(file.keys)
    }

    private init(_ keys: [Key]) throws {
        self.keys = keys
        for key in keys {
            guard let publicKey = PublicKey(key.publicKey), publicKey.id == key.id else {
                throw Invalid(description: "the public key \(key.id) is damaged")
            }
            guard self.publicKeys.updateValue(publicKey, forKey: key.id) == nil else {
                throw Invalid(description: "duplicate key \(key.id)")
            }
            guard let text = key.privateKey, key.retiredAt == nil else { continue }
            guard let bytes = Base64URL.bytes(of: text),
                let pair = Ed25519.PrivateKey(bytes: bytes),
                Self.publicKey(of: pair) == publicKey
            else { throw Invalid(description: "the private key \(key.id) is damaged") }
            if self.signer == nil { self.signer = (key.id, pair) }
        }
    }

    /// The content of a file with these keys.
    package func content() throws -> Data { try WireJSON.data(File(keys: self.keys)) + Data("\n".utf8) }

    private static func publicKey(of pair: Ed25519.PrivateKey) -> PublicKey {
        guard let key = PublicKey(bytes: pair.publicKey) else {
            preconditionFailure("an Ed25519 public key has 32 bytes")
        }
        return key
    }

    /// The keys whose statements are valid: all in the file.
    package var trusted: [PublicKey] { self.keys.compactMap { self.publicKeys[$0.id] } }

    /// The id of the oldest key that is not retired, which signs; nil if there is none.
    package var signerID: String? { self.signer?.id }
}

// MARK: - Changes of the file

extension SigningKeys {
    /// Adds a key. It signs as soon as every older one is retired.
    package mutating func create(at date: Date) throws -> Key {
        let key = Key(createdAt: date)
        self = try SigningKeys(self.keys + [key])
        return key
    }

    /// Retires a key.
    ///
    /// - Parameter isCompromised: The key is deleted: from then on what it has signed is not valid.
    /// - Throws: ``Invalid`` if there is no such key, or no other key that could sign.
    package mutating func retire(_ id: String, isCompromised: Bool, at date: Date) throws {
        guard let index = self.keys.firstIndex(where: { $0.id == id }) else {
            throw Invalid(description: "there is no key \(id)")
        }
        var keys = self.keys
        if isCompromised {
            keys.remove(at: index)
        } else {
            guard keys[index].retiredAt == nil else { throw Invalid(description: "the key \(id) is retired already") }
            keys[index].retire(at: date)
        }
        let changed = try SigningKeys(keys)
        guard changed.signer != nil else {
            throw Invalid(description: "no other key could sign; create one first, and let the apps trust it")
        }
        self = changed
    }
}

// MARK: - Signing

extension SigningKeys {
    /// Signs a statement that names ``signerID``.
    package func sign(_ statement: RevisionStatement) throws -> SignedStatement {
        guard let signer, signer.id == statement.keyID else { throw Invalid(description: "there is no key that signs") }
        guard let signature = signer.key.signature(of: statement.signedBytes) else {
            throw Invalid(description: "the statement could not be signed")
        }
        return SignedStatement(statement: statement, signature: signature)
    }
}
