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
}
