/// The id of a feature: a UUID, compared as 128 bits and always written in lower case.
///
/// IMDF requires version 4. Any version is accepted, because real archives contain others. The order of ids is that of their
/// lower-case texts, which is also the order of `uuid` in PostgreSQL.
public struct FeatureID: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Characters in the written form `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
    public static let textLength = 36

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public static func < (left: FeatureID, right: FeatureID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension FeatureID: LosslessStringConvertible {
    /// Reads `8-4-4-4-12` hexadecimal digits in either case; anything else is nil.
    public init?(_ text: String) {
        var text = text
        guard let id = text.withUTF8({ FeatureID(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = id
    }

    /// Reads the written form from UTF-8 bytes; nil unless there are exactly 36 of them and they spell a UUID.
    public init?(utf8 bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.textLength else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (offset, byte) in bytes.enumerated() {
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.value(ofHexDigit: byte) else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | digit
            } else {
                halves.1 = halves.1 << 4 | digit
            }
            digits += 1
        }
        self.init(high: halves.0, low: halves.1)
    }

    public var description: String {
        String(unsafeUninitializedCapacity: Self.textLength) { buffer in
            var offset = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    buffer[offset] = UInt8(ascii: "-")
                    offset += 1
                }
                let half = digit < 16 ? self.high : self.low
                let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15))) & 15
                buffer[offset] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
                offset += 1
            }
            return offset
        }
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension FeatureID: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = FeatureID(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a UUID"))
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
