import Migrations
import Postgres
import RevisionStore
import TestSupport
import Testing

@Suite(.database)
struct MigratorTests {
    /// Migrations of a program, which were developed side by side: there is no number 3.
    private static let examples =
        Migration.all + [
            Migration(number: 2, name: "V002__first_example", sql: Array("CREATE TABLE first_example ()".utf8)),
            Migration(number: 4, name: "V004__second_example", sql: Array("CREATE TABLE second_example ()".utf8)),
        ]

    @Test func `migration numbers are unique and in order`() {
        let numbers = Migration.all.map(\.number)
        #expect(numbers == Set(numbers).sorted())
    }

    @Test(arguments: [Migration.all, Self.examples])
    func `migrations are applied once, whatever their numbers`(migrations: [Migration]) async throws {
        let database = try await TestCluster.shared.emptyDatabase()
        #expect(try await Migrator.migrate(database, migrations: migrations) == migrations.map(\.name))
        #expect(try await Migrator.migrate(database, migrations: migrations).isEmpty)
    }

    @Test func `migrations that are missing are applied to a database that has others`() async throws {
        let names = try await Migrator.migrate(TestDatabase.current.configuration, migrations: Self.examples)
        #expect(names == ["V002__first_example", "V004__second_example"])
    }

    @Test func `migrations: one that was edited after it was applied is refused`() async throws {
        let pool = TestDatabase.current.pool
        _ = try await pool.query("UPDATE schema_migration SET sha256 = sha256('edited')")
        let error = await #expect(throws: Migrator.EditedMigration.self) {
            try await Migrator.migrate(TestDatabase.current.configuration)
        }
        #expect(error?.name == Migration.all[0].name)
    }

    @Test func `migrate refuses a database with a migration that this program does not know`() async throws {
        let pool = TestDatabase.current.pool
        _ = try await pool.query(
            "INSERT INTO schema_migration (number, name, sha256) VALUES (900, 'V900__later', sha256('later'))")
        let error = await #expect(throws: Migrator.NewerSchema.self) {
            try await Migrator.migrate(TestDatabase.current.configuration)
        }
        #expect(error?.number == 900)
    }

    @Test func `migrations: a database that lacks one is not served, and one that has more is`() async throws {
        let pool = TestDatabase.current.pool
        try await Migrator.migrate(TestDatabase.current.configuration, migrations: Self.examples)
        try await Migrator.expectMigrated(pool, migrations: Self.examples)
        _ = try await pool.query(
            "INSERT INTO schema_migration (number, name, sha256) VALUES (900, 'V900__later', sha256('later'))")
        try await Migrator.expectMigrated(pool, migrations: Self.examples)
        _ = try await pool.query("DELETE FROM schema_migration WHERE number = 2")
        let error = await #expect(throws: Migrator.OlderSchema.self) {
            try await Migrator.expectMigrated(pool, migrations: Self.examples)
        }
        #expect(error?.missing == ["V002__first_example"])
    }
}
