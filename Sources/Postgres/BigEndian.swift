extension [UInt8] {
    /// Appends an integer in network byte order.
    mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
        Swift.withUnsafeBytes(of: value.bigEndian) { self.append(contentsOf: $0) }
    }

    /// Overwrites a number that is known only after what it counts.
    mutating func set<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, bigEndian value: Value) {
        self.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Value.self) }
    }

    /// Appends a value behind its length; NULL has the length −1 and no bytes.
    ///
    /// A length past 2 GiB is written wrongly rather than trapping: nothing above 1 GiB is sent at all.
    mutating func append(field value: borrowing some PostgresEncodable) {
        let start = self.count
        self.append(bigEndian: Int32(-1))
        if value.isPostgresNull { return }
        value.encode(into: &self)
        self.set(start, bigEndian: Int32(truncatingIfNeeded: self.count - start - 4))
    }
}

extension UnsafeRawBufferPointer {
    /// Reads an integer in network byte order from the first bytes; the caller has checked that they are there.
    func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int = 0) -> Value {
        Value(bigEndian: self.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
}
