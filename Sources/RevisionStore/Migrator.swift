import Foundation
package import Migrations
package import Postgres
import SystemCrypto

/// Brings a database to the newest schema.
package enum Migrator {
    /// A migration was edited after it was applied.
    package struct EditedMigration: Error, CustomStringConvertible {
        package let name: String

        package var description: String {
            "\(self.name) was edited after it was applied to this database; a change of the schema is a new file"
        }
    }

    /// The database has migrations that this program does not know.
    package struct NewerSchema: Error, CustomStringConvertible {
        package let number: Int

        package var description: String {
            "the database is at schema step \(self.number), which this program does not know; run a newer one"
        }
    }

    /// The database lacks migrations that this program needs.
    package struct OlderSchema: Error, CustomStringConvertible {
        /// The names of the migrations.
        package let missing: [String]
        /// The number of migrations that this program has.
        package let total: Int

        package var description: String {
            "the database lacks \(self.missing.count) of \(self.total) steps of its schema; run “venue migrate” first"
        }
    }

    /// Checks that every migration was applied, not only the latest one. Migrations that this program does not know are accepted:
    /// while nodes are replaced one by one, the old ones continue to serve.
    ///
    /// - Throws: ``OlderSchema``.
    package static func expectMigrated(
        _ pool: ConnectionPool, migrations: [Migration] = Migration.all
    ) async throws {
        let applied = try await pool.withConnection { connection in
            let hasTable = try await connection.query("SELECT to_regclass('schema_migration') IS NOT NULL")
                .decode(Bool.self)
            guard hasTable == [true] else { return Set<String>() }
            // By name, because a number alone says nothing of a database of another history.
            return Set(try await connection.query("SELECT name FROM schema_migration").decode(String.self))
        }
        let missing = migrations.filter { !applied.contains($0.name) }.map(\.name)
        guard missing.isEmpty else { throw OlderSchema(missing: missing, total: migrations.count) }
    }

    /// The key of the advisory lock, an arbitrary number. Programs that start at the same time wait for each other.
    private static let lock: Int64 = 0x5645_4E55_4553_594E

    /// Applies the missing migrations, each in its own transaction.
    ///
    /// - Returns: The names of the migrations that were applied.
    @discardableResult
    package static func migrate(
        _ configuration: ConnectionConfiguration, migrations: [Migration] = Migration.all
    ) async throws -> [String] {
        let connection = try await Connection.open(configuration)
        do {
            _ = try await connection.query("SELECT pg_advisory_lock(\(Self.lock))::text")
            let applied = try await Self.apply(migrations, on: connection)
            await connection.close()
            return applied
        } catch {
            await connection.close()  // ends the session, and with it the lock
            throw error
        }
    }

    /// Analyses the large tables after a change of the schema, unless they are empty: the planner would believe for a while that
    /// they stay so.
    private static func analyze(_ connection: Connection) async throws {
        let hasTable = try await connection.query("SELECT to_regclass('feature_version') IS NOT NULL").decode(Bool.self)
        guard hasTable == [true] else { return }
        let hasContent = try await connection.query("SELECT EXISTS (SELECT FROM feature_version)").decode(Bool.self)
        if hasContent == [true] { try await connection.execute(RevisionStore.analyze) }
    }

    private static func apply(_ migrations: [Migration], on connection: Connection) async throws -> [String] {
        try await connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                number integer PRIMARY KEY, name text NOT NULL, sha256 bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """)
        let present = try await connection.query("SELECT number, sha256 FROM schema_migration ORDER BY number")
            .decode((Int32, Bytes).self)
        if let unknown = present.first(where: { row in !migrations.contains { $0.number == Int(row.0) } }) {
            throw NewerSchema(number: Int(unknown.0))
        }
        var applied: [String] = []
        for migration in migrations {
            let checksum = SHA256.hash(of: migration.sql)
            if let (_, known) = present.first(where: { Int($0.0) == migration.number }) {
                guard known.bytes == checksum else { throw EditedMigration(name: migration.name) }
                continue
            }
            try await connection.transaction { connection in
                try await connection.execute(String(decoding: migration.sql, as: UTF8.self))
                _ = try await connection.query(
                    """
                    INSERT INTO schema_migration (number, name, sha256)
                    VALUES (\(Int32(migration.number)), \(migration.name), \(Bytes(checksum)))
                    """)
            }
            applied.append(migration.name)
        }
        if !applied.isEmpty { try await Self.analyze(connection) }
        return applied
    }
}
