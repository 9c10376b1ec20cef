import Migrations
import Postgres
import RevisionStore
import SampleVenue
import TestSupport
import Testing

/// The statistics of the query planner are updated without waiting for autovacuum.
@Suite(.database)
struct AnalyzeTests {
    private func known(_ pool: ConnectionPool) async throws -> Int64 {
        try await pool.query("SELECT reltuples::bigint FROM pg_class WHERE oid = 'feature_version'::regclass")
            .decode(Int64.self)[0]
    }

    @Test func `planner statistics: updated by the worker after a large import, not after a small one`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.small).archive())
            #expect(try await self.known(harness.store.pool) == -1)
            let large = SampleVenue(.init(levels: 4, unitsPerLevel: 250))
            try await harness.push(large.archive(), to: "large")
            #expect(try await self.known(harness.store.pool) >= Int64(RevisionStore.largeImport))
        }
    }

    @Test func `planner statistics: updated by a migration of tables with rows`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.small).archive())
            let pool = harness.store.pool
            let next = Migration(number: 900, name: "V900__example", sql: Array("CREATE TABLE example ()".utf8))
            let applied = try await Migrator.migrate(
                TestDatabase.current.configuration, migrations: Migration.all + [next])
            #expect(applied == ["V900__example"])
            #expect(try await self.known(pool) > 0)
        }
    }
}
