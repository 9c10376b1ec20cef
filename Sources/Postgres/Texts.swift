extension String: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .text }

    package func encode(into bytes: inout [UInt8]) {
        if self.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
            bytes.append(contentsOf: self.utf8)
        }
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> String {
        guard let text = String(validating: try bytes.text(type, Self.self), as: UTF8.self) else {
            throw .decoding("a text is not UTF-8")
        }
        return text
    }
}

/// A text as UTF-8 bytes, for bodies that are passed on without a conversion to `String`.
package struct TextBytes: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static var postgresType: PostgresType { .text }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(contentsOf: self.bytes)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> TextBytes {
        TextBytes(Array(try bytes.text(type, Self.self)))
    }
}

/// A `bytea`. A type of its own, because an array of bytes is encoded as an array of elements.
package struct Bytes: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static var postgresType: PostgresType { .bytea }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(contentsOf: self.bytes)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Bytes {
        guard type == PostgresType.bytea.oid else { throw .mismatch(type, Self.self) }
        return Bytes(Array(bytes))
    }
}

extension UnsafeRawBufferPointer {
    /// The UTF-8 bytes of a column of a text type; those of `jsonb` follow a version byte.
    fileprivate func text(_ type: UInt32, _ requested: any Any.Type) throws(PostgresError) -> UnsafeRawBufferPointer {
        if PostgresType.texts.contains(type) { return self }
        guard type == PostgresType.jsonb, self.first == 1 else { throw .mismatch(type, requested) }
        return UnsafeRawBufferPointer(rebasing: self.dropFirst())
    }
}
