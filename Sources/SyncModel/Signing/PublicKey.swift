import IMDF
import SystemCrypto

/// An Ed25519 public key (RFC 8032), with which an app verifies that the operator of a venue published what it received.
///
/// As text it is `ed25519:` and the 32 bytes in base64url without padding, as `venue signing-keys` prints it.
public struct PublicKey: Hashable, Sendable {
    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    private static let prefix = "ed25519:"
    /// Creates a key from its bytes; nil unless there are exactly 32.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Ed25519.keyByteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// What statements name the key by: the first eight bytes of the SHA-256 of the key, in lower-case hexadecimal digits.
    public var id: String { String(Digest(of: self.bytes).hex.prefix(16)) }

    /// Whether a signature over these bytes was made with the private key that belongs to this one.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        Ed25519.isSignature(signature, of: message, publicKey: self.bytes)
    }
}

extension PublicKey: LosslessStringConvertible {
    /// Reads the text of a key. Nil for other algorithms and other spellings, so that a key has exactly one text.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Base64URL.bytes(of: String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(bytes: bytes)
    }

    public var description: String { Self.prefix + Base64URL.text(of: self.bytes) }
}

/// Base64url (RFC 4648 §5) without padding.
package enum Base64URL {
    package static func text(of bytes: [UInt8]) -> String { TokenWriter(bytes: bytes).token }

    /// Nil unless the text is exactly what ``text(of:)`` returns for some bytes.
    package static func bytes(of text: String) -> [UInt8]? {
        guard var reader = TokenReader(token: text) else { return nil }
        let bytes = reader.remainder()
        return Self.text(of: bytes) == text ? bytes : nil
    }
}
