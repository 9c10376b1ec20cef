/// Absolute http(s) URLs that every parser accepts, lenient or strict: RFC 3986 without user information.
package enum HTTPAddress {
    /// Percent-encodes a segment of a path, or a name or a value of a query: everything but the unreserved characters (RFC 3986 §2.3) and
    /// some others.
    package static func escaped(_ text: String, keeping others: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if self.isLetter(byte) || self.isDigit(byte) || "-._~".utf8.contains(byte) || others.utf8.contains(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard scheme == "http" || scheme == "https" else { return false }
        let rest = bytes[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { return false }
        let hierarchy = rest.dropFirst(2)
        let authority = hierarchy.prefix { !"/?#".utf8.contains($0) }
        return self.isAuthority(authority) && self.isPath(hierarchy.dropFirst(authority.count))
    }

    private static func isAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
        var host = authority
        var port: ArraySlice<UInt8> = []
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = authority[(authority.startIndex + 1)..<end]
            guard address.count >= 2, address.allSatisfy({ self.isHexDigit($0) || ":.".utf8.contains($0) })
            else { return false }
            port = authority[(end + 1)...]
            guard port.isEmpty || port.first == UInt8(ascii: ":") else { return false }
            port = port.dropFirst()
        } else {
            if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
                host = authority[..<colon]
                port = authority[(colon + 1)...]
            }
            guard !host.isEmpty, self.isText(host, allowing: "-._~!$&'()*+,;=") else { return false }
        }
        return port.count <= 5 && port.allSatisfy(self.isDigit)
    }

    /// Path, query and fragment, with at most one number sign.
    private static func isPath(_ path: ArraySlice<UInt8>) -> Bool {
        path.count { $0 == UInt8(ascii: "#") } <= 1 && self.isText(path, allowing: "-._~!$&'()*+,;=:@/?#")
    }

    /// Letters, digits, some punctuation and percent-encoded bytes.
    private static func isText(_ text: ArraySlice<UInt8>, allowing punctuation: String) -> Bool {
        var offset = text.startIndex
        while offset < text.endIndex {
            let byte = text[offset]
            if byte == UInt8(ascii: "%") {
                guard offset + 2 < text.endIndex, self.isHexDigit(text[offset + 1]), self.isHexDigit(text[offset + 2])
                else { return false }
                offset += 3
            } else {
                guard self.isLetter(byte) || self.isDigit(byte) || punctuation.utf8.contains(byte) else { return false }
                offset += 1
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        self.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }
}
