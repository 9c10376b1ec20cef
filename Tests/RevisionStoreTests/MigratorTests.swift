import Migrations
import Postgres
import RevisionStore
import TestSupport
import Testing

@Suite(.database)
struct MigratorTests {
    /// Migrations of a program, which were developed side by side: there is no number 803.
    private static let examples =
        Migration.all + [
            Migration(number: 802, name: "V802__first_example", sql: Array("CREATE TABLE first_example ()".utf8)),
            Migration(number: 804, name: "V804__second_example", sql: Array("CREATE TABLE second_example ()".utf8)),
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
        #expect(names == ["V802__first_example", "V804__second_example"])
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
        _ = try await pool.query("DELETE FROM schema_migration WHERE number = 802")
        let error = await #expect(throws: Migrator.OlderSchema.self) {
            try await Migrator.expectMigrated(pool, migrations: Self.examples)
        }
        #expect(error?.missing == ["V802__first_example"])
    }

    @Test(arguments: Migration.all)
    func `migrations: programs that do not know one can run on a database that has it`(migration: Migration) {
        #expect(MigrationRules.violations(in: String(decoding: migration.sql, as: UTF8.self)) == [])
    }

    @Test(arguments: [
        "CREATE TABLE later (id bigint NOT NULL); ALTER TABLE later ADD CHECK (id > 0)",
        "CREATE TABLE later (id bigint NOT NULL); CREATE UNIQUE INDEX later_index ON later (id)",
        "ALTER TABLE venue ADD COLUMN later text, ADD later_count numeric(4, 1) NOT NULL DEFAULT 0",
        "CREATE INDEX later ON venue (key) WHERE key = 'a; DROP TABLE venue'; -- DROP TABLE venue;",
        "-- unused since 1.4\nALTER TABLE venue DROP COLUMN later; DO $$ BEGIN DROP TABLE venue; END $$",
    ])
    func `migration rules: additions are accepted, and removals of what no program uses`(sql: String) {
        #expect(MigrationRules.violations(in: sql) == [])
    }

    @Test(arguments: [
        "DROP TABLE venue", "DROP INDEX upload_by_venue", "TRUNCATE revision", "DELETE FROM revision WHERE number = 1",
        "ALTER TABLE venue DROP COLUMN key", "ALTER TABLE venue RENAME COLUMN key TO name",
        "ALTER TABLE venue RENAME TO place", "ALTER TABLE venue ADD COLUMN later text NOT NULL",
        "ALTER TABLE venue ADD later bigint NULL, ADD other text NOT NULL",
        "ALTER TABLE venue ALTER COLUMN time_zone SET NOT NULL", "ALTER TABLE venue ALTER COLUMN key DROP NOT NULL",
        "ALTER TABLE venue ALTER COLUMN head TYPE integer", "ALTER TABLE venue ADD CHECK (head < 10)",
        "ALTER TABLE venue ADD COLUMN later text UNIQUE", "CREATE UNIQUE INDEX later ON venue (head)",
        "CREATE OR REPLACE FUNCTION server_timeline() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    ])
    func `migration rules: what an older program may stumble over is found`(sql: String) {
        #expect(MigrationRules.violations(in: "CREATE TABLE later_table (id bigint);\n\(sql);").count == 1)
    }
}
