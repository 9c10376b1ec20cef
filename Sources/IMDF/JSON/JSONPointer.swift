/// JSON pointers (RFC 6901).
package enum JSONPointer {
    /// A key as a reference token (§3).
    package static func token(_ key: String) -> String {
        // By bytes: a slash and a combining mark after it are one Character.
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        var bytes: [UInt8] = []
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "~"): bytes += "~0".utf8
            case UInt8(ascii: "/"): bytes += "~1".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The keys of which the reference tokens of a pointer are made (§4).
    package static func keys(of pointer: String) -> [String] {
        // By bytes, as above.
        pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map(self.key)
    }

    private static func key(_ token: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in token {
            switch (isEscaped, byte) {
            case (true, UInt8(ascii: "0")): isEscaped = false
            case (true, UInt8(ascii: "1")):
                bytes[bytes.count - 1] = UInt8(ascii: "/")
                isEscaped = false
            default:
                bytes.append(byte)
                isEscaped = byte == UInt8(ascii: "~")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
