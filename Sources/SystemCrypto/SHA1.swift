#if canImport(CryptoKit)
    import CryptoKit
#else
    import COpenSSL
#endif

/// SHA-1 (FIPS 180-4) by the library of the system, for UUIDs of version 5. It protects nothing.
package enum SHA1 {
    /// Bytes in a digest.
    package static let byteCount = 20

    /// The digest of bytes.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(Insecure.SHA1.hash(data: bytes))
        #else
            Array(unsafeUninitializedCapacity: Self.byteCount) { digest, count in
                _ = COpenSSL.SHA1(bytes, bytes.count, digest.baseAddress)
                count = Self.byteCount
            }
        #endif
    }
}
