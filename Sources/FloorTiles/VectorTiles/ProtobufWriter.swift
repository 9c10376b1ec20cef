/// Writes messages in the wire format of Protocol Buffers, as far as vector tiles and glyphs need it.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func removeAll() { self.bytes.removeAll(keepingCapacity: true) }

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

    /// Appends fields that are encoded already.
    mutating func append(_ fields: some Sequence<UInt8>) { self.bytes.append(contentsOf: fields) }
}
