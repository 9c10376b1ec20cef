#if canImport(CryptoKit)
    import CryptoKit
#elseif SwiftCrypto
    import Crypto
#else
    private typealias SHA256 = PortableSHA256
#endif

/// SHA-256 by the system's CryptoKit, by swift-crypto if the package's trait `SwiftCrypto` is on, or else by ``PortableSHA256``. All
/// three compute the same digests; the last one is in Swift alone and does not use the SHA instructions of the processor.
struct SHA256Hasher: Sendable {
    private var hasher = SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        self.hasher.update(bufferPointer: bytes)
    }

    /// The digest of what was added so far; more may be added after it.
    func finalize() -> Digest {
        Digest(thirtyTwo: self.hasher.finalize())
    }
}
