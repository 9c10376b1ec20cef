import RevisionStore
import SystemCrypto

/// The hash of a secret. The secret itself is never stored.
package struct KeyHash: Sendable {
    package let bytes: [UInt8]

    package init(of secret: String) {
        self.bytes = SHA256.hash(of: secret.utf8)
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes constant time, so that it does not reveal where the hashes differ.
    package func matches(_ other: KeyHash) -> Bool {
        guard self.bytes.count == other.bytes.count else { return false }
        // The parentheses matter: | and ^ have the same precedence, and without them later bytes could cancel a difference.
        return zip(self.bytes, other.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// A key as clients send it: `vsk_<id>_<secret>`, in hexadecimal digits. The id identifies the key, the secret authenticates it.
struct KeyToken: LosslessStringConvertible {
    let id: KeyID
    let secret: String

    private static let prefix = "vsk"

    static func random() -> KeyToken {
        let secret = (0..<4).map { _ in UInt64.random(in: .min ... .max) }
            .map { String($0 | 1 << 63, radix: 16) }.joined()
        return KeyToken(id: .random(), secret: secret)
    }

    private init(id: KeyID, secret: String) {
        self.id = id
        self.secret = secret
    }

    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix, let id = KeyID(String(parts[1])), !parts[2].isEmpty else {
            return nil
        }
        self.init(id: id, secret: String(parts[2]))
    }

    var description: String { "\(Self.prefix)_\(self.id)_\(self.secret)" }

    var hash: KeyHash { KeyHash(of: self.secret) }
}
