/// HMAC-SHA-256 (RFC 2104).
///
/// A copy continues from the same state, so that a key is prepared once and used for many messages.
package struct HMACSHA256: Sendable {
    private static let blockLength = 64

    private var inner = SHA256()
    private var outer = SHA256()

    package init(key: [UInt8]) {
        let key = key.count > Self.blockLength ? SHA256.hash(of: key) : key
        let block = key + [UInt8](repeating: 0, count: Self.blockLength - key.count)
        self.inner.update(block.map { $0 ^ 0x36 })
        self.outer.update(block.map { $0 ^ 0x5c })
    }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        self.inner.update(bytes)
    }

    /// The code of what was added so far, 32 bytes.
    package func finalize() -> [UInt8] {
        var outer = self.outer
        outer.update(self.inner.finalize())
        return outer.finalize()
    }

    /// The code of a message.
    package static func code(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        var hmac = HMACSHA256(key: key)
        hmac.update(message)
        return hmac.finalize()
    }
}
