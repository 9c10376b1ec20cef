#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
#else
    import COpenSSL
#endif

/// Ed25519 (RFC 8032) by the library of the system: CryptoKit, or OpenSSL's libcrypto where there is none.
package enum Ed25519 {
    /// Bytes in a private key, and in a public one.
    package static let keyByteCount = 32
    package static let signatureByteCount = 64

    /// A key that signs.
    package struct PrivateKey: Sendable {
        /// The 32 bytes of the private key.
        package let bytes: [UInt8]
        /// The 32 bytes of the public key that belongs to it.
        package let publicKey: [UInt8]

        /// A new key.
        package init() {
            var random = SystemRandomNumberGenerator()
            let bytes = (0..<Ed25519.keyByteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            guard let key = Self(bytes: bytes) else { preconditionFailure("any 32 bytes are an Ed25519 private key") }
            self = key
        }

        /// Reads the bytes of a private key; nil unless there are exactly 32.
        package init?(bytes: [UInt8]) {
            guard bytes.count == Ed25519.keyByteCount, let publicKey = Ed25519.publicKey(of: bytes) else { return nil }
            (self.bytes, self.publicKey) = (bytes, publicKey)
        }

        /// The signature of a message, 64 bytes; nil if the library of the system fails, which it does when memory is exhausted.
        package func signature(of message: [UInt8]) -> [UInt8]? {
            Ed25519.signature(of: message, privateKey: self.bytes)
        }
    }
}

#if canImport(CryptoKit)
    extension Ed25519 {
        /// Whether a signature over a message was made with the private key that belongs to a public one.
        package static func isSignature(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
            return key.isValidSignature(signature, for: message)
        }

        private static func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
            (try? Curve25519.Signing.PrivateKey(rawRepresentation: privateKey)).map {
                Array($0.publicKey.rawRepresentation)
            }
        }

        private static func signature(of message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: privateKey)
            return (try? key?.signature(for: message)).map { Array($0) }
        }
    }
#else
    extension Ed25519 {
        /// Whether a signature over a message was made with the private key that belongs to a public one.
        package static func isSignature(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
            // The library notes why a signature is wrong, for the thread; libpq and libcurl read these notes, too.
            defer { ERR_clear_error() }
            guard signature.count == Self.signatureByteCount, publicKey.count == Self.keyByteCount,
                let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count)
            else { return false }
            defer { EVP_PKEY_free(key) }
            return Self.withContext { context in
                guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
                return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
            } ?? false
        }

        private static func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
            Self.withKey(privateKey) { key in
                var bytes = [UInt8](repeating: 0, count: Self.keyByteCount)
                var count = bytes.count
                return EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 && count == bytes.count ? bytes : nil
            }
        }

        private static func signature(of message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
            Self.withKey(privateKey) { key in
                Self.withContext { context in
                    var signature = [UInt8](repeating: 0, count: Self.signatureByteCount)
                    var count = signature.count
                    guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
                        EVP_DigestSign(context, &signature, &count, message, message.count) == 1
                    else { return nil }
                    return count == signature.count ? signature : nil
                } ?? nil
            }
        }

        /// Nil also if the key cannot be made.
        private static func withKey(_ privateKey: [UInt8], _ body: (OpaquePointer) -> [UInt8]?) -> [UInt8]? {
            guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, privateKey, privateKey.count) else {
                return nil
            }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }

        /// Nil if memory is exhausted.
        private static func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
            guard let context = EVP_MD_CTX_new() else { return nil }
            defer { EVP_MD_CTX_free(context) }
            return body(context)
        }
    }
#endif
