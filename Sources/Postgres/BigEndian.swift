extension [UInt8] {
    /// Appends an integer in network byte order.
    mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
        Swift.withUnsafeBytes(of: value.bigEndian) { self.append(contentsOf: $0) }
    }

    /// Overwrites an integer, such as a count that is known only after the elements were written.
    mutating func set<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, bigEndian value: Value) {
        self.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Value.self) }
    }

    /// Appends the length of a value and the value; NULL has the length −1 and no bytes.
    ///
    /// A length of more than 2 GiB is truncated and does not trap, because nothing above 1 GiB is ever sent.
    mutating func append(field value: borrowing some PostgresEncodable) {
        let start = self.count
        self.append(bigEndian: Int32(-1))
        if value.isPostgresNull { return }
        value.encode(into: &self)
        self.set(start, bigEndian: Int32(truncatingIfNeeded: self.count - start - 4))
    }
}

extension UnsafeRawBufferPointer {
    /// Reads an integer in network byte order. The bytes must exist.
    func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int = 0) -> Value {
        Value(bigEndian: self.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
}
