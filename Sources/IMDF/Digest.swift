import SystemCrypto

/// A SHA-256 digest. On the wire it is the text `sha-256:` and 64 lower-case hexadecimal digits, and only that.
public struct Digest: Hashable, Sendable {
    // Four words instead of an array: no allocation, and always 32 bytes.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Bytes in a digest.
    public static let byteCount = 32

    private static let prefix = "sha-256:"

    /// Digests bytes.
    public init(of bytes: [UInt8]) {
        self.init(thirtyTwo: SHA256.hash(of: bytes))
    }

    /// Digests the bytes of any sequence, such as a string's UTF-8 view.
    public init(of bytes: some Sequence<UInt8>) {
        self.init(of: Array(bytes))
    }

    /// Creates a digest from its bytes; nil unless there are exactly 32.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(thirtyTwo: bytes)
    }

    init(thirtyTwo bytes: some Sequence<UInt8>) {
        var iterator = bytes.makeIterator()
        func word() -> UInt64 {
            var word: UInt64 = 0
            for _ in 0..<8 { word = word << 8 | UInt64(iterator.next() ?? 0) }
            return word
        }
        self.words = (word(), word(), word(), word())
    }

    /// The 32 bytes, most significant first.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for word in [self.words.0, self.words.1, self.words.2, self.words.3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return bytes
    }

    public static func == (left: Digest, right: Digest) -> Bool {
        left.words == right.words
    }

    public func hash(into hasher: inout Hasher) {
        // The first word of a SHA-256 digest is a good hash.
        hasher.combine(self.words.0)
    }
}

extension Digest: LosslessStringConvertible {
    /// Reads the wire text. Nil for other algorithms, upper case or additional characters, so that a digest has exactly one text.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        self.init(hex: text.dropFirst(Self.prefix.count))
    }

    /// Reads the 64 lower-case hexadecimal digits alone.
    public init?(hex: some StringProtocol) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in hex.utf8 {
            let nibble: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nibble = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): nibble = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        guard high == nil else { return nil }
        self.init(bytes: bytes)
    }

    /// The 64 lower-case hexadecimal digits alone.
    public var hex: String {
        String(unsafeUninitializedCapacity: 2 * Self.byteCount) { buffer in
            var offset = 0
            for byte in self.bytes {
                for nibble in [byte >> 4, byte & 15] {
                    buffer[offset] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
                    offset += 1
                }
            }
            return offset
        }
    }

    public var description: String { Self.prefix + self.hex }
}

extension Digest: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = Digest(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is not “sha-256:” and 64 lower-case hexadecimal digits")
        }
        self = digest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
