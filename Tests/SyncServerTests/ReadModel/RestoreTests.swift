import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// The database is restored in place while a node runs: tables are dropped, created and filled in any order.
@Suite(.server)
struct RestoreTests {
    /// Copies the current contents of the database to another schema.
    private static func save(as name: String, in harness: Harness) async throws {
        _ = try await harness.store.pool.transaction { connection in
            try await connection.execute("CREATE SCHEMA \(name)")
            for table in Self.tables {
                try await connection.execute("CREATE TABLE \(name).\(table) AS TABLE public.\(table)")
            }
            // A generated column is not restored.
            try await connection.execute("ALTER TABLE \(name).upload DROP COLUMN submitter")
        }
    }

    /// In the order of pg_dump, which is by name.
    private static let tables = [
        "api_key", "archive", "catalogue", "catalogue_position", "feature_version", "level_state", "lineage",
        "revision",
        "upload", "venue",
    ]

    /// One step of a restore. Foreign keys are not checked, as with pg_restore.
    private static func step(_ sql: String, in harness: Harness) async throws {
        _ = try await harness.store.pool.transaction { connection in
            try await connection.execute("SET LOCAL session_replication_role = replica; \(sql)")
        }
    }

    /// By the names of columns, like pg_dump: a later migration adds columns after a generated one.
    private static func load(_ table: String, of name: String, where condition: String = "true") -> String {
        """
        DELETE FROM \(table);
        DO $load$ BEGIN EXECUTE (
            SELECT format(
                $insert$INSERT INTO \(table) (%1$s) OVERRIDING SYSTEM VALUE
                    SELECT %1$s FROM \(name).\(table) WHERE \(condition)$insert$,
                string_agg(quote_ident(column_name), ', '))
            FROM information_schema.columns WHERE table_schema = '\(name)' AND table_name = '\(table)');
        END $load$;
        """
    }

    private static func restore(_ name: String, in harness: Harness) async throws {
        try await self.step(self.tables.map { self.load($0, of: name) }.joined(), in: harness)
    }

