internal import SystemCrypto

extension FeatureID {
    /// The UUID of version 5 of a name in a namespace (RFC 9562 §5.5). The same arguments have the same result everywhere.
    package init(name: some Sequence<UInt8>, namespace: FeatureID) {
        var bytes: [UInt8] = []
        for half in [namespace.high, namespace.low] {
            withUnsafeBytes(of: half.bigEndian) { bytes.append(contentsOf: $0) }
        }
        let digest = SHA1.hash(of: bytes + name)
        let high = digest[0..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let low = digest[8..<16].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self.init(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x5000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
