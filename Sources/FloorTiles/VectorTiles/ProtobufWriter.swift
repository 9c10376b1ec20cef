import IMDF

/// Writes messages in the wire format of Protocol Buffers, as far as vector tiles and glyphs need it.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            self.bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        self.bytes.append(UInt8(value))
    }

    mutating func write(_ value: UInt64, field: Int) {
        self.write(varint: UInt64(field << 3))
        self.write(varint: value)
    }

    /// A number of type `sint32` or `sint64`.
    mutating func write(zigzag value: Int, field: Int) {
        self.write(UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))), field: field)
    }

    mutating func write(_ content: some Collection<UInt8>, field: Int) {
        self.write(varint: UInt64(field << 3 | 2))
        self.write(varint: UInt64(content.count))
        self.bytes += content
    }

    /// Begins a field whose content is written next.
    mutating func beginMessage(length: Int, field: Int) {
        self.write(varint: UInt64(field << 3 | 2))
        self.write(varint: UInt64(length))
    }

    /// The length of a field with a number up to 15 and so many bytes of content.
    static func length(ofFieldWith content: Int) -> Int {
        1 + ScratchBuffer<UInt8>.length(ofVarint: UInt64(content)) + content
    }

    mutating func reserve(_ count: Int) { self.bytes.reserveCapacity(count) }

    /// Appends the text of an id.
    mutating func write(id: FeatureID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FeatureID.textLength) { text in
            var end = 0
            for digit in 0..<32 {
                if [8, 12, 16, 20].contains(digit) {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                let nibble =
                    UInt8(truncatingIfNeeded: (digit < 16 ? id.high : id.low) >> UInt64(60 - 4 * (digit & 15))) & 15
                text[end] = nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                end += 1
            }
            self.bytes.append(contentsOf: text)
        }
    }
}
