/// A type of the server, by its OIDs in `pg_type`.
package struct PostgresType: Hashable, Sendable {
    /// The OID of the type.
    package let oid: UInt32
    /// The OID of its array type; zero if arrays of it are not supported.
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
    /// Types whose binary format is plain UTF-8: name, text, json, unknown, bpchar, varchar.
    static let texts: Set<UInt32> = [19, 25, 114, 705, 1042, 1043]
}

/// A value that can be a parameter of a query or a column of a COPY.
package protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }

    /// Whether the value is NULL, which is not encoded. Only true for optionals.
    var isPostgresNull: Bool { get }

    /// Appends the value in PostgreSQL's binary format, without its length.
    func encode(into bytes: inout [UInt8])
}

extension PostgresEncodable {
    package var isPostgresNull: Bool { false }
}

/// A value that can be decoded from a column.
package protocol PostgresDecodable: Sendable {
    /// Decodes PostgreSQL's binary format.
    ///
    /// - Parameter type: The OID of the type of the column or array element; an error is thrown for an unsupported type.
    static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Self

    /// The value for NULL. Throws an error unless the type is an optional.
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
