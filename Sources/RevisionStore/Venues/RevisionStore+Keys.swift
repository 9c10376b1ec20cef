package import Foundation
import Postgres
package import SyncModel

/// A row of `api_key`, which contains everything but the secret.
package struct KeyRecord: Sendable, Hashable {
    package let id: KeyID
    package let name: String
    package let role: Role
    /// Nil for all venues.
    package let venues: Set<VenueKey>?
    package let secretHash: [UInt8]
    package let createdAt: Date
    /// Nil for a key that is valid until it is revoked.
    package let expiresAt: Date?

    package func isExpired(at time: Date) -> Bool { self.expiresAt.map { $0 <= time } ?? false }
}

extension AccessKey {
    package init(_ key: KeyRecord, lastUsedAt: Date? = nil, secret: String? = nil) {
        self.init(
            id: key.id.description, name: key.name, role: key.role,
            venues: key.venues.map { $0.sorted().map(\.description) } ?? ["*"], createdAt: key.createdAt,
            expiresAt: key.expiresAt, lastUsedAt: lastUsedAt, secret: secret)
    }
}

extension RevisionStore {
    package func keys() async throws -> [KeyRecord] {
        let rows = try await self.pool.query("SELECT \(raw: Self.keyColumns) FROM api_key ORDER BY created_at, id")
        return try rows.map(Self.key(of:))
    }

    package func addKey(
        _ id: KeyID, name: String, role: Role, venues: Set<VenueKey>?, secretHash: [UInt8], expiresAt: Date? = nil,
        by authorization: Authorization
    ) async throws -> KeyRecord {
        let names = venues.map { $0.sorted().map(\.description) } ?? ["*"]
        return try await self.pool.transaction { connection in
            try await Self.check(authorization, on: connection)
            let rows = try await connection.query(
                """
                INSERT INTO api_key (id, name, role, venues, secret_sha256, expires_at)
                VALUES (\(id), \(name), \(role.rawValue), \(names), \(Bytes(secretHash)), \(expiresAt))
                RETURNING \(raw: Self.keyColumns)
                """)
            guard let key = try rows.first.map(Self.key(of:)) else { throw StoreError.unknownKey }
            try await Self.record(.keyCreated, .init(key: AccessKey(key)), by: authorization, on: connection)
            try await Self.recordKeyChange(on: connection)
            return key
        }
    }

    package func removeKey(_ id: KeyID, by authorization: Authorization) async throws {
        // Rows are locked in one order, so that two keys that revoke each other do not deadlock.
        let locked = [id] + (authorization.key.map { [$0] } ?? [])
        try await self.pool.transaction { connection in
            _ = try await connection.query(
                "SELECT FROM api_key WHERE id = ANY(\(locked)) ORDER BY id FOR UPDATE")
            try await Self.check(authorization, on: connection)
            let rows = try await connection.query(
                "DELETE FROM api_key WHERE id = \(id) RETURNING \(raw: Self.keyColumns)")
            guard let key = try rows.first.map(Self.key(of:)) else { throw StoreError.unknownKey }
            try await Self.record(.keyRevoked, .init(key: AccessKey(key)), by: authorization, on: connection)
            try await Self.recordKeyChange(on: connection)
        }
    }

    /// Records that keys are used, at most once an hour for each. Waits for nothing: locked rows are left for another time.
    ///
    /// This is no change of the keys: nodes do not read them again.
    package func recordUse(of keys: Set<KeyID>) async throws {
        _ = try await self.pool.query(
            """
            UPDATE api_key SET last_used_at = clock_timestamp() WHERE id IN (
                SELECT id FROM api_key
                WHERE id = ANY(\(Array(keys))) AND coalesce(last_used_at <= clock_timestamp() - interval '1 hour', true)
                FOR NO KEY UPDATE SKIP LOCKED)
            """)
    }

    /// When keys were last used, without those that were never used.
    package func lastKeyUses() async throws -> [KeyID: Date] {
        let rows = try await self.pool.query("SELECT id, last_used_at FROM api_key WHERE last_used_at IS NOT NULL")
        return Dictionary(uniqueKeysWithValues: try rows.decode((KeyID, Date).self))
    }

    /// All keys and their checksum.
    package func keysWithChecksum() async throws -> (keys: [KeyRecord], checksum: Int64) {
        try await self.pool.withConnection { try await Self.keys(on: $0) }
    }

    static func keys(on connection: Connection) async throws -> (keys: [KeyRecord], checksum: Int64) {
        let rows = try await connection.query(
            "SELECT \(raw: Self.keyColumns), \(raw: Self.keyChecksum) FROM api_key")
        return (try rows.map(Self.key(of:)), try rows.reduce(0) { $0 ^ (try $1.decode(7, as: Int64.self)) })
    }

    static let keyChecksum = "hash_record_extended(ROW(\(Self.keyColumns)), 0)"

    /// The condition for a row of `api_key` that has not expired. The database's clock decides.
    static let isUnexpired: Query = "coalesce(api_key.expires_at > clock_timestamp(), true)"

    private static let keyColumns = "id, name, role, venues, secret_sha256, created_at, expires_at"

    private static func key(of row: Row) throws -> KeyRecord {
        guard let role = Role(rawValue: try row.decode(2)) else { throw PostgresError.decoding("a role") }
        let venues = try row.decode(3, as: [String].self)
        return KeyRecord(
            id: try row.decode(0), name: try row.decode(1), role: role,
            venues: venues == ["*"] ? nil : Set(venues.compactMap(VenueKey.init)),
            secretHash: try row.decode(4, as: Bytes.self).bytes, createdAt: try row.decode(5),
            expiresAt: try row.decode(6))
    }
}
