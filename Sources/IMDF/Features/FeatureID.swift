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
        guard let digits = UUIDDigits(utf8: bytes) else { return nil }
        self.init(high: digits.high, low: digits.low)
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
