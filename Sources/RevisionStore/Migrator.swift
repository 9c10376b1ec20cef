import Crypto
import Foundation
import Migrations
package import Postgres

/// Brings a database to the newest schema.
package enum Migrator {
    /// A step that was applied once and reads otherwise now.
    package struct EditedMigration: Error, CustomStringConvertible {
        package let name: String

        package var description: String {
            "\(self.name) was edited after it was applied to this database; a change of the schema is a new file"
        }
    }

    /// The database has steps that this program does not know.
    package struct NewerSchema: Error, CustomStringConvertible {
        package let number: Int

        package var description: String {
            "the database is at schema step \(self.number), which this program does not know; run a newer one"
        }
    }

    /// The database lacks steps that this program needs.
    package struct OlderSchema: Error, CustomStringConvertible {
        /// The names of the steps.
        package let missing: [String]

        package var description: String {
            "the database lacks \(self.missing.count) of \(Migration.all.count) steps of its schema; run “venue migrate” first"
        }
    }

    /// Refuses a database that was not migrated. Steps that this program does not know are none of its business: while nodes are
    /// replaced one by one, the old ones go on.
    package static func expectMigrated(_ pool: ConnectionPool) async throws {
        let applied = try await pool.withConnection { connection in
            let isThere = try await connection.query("SELECT to_regclass('schema_migration') IS NOT NULL")
                .decode(Bool.self)
            guard isThere == [true] else { return Set<Int32>() }
            return Set(try await connection.query("SELECT number FROM schema_migration").decode(Int32.self))
        }
        let missing = Migration.all.filter { !applied.contains(Int32($0.number)) }.map(\.name)
        guard missing.isEmpty else { throw OlderSchema(missing: missing) }
    }

    /// Any number; every program of ours takes the same lock, so two that start together wait for each other.
    private static let lock: Int64 = 0x5645_4E55_4553_594E

    /// Applies what is missing, each step in a transaction of its own, and returns the names of the steps applied.
    @discardableResult
    package static func migrate(_ configuration: ConnectionConfiguration) async throws -> [String] {
        try await Self.apply(Migration.all, to: configuration)
    }

    static func apply(_ steps: [Migration], to configuration: ConnectionConfiguration) async throws -> [String] {
        let connection = try await Connection.open(configuration)
        do {
            _ = try await connection.query("SELECT pg_advisory_lock(\(Self.lock))::text")
            let applied = try await Self.apply(steps, on: connection)
            await connection.close()
            return applied
        } catch {
            await connection.close()  // frees the lock with the session
            throw error
        }
    }

    /// After a change of the schema, for what is in it already. Of an empty table the planner is better told nothing: it would
    /// believe that for a while.
    private static func analyze(_ connection: Connection) async throws {
        let isThere = try await connection.query("SELECT to_regclass('feature_version') IS NOT NULL").decode(Bool.self)
        guard isThere == [true] else { return }
        let hasContent = try await connection.query("SELECT EXISTS (SELECT FROM feature_version)").decode(Bool.self)
        if hasContent == [true] { try await connection.execute(RevisionStore.analyze) }
    }

    private static func apply(_ steps: [Migration], on connection: Connection) async throws -> [String] {
        try await connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                number integer PRIMARY KEY, name text NOT NULL, sha256 bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """)
        let known = try await connection.query("SELECT number, sha256 FROM schema_migration ORDER BY number")
            .decode((Int32, Bytes).self)
        if let stranger = known.first(where: { step in !steps.contains { $0.number == Int(step.0) } }) {
            throw NewerSchema(number: Int(stranger.0))
        }
        var applied: [String] = []
        for step in steps {
            let checksum = Array(SHA256.hash(data: step.sql))
            if let (_, before) = known.first(where: { Int($0.0) == step.number }) {
                guard before.bytes == checksum else { throw EditedMigration(name: step.name) }
                continue
            }
            try await connection.transaction { connection in
                try await connection.execute(String(decoding: step.sql, as: UTF8.self))
                _ = try await connection.query(
                    """
                    INSERT INTO schema_migration (number, name, sha256)
                    VALUES (\(Int32(step.number)), \(step.name), \(Bytes(checksum)))
                    """)
            }
            applied.append(step.name)
        }
        if !applied.isEmpty { try await Self.analyze(connection) }
        return applied
    }
}
