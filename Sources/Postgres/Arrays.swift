extension Array: PostgresEncodable where Element: PostgresEncodable {
    package static var postgresType: PostgresType {
        let element = Element.postgresType.arrayOID
        precondition(element != 0, "PostgreSQL has no array of \(Element.self)")
        return PostgresType(oid: element, arrayOID: 0)
    }

    /// One dimension with the lower bound 1: dimensions, whether there are NULLs, element type, length, lower bound, elements.
    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(self.isEmpty ? 0 : 1))
        // Without a key path, which is made anew for every array, because the type of its root is not known before.
        bytes.append(bigEndian: Int32(self.contains { $0.isPostgresNull } ? 1 : 0))
        bytes.append(bigEndian: Element.postgresType.oid)
        if self.isEmpty { return }
        bytes.append(bigEndian: Int32(truncatingIfNeeded: self.count))
        bytes.append(bigEndian: Int32(1))
        for element in self { bytes.append(field: element) }
    }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> [Element] {
        var remaining = bytes
        let dimensions = try remaining.next(Int32.self)
        let hasNulls = try remaining.next(Int32.self)
        let elementType = try remaining.next(UInt32.self)
        guard 0...1 ~= hasNulls, 0...1 ~= dimensions else { throw .mismatch(type, Self.self) }
        var elements: [Element] = []
        if dimensions == 1 {
            let count = try remaining.next(Int32.self)
            _ = try remaining.next(Int32.self)
            // The length of every element takes four bytes, which bounds the count.
            guard count >= 0, Int(count) <= remaining.count / 4 else { throw .mismatch(type, Self.self) }
            elements.reserveCapacity(Int(count))
            for _ in 0..<count {
                let length = try remaining.next(Int32.self)
                if length < 0 {
                    elements.append(try Element.decodeNull())
                } else {
                    elements.append(try Element.decode(try remaining.next(bytes: Int(length)), type: elementType))
                }
            }
        }
        guard remaining.isEmpty else { throw .mismatch(type, Self.self) }
        return elements
    }
}

extension UnsafeRawBufferPointer {
    /// Removes the first bytes.
    fileprivate mutating func next(bytes count: Int) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard count <= self.count else { throw .decoding("an array ends too early") }
        defer { self = UnsafeRawBufferPointer(rebasing: self[count...]) }
        return UnsafeRawBufferPointer(rebasing: self[..<count])
    }

    fileprivate mutating func next<Value: FixedWidthInteger>(_ type: Value.Type) throws(PostgresError) -> Value {
        try self.next(bytes: MemoryLayout<Value>.size).bigEndian(Value.self)
    }
}
