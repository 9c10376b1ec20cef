/// A type of the server by its numbers in `pg_type`.
package struct PostgresType: Hashable, Sendable {
    /// The type itself.
    package let oid: UInt32
    /// The array of it; zero when there is none that we write.
    package let arrayOID: UInt32

    package init(oid: UInt32, arrayOID: UInt32) {
        self.oid = oid
        self.arrayOID = arrayOID
    }
}

extension PostgresType {
    package static let bool = PostgresType(oid: 16, arrayOID: 1000)
    package static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    package static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    package static let int2 = PostgresType(oid: 21, arrayOID: 1005)
    package static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    package static let text = PostgresType(oid: 25, arrayOID: 1009)
    package static let float4 = PostgresType(oid: 700, arrayOID: 1021)
    package static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    package static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)

    static let jsonb: UInt32 = 3802
    /// What arrives as plain UTF-8: name, text, json, unknown, bpchar, varchar.
    static let texts: Set<UInt32> = [19, 25, 114, 705, 1042, 1043]
}

/// A value that can stand in a query or in a row of a COPY.
package protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }

    /// Says that the value is SQL's NULL; then nothing is encoded. Only optionals answer true.
    var isPostgresNull: Bool { get }

    /// Appends the value in PostgreSQL's binary format, without its length.
    func encode(into bytes: inout [UInt8])
}

extension PostgresEncodable {
    package var isPostgresNull: Bool { false }
}

/// A value that can be read from a column.
package protocol PostgresDecodable: Sendable {
    /// Reads PostgreSQL's binary format.
    ///
    /// - Parameter type: the column's (or array element's) number in `pg_type`; a type that is not this one's is refused.
    static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Self

    /// What NULL is read as; an error unless the type is an optional.
    static func decodeNull() throws(PostgresError) -> Self
}

extension PostgresDecodable {
    package static func decodeNull() throws(PostgresError) -> Self {
        throw .decoding("NULL cannot be read as \(Self.self)")
    }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package var isPostgresNull: Bool {
        switch self {
        case .none: true
        case .some(let value): value.isPostgresNull
        }
    }

    package func encode(into bytes: inout [UInt8]) {
        self?.encode(into: &bytes)
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Self {
        try Wrapped.decode(bytes, type: type)
    }

    package static func decodeNull() throws(PostgresError) -> Self { nil }
}
