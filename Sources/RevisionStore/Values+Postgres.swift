package import IMDF
package import Postgres
package import SyncModel

/// A feature's id is a `uuid`.
extension FeatureID: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { PostgresType(oid: 2950, arrayOID: 2951) }

    package func encode(into bytes: inout [UInt8]) {
        for half in [self.high, self.low] {
            withUnsafeBytes(of: half.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> FeatureID {
        guard bytes.count == 16 else { throw .decoding("a uuid of \(bytes.count) bytes") }
        return FeatureID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

/// A digest is a `bytea` of 32 bytes.
extension Digest: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { Bytes.postgresType }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(contentsOf: self.bytes)
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Digest {
        guard let digest = Digest(bytes: Array(bytes)) else { throw .decoding("a digest of \(bytes.count) bytes") }
        return digest
    }
}

/// A choice of a fixed set, such as a setting, is its `text`.
extension PostgresDecodable where Self: RawRepresentable<String> {
    package static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Self {
        let text = try String.decode(bytes, type: type)
        guard let value = Self(rawValue: text) else {
            throw .decoding("“\(text.prefix(100))” is not one of the choices")
        }
        return value
    }
}

extension Venue.Settings.Identity: PostgresDecodable {}
extension Venue.Settings.Validation: PostgresDecodable {}
extension Venue.Settings.Overrides: PostgresDecodable {}
