import IMDF

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the bytes of a token: base64url (RFC 4648 §5) without padding.
struct TokenWriter {
    private(set) var bytes: [UInt8] = []

    init(bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    mutating func append(fixed value: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            self.bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// Seven bits a byte, the lowest first (LEB128).
    mutating func append(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            self.bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        self.bytes.append(UInt8(value))
    }

    mutating func append(_ bytes: [UInt8]) {
        self.append(UInt64(bytes.count))
        self.bytes += bytes
    }

    mutating func append(contentsOf other: TokenWriter) {
        self.bytes += other.bytes
    }

    /// Appends the first bytes of the SHA-256 of everything so far.
    mutating func appendChecksum() {
        self.bytes += Digest(of: self.bytes).bytes.prefix(Self.checksumLength)
    }

    fileprivate static let checksumLength = 4

    var token: String {
        Data(self.bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// Reads a token from an untrusted source: a read returns nil instead of trapping.
struct TokenReader {
    private var content: [UInt8]
    private var offset = 0

    /// Bytes; enough for the bits of a venue with 100 000 levels, twice.
    private static let maximumLength = 40_000

    init?(token: String) {
        guard token.utf8.count <= Self.maximumLength, !token.utf8.contains(where: { "+/=".utf8.contains($0) }) else {
            return nil
        }
        let standard = token.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding) else { return nil }
        self.content = [UInt8](data)
    }

    /// Removes the checksum of ``TokenWriter/appendChecksum()``; false if it does not match.
    mutating func dropChecksum() -> Bool {
        let checksum = self.content.suffix(TokenWriter.checksumLength)
        let rest = self.content.dropLast(TokenWriter.checksumLength)
        guard checksum.elementsEqual(Digest(of: rest).bytes.prefix(TokenWriter.checksumLength)) else { return false }
        self.content = Array(rest)
        return true
    }

    var isAtEnd: Bool { self.offset == self.content.count }

    /// The bytes that were not read yet.
    mutating func remainder() -> [UInt8] {
        defer { self.offset = self.content.count }
        return Array(self.content[self.offset...])
    }

    mutating func byte() -> UInt8? {
        guard self.offset < self.content.count else { return nil }
        defer { self.offset += 1 }
        return self.content[self.offset]
    }

    mutating func fixed() -> UInt64? {
        guard self.content.count - self.offset >= 8 else { return nil }
        defer { self.offset += 8 }
        return self.content[self.offset..<self.offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = self.byte() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    mutating func bytes() -> [UInt8]? {
        guard let count = self.number(), count <= self.content.count - self.offset else { return nil }
        defer { self.offset += Int(count) }
        return Array(self.content[self.offset..<self.offset + Int(count)])
    }
}
