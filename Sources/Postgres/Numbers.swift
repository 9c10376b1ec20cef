extension Bool: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .bool }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(self ? 1 : 0)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Bool {
        guard type == PostgresType.bool.oid, bytes.count == 1 else { throw .mismatch(type, Self.self) }
        return bytes[0] != 0
    }
}

/// Decodes an integer column of the same width or a narrower one.
private func integer<Value: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, type: UInt32, as: Value.Type = Value.self
) throws(PostgresError) -> Value {
    let value: Int64
    switch (type, bytes.count) {
    case (PostgresType.int2.oid, 2): value = Int64(bytes.bigEndian(Int16.self))
    case (PostgresType.int4.oid, 4) where Value.bitWidth >= 32: value = Int64(bytes.bigEndian(Int32.self))
    case (PostgresType.int8.oid, 8) where Value.bitWidth >= 64: value = bytes.bigEndian(Int64.self)
    default: throw .mismatch(type, Value.self)
    }
    return Value(truncatingIfNeeded: value)
}

extension Int16: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int2 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Int16 {
        try integer(bytes, type: type)
    }
}

extension Int32: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int4 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Int32 {
        try integer(bytes, type: type)
    }
}

extension Int64: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int8 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Int64 {
        try integer(bytes, type: type)
    }
}

extension Int: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .int8 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int64(self))
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Int {
        try integer(bytes, type: type)
    }
}

extension Double: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .float8 }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: self.bitPattern)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Double {
        switch (type, bytes.count) {
        case (PostgresType.float8.oid, 8): Double(bitPattern: bytes.bigEndian(UInt64.self))
        case (PostgresType.float4.oid, 4): Double(Float(bitPattern: bytes.bigEndian(UInt32.self)))
        default: throw .mismatch(type, Self.self)
        }
    }
}
