import Migrations
import Postgres
import RevisionStore
import TestSupport
import Testing

@Suite(.database)
struct MigratorTests {
    @Test func `a database is migrated once, whatever numbers its steps have`() async throws {
        let database = try await TestCluster.shared.emptyDatabase()
        #expect(try await Migrator.migrate(database) == Migration.all.map(\.name))
        #expect(try await Migrator.migrate(database).isEmpty)
        let numbers = Migration.all.map(\.number)
        #expect(numbers == Set(numbers).sorted())
    }

    @Test func `a step that this program does not know stops it`() async throws {
        let pool = TestDatabase.current.pool
        _ = try await pool.query(
            "INSERT INTO schema_migration (number, name, sha256) VALUES (900, 'V900__later', sha256('later'))")
        let error = await #expect(throws: Migrator.NewerSchema.self) {
            try await Migrator.migrate(TestDatabase.current.configuration)
        }
        #expect(error?.number == 900)
    }

    @Test func `a database that lacks any step is not served, and one that has more is`() async throws {
        let pool = TestDatabase.current.pool
        try await Migrator.expectMigrated(pool)
        _ = try await pool.query(
            "INSERT INTO schema_migration (number, name, sha256) VALUES (900, 'V900__later', sha256('later'))")
        try await Migrator.expectMigrated(pool)
        _ = try await pool.query("DELETE FROM schema_migration WHERE number = 2")
        let error = await #expect(throws: Migrator.OlderSchema.self) { try await Migrator.expectMigrated(pool) }
        #expect(error?.missing == ["V002__staging"])
    }
}