    /// Saves two states of the database, `one` being the older; both end with a change of a venue.
    private static func twoStates(in harness: Harness) async throws {
        _ = try await harness.store.checkLineage()
        for venue in ["mall", "hall", "park"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        _ = try await harness.makeKey(.read, for: ["mall"])
        try await harness.delete("park")
        try await harness.push([80, 75], to: "empty")
        try await self.save(as: "one", in: harness)
        try await harness.push(SampleVenue.tiny.archive(), to: "annex")
        _ = try await harness.makeKey(.read, for: ["hall"])
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        try await self.save(as: "two", in: harness)
    }

    private static func fresh(_ harness: Harness) async throws -> ReadModel.Contents {
        let node = ReadModel(store: RevisionStore(pool: harness.store.pool))
        try await node.refresh()
        return node.contents
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `restore: a node refreshes to the same state as a new node after any steps`(
        seed: UInt64
    ) async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: seed)
        try await Self.twoStates(in: harness)
        let node = ReadModel(store: harness.store, comparison: .zero)
        try await node.refresh()
        for _ in 0..<4 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let state = ["one", "two"].randomElement(using: &random) ?? "one"
                let table = Self.tables.randomElement(using: &random) ?? "venue"
                let sql =
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: "DELETE FROM \(table);"
                    case 1: "TRUNCATE \(Self.tables.joined(separator: ", ")) CASCADE;"
                    case 2: Self.load(table, of: state, where: "random() < 0.5")
                    case 3:
                        "UPDATE catalogue SET change_number = change_number + \(Int.random(in: -3...3, using: &random));"
                    default: Self.load(table, of: state)
                    }
                try await Self.step(sql, in: harness)
                // In the middle of a restore a refresh may fail, but its result must match the database.
                if (try? await node.refresh()) != nil { #expect(try await node.contents == Self.fresh(harness)) }
            }
            try await Self.restore(["one", "two"].randomElement(using: &random) ?? "one", in: harness)
            try await node.refresh()
            #expect(try await node.contents == Self.fresh(harness))
        }
    }

    @Test(.changeNotifier, arguments: ["one", "two"])
    func `restore: a node recovers at once after its tables were dropped, created and filled`(
        state: String
    ) async throws {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        try await harness.until { try await harness.head() == 2 }
        // Like pg_restore, drop indexes and keys first and create them last.
        try await Self.step(
            "ALTER TABLE venue DROP CONSTRAINT venue_pkey CASCADE; ALTER TABLE venue RENAME TO dropped;",
            in: harness)
        try await harness.until { try await harness.send(.get, "/ready").status == .serviceUnavailable }
        try await harness.send(.get, "/venues/mall/sync").problem(503)
        try await Self.step("ALTER TABLE dropped RENAME TO venue; DELETE FROM venue;", in: harness)
        for table in Self.tables where table != "venue" {
            try await Self.step(Self.load(table, of: state), in: harness)
            try await harness.send(.get, "/ready").problem(503)
        }
        try await Self.step(Self.load("venue", of: state, where: "key <> 'mall'"), in: harness)
        try await harness.send(.get, "/ready").problem(503)
        try await Self.step(Self.load("venue", of: state), in: harness)
        try await harness.send(.get, "/ready").problem(503)
        try await Self.step("ALTER TABLE venue ADD PRIMARY KEY (id);", in: harness)
        try await harness.until { try await harness.send(.get, "/ready").status == .ok }
        #expect(try await harness.get(Venue.self, "/venues/mall").head == (state == "one" ? 1 : 2))
        try await harness.until { try await harness.server.readModel.contents == Self.fresh(harness) }
    }

    @Test func `restore: a node notices another copy by its files and numbers, without comparing checksums`()
        async throws
    {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        let node = ReadModel(store: harness.store, comparison: .seconds(3_600))
        // The first refreshes compare everything.
        for _ in 0..<40 { try await node.refresh() }
        // A copy with the same change numbers, in other files.
        _ = try await harness.store.pool.query("UPDATE venue SET public = true WHERE key = 'hall'")
        _ = try await harness.store.pool.query("VACUUM FULL venue")
        try await node.refresh()
        #expect(try await node.contents == Self.fresh(harness))
        // The restore may go on, so the next refreshes compare everything again.
        _ = try await harness.store.pool.query("UPDATE venue SET public = false WHERE key = 'hall'")
        try await node.refresh()
        #expect(try await node.contents == Self.fresh(harness))
        for _ in 0..<40 { try await node.refresh() }
        // An older copy in the same files.
        try await Self.restore("one", in: harness)
        try await node.refresh()
        #expect(try await node.contents == Self.fresh(harness))
    }

    @Test func `restore: a node notices another copy with the same files and numbers by its checksums`() async throws {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        let node = ReadModel(store: harness.store, comparison: .zero)
        try await node.refresh()
        _ = try await harness.store.pool.query("UPDATE venue SET public = true WHERE key = 'hall'")
        try await node.refresh()
        #expect(try await node.contents == Self.fresh(harness))
    }

    @Test func `restore: a node forgets the revisions of the other copy`() async throws {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        let before = try await harness.sync()
        try await Self.restore("one", in: harness)
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2), seed: 9).archive())
        let after = try await harness.sync()
        #expect(before.to == 2 && after.to == 2 && after.digest != before.digest)
        #expect(try await harness.get(Venue.self, "/venues/mall").digest == after.digest)
    }

    @Test func `restore: a node does not trust a database without the content of its venues`() async throws {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        let node = ReadModel(store: harness.store, comparison: .zero)
        try await node.refresh()
        for step in [
            "DELETE FROM feature_version", "DELETE FROM revision", "DELETE FROM venue WHERE key = 'hall'",
            "DELETE FROM catalogue_position WHERE position = (SELECT position FROM catalogue)",
            "UPDATE catalogue SET change_number = change_number + 1",
        ] {
            try await Self.step("\(step);", in: harness)
            await #expect(throws: StoreError.incompleteDatabase, "\(step)") { try await node.refresh() }
            try await Self.restore("two", in: harness)
            try await node.refresh()
            #expect(try await node.contents == Self.fresh(harness))
        }
        // The last change may be that of a key.
        _ = try await harness.makeKey(.read, for: ["park"])
        try await node.refresh()
        try await Self.step("DELETE FROM venue;", in: harness)
        await #expect(throws: StoreError.incompleteDatabase) { try await node.refresh() }
    }

    @Test func `restore: a node that finds the database incomplete does not serve what it has confirmed`() async throws
    {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        let node = harness.server.readModel
        try await node.refresh()
        node.confirm(asOf: .now + .seconds(600))
        #expect(try await harness.send(.get, "/venues/mall/sync").status == .ok)
        try await Self.step("DELETE FROM venue;", in: harness)
        await #expect(throws: StoreError.incompleteDatabase) { try await node.refresh() }
        try await harness.send(.get, "/venues/mall/sync").problem(503)
    }

    @Test func `restore: a node does not trust an empty venue table`() async throws {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        try await harness.server.readModel.refresh()
        // A state in the middle of a restore: the change number of the older copy, and no venue.
        try await Self.step("DELETE FROM venue;" + Self.load("catalogue", of: "one"), in: harness)
        try await harness.send(.get, "/ready").problem(503)
        try await harness.send(.get, "/venues/mall/sync").problem(503)
        try await Self.restore("one", in: harness)
        #expect(try await harness.send(.get, "/ready").status == .ok)
        #expect(try await harness.sync().to == 1)
    }

    @Test func `restore in place renews the epoch of every venue exactly once`() async throws {
        let harness = Harness.current
        try await Self.twoStates(in: harness)
        let cursor = try await harness.sync().cursor
        #expect(try await harness.store.checkLineage() == .unchanged)
        // Rewriting a table is not a restore.
        _ = try await harness.store.pool.query("VACUUM FULL lineage")
        #expect(try await harness.store.checkLineage() == .unchanged)
        try await Self.restore("two", in: harness)
        #expect(try await harness.store.checkLineage() == .renewed(venues: 5))
        #expect(try await harness.store.checkLineage() == .unchanged)
        try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").problem(410)
    }
}
