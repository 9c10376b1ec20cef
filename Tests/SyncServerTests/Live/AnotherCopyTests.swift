import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// A node whose database is put back to an earlier copy while it runs, or cannot be reached at all.
@Suite(.database)
struct AnotherCopyTests {
    /// What a restored copy is: everything as it was when `body` began, under another name.
    private static func goBack(in harness: Harness, over body: () async throws -> Void) async throws {
        let pool = harness.store.pool
        _ = try await pool.query("CREATE TABLE copied AS SELECT * FROM catalogue")
        try await body()
        _ = try await pool.transaction { connection in
            try await connection.execute(
                """
                SET LOCAL session_replication_role = replica;
                DELETE FROM venue WHERE id IN (SELECT venue_id FROM revision, copied
                    WHERE number = 1 AND revision.position > copied.position);
                DELETE FROM revision USING copied WHERE revision.position > copied.position;
                DELETE FROM catalogue_mark USING copied WHERE catalogue_mark.position > copied.position;
                UPDATE catalogue SET news = copied.news, key_news = copied.key_news, position = copied.position,
                    chain = copied.chain FROM copied;
                UPDATE lineage SET database_id = 7;
                """)
        }
        #expect(try await harness.store.settleLineage() == .renewed(venues: 1))
    }

    @Test func `a node forgets what the copy does not have, and tells of all that comes after`() async throws {
        try await Harness.watched { harness in
            _ = try await harness.store.settleLineage()
            try await harness.push(SampleVenue.tiny.archive())
            try await Self.goBack(in: harness) {
                try await harness.push(SampleVenue.tiny.archive(), to: "airport")
                try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive(), to: "airport")
                try await harness.until { harness.live.feed.end == 3 }
                #expect(try await harness.send(.get, "/venues/airport/sync").status == .ok)
            }
            try await harness.until { harness.live.feed.end == 1 }
            try await harness.send(.get, "/venues/airport/sync").problem(404)
            async let stream = harness.send(.get, "/events")
            try await harness.waiters(1)
            try await harness.push(SampleVenue.tiny.archive(), to: "campus")
            try await harness.until { harness.live.feed.end == 2 }
            try await harness.waiters(1)
            harness.live.room.close()
            #expect(try await stream.text.contains("\"campus\""))
        }
    }

    @Test func `polls are answered while the database is away, and see news when it is back`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let key = try await harness.makeKey(.read, for: ["mall"])
            let cursor = try await harness.sync(key: key).cursor
            let held = "/venues/mall/sync?since=\(cursor)"
            let answer = try await harness.send(.get, held, key: key)
            let database = try #require(
                try await harness.store.pool.query("SELECT current_database()::text").decode(String.self).first)
            try await TestCluster.shared.maintain(
                """
                ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS false;
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)';
                """)
            #expect(await Self.isAway(harness.store))
            // A node that cannot see lets what it knows stand, and one that nobody vouches for any more does so, too.
            let deadline = ContinuousClock.now + Node.trust + .milliseconds(500)
            while .now < deadline {
                let away = try await harness.send(.get, held, key: key)
                #expect(away.status == .ok && away.text == answer.text)
            }
            try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS true")
            try await harness.until { try await harness.send(.get, "/ready").status == .ok }
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            try await harness.until { try await harness.sync("since=\(cursor)", key: key).to == 2 }
        }
    }

    private static func isAway(_ store: RevisionStore) async -> Bool {
        do {
            _ = try await store.pool.query("SELECT 1")
            return false
        } catch {
            return RevisionStore.isOutage(error)
        }
    }
}
