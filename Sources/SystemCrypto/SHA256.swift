#if canImport(CryptoKit)
    import CryptoKit
#else
    import COpenSSL
#endif

/// SHA-256 (FIPS 180-4) by the library of the system: CryptoKit, or OpenSSL's libcrypto where there is none.
///
/// A copy continues from the same state.
package struct SHA256: Sendable {
    /// Bytes in a digest.
    package static let byteCount = 32

    #if canImport(CryptoKit)
        private var state = CryptoKit.SHA256()

        package init() {}

        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            self.state.update(bufferPointer: bytes)
        }

        /// The digest of what was added so far; more may be added after it.
        package func finalize() -> [UInt8] { Array(self.state.finalize()) }
    #else
        private var state = SHA256_CTX()

        package init() {
            SHA256_Init(&self.state)
        }

        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            SHA256_Update(&self.state, bytes.baseAddress, bytes.count)
        }

        /// The digest of what was added so far; more may be added after it.
        package func finalize() -> [UInt8] {
            var state = self.state
            return Array(unsafeUninitializedCapacity: Self.byteCount) { digest, count in
                SHA256_Final(digest.baseAddress, &state)
                count = Self.byteCount
            }
        }
    #endif

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { self.update(UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(bytes).withUnsafeBytes { self.update($0) } }
    }

    /// The digest of bytes.
    package static func hash(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }
}
