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

/// A node whose database is replaced by an earlier copy, or becomes unreachable, while it runs.
@Suite(.server, .changeNotifier)
struct RestoredCopyTests {
    /// Imitates a restored copy: the contents before `body`, under another database identity.
    private static func restoreCopy(in harness: Harness, over body: () async throws -> Void) async throws {
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
                DELETE FROM catalogue_position USING copied WHERE catalogue_position.position > copied.position;
                UPDATE catalogue SET change_number = copied.change_number, key_change_number = copied.key_change_number,
                    position = copied.position, chain_hash = copied.chain_hash FROM copied;
                UPDATE lineage SET database_id = 7;
                """)
        }
        #expect(try await harness.store.checkLineage() == .renewed(venues: 1))
    }

    @Test func `restored copy: a node drops what it does not have, and reports all later changes`() async throws {
        let harness = Harness.current
        _ = try await harness.store.checkLineage()
        try await harness.push(SampleVenue.tiny.archive())
        try await Self.restoreCopy(in: harness) { try await Self.publishAirport(harness) }
        try await harness.until { try await harness.isCaughtUp() }
        try await harness.send(.get, "/venues/airport/sync").problem(404)
        async let stream = harness.send(.get, "/events")
        try await harness.untilWaiting(1)
        let end = harness.server.eventFeed.end
        try await harness.push(SampleVenue.tiny.archive(), to: "campus")
        try await harness.until { harness.server.eventFeed.end != end }
        try await harness.endEventStreams()
        #expect(try await stream.text.contains("\"campus\""))
    }

    private static func publishAirport(_ harness: Harness) async throws {
        try await harness.push(SampleVenue.tiny.archive(), to: "airport")
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive(), to: "airport")
        try await harness.until { harness.server.eventFeed.end == 3 }
        #expect(try await harness.send(.get, "/venues/airport/sync").status == .ok)
    }

    @Test func `event stream ends when the database is replaced by another copy, and its id is answered 410`()
        async throws
    {
        let harness = Harness.current
        _ = try await harness.store.checkLineage()
        try await harness.push(SampleVenue.tiny.archive())
        async let stream = harness.send(.get, "/events")
        try await harness.untilWaiting(1)
        try await Self.restoreCopy(in: harness) {
            try await Self.publishAirport(harness)
            try await harness.untilWaiting(1)
        }
        // The stream ends. Its last event is not in the copy any more.
        #expect(try await stream.text.contains("id: 3\n"))
        try await harness.until { try await harness.isCaughtUp() }
        // The copy passes the length of the other history; the id still does not belong to it.
        for round in 0..<4 as Range<UInt64> {
            try await harness.push(
                SampleVenue.tiny.edited(Edit(.rename, 1), seed: round).archive(), to: "campus",
                query: "?identity=trust")
        }
        try await Self.listen(harness, after: 3).problem(410)
        async let again = Self.listen(harness, after: 1)
        try await harness.endEventStreams()
        #expect(try await again.text.matches(of: /"venue":"campus"/).count == 4)
    }

    private static func listen(_ harness: Harness, after id: Int64) async throws -> TestResponse {
        try await harness.send(.get, "/events", headers: [HTTPField.Name("Last-Event-ID")!: "\(id)"])
    }

    @Test func `long poll is answered 410 when the database is replaced by another copy`() async throws {
        let harness = Harness.current
        _ = try await harness.store.checkLineage()
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        async let response = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55")
        try await harness.untilWaiting(1)
        try await Self.restoreCopy(in: harness) {
            try await harness.push(SampleVenue.tiny.archive(), to: "airport")
            try await harness.untilWaiting(1)
        }
        try await response.problem(410)
    }

    @Test func `sync requests are answered while the database is away, and see changes when it is back`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let key = try await harness.makeKey(.read, for: ["mall"])
        let cursor = try await harness.sync(key: key).cursor
        let held = "/venues/mall/sync?since=\(cursor)"
        let response = try await harness.send(.get, held, key: key)
        let database = try #require(
            try await harness.store.pool.query("SELECT current_database()::text").decode(String.self).first)
        try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS false")
        try await harness.until {
            guard try await TestCluster.shared.endConnections(to: database) == 0 else { return false }
            return await Self.isAway(harness.store)
        }
        // A node without a database answers from memory, also after its state is no longer confirmed.
        let deadline = ContinuousClock.now + ReadModel.confirmationLifetime + .milliseconds(500)
        while .now < deadline {
            let away = try await harness.send(.get, held, key: key)
            #expect(away.status == .ok && away.text == response.text)
            try await Task.sleep(for: .milliseconds(50))
        }
        try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS true")
        try await harness.until { try await harness.send(.get, "/ready").status == .ok }
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        try await harness.until { try await harness.sync("since=\(cursor)", key: key).to == 2 }
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

extension Harness {
    /// Whether the event feed has reached the position of the database.
    fileprivate func isCaughtUp() async throws -> Bool {
        try await self.store.pool.query("SELECT position FROM catalogue").decode(Int64.self).first
            == self.server.eventFeed.end
    }
}
