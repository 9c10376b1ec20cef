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

@Suite(.server)
struct LongPollTests {
    @Test(.changeNotifier) func `long poll is answered as soon as there is a change`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.archive(), to: "unchanged")
        let cursor = try await harness.sync().cursor
        let unchanged = try await harness.sync(of: "unchanged").cursor
        async let earlier = harness.sync("since=\(unchanged)&wait=55", of: "unchanged")
        try await harness.untilWaiting(1)
        async let response = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55")
        try await harness.untilWaiting(2)
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        let changes = try await response.changeSet
        // The earlier poll still waits, so the time of this one was not over.
        #expect(harness.server.longPolls.count == 1)
        harness.server.longPolls.close()
        #expect(try await earlier.blocks.isEmpty)
        #expect(changes.to == 2 && changes.blocks.flatMap(\.features).count == 1)
        #expect(try await response.parts(of: .cacheControl).contains("no-store"))
    }

    @Test(.changeNotifier) func `long poll for one level is not answered for another, but its cursor advances`()
        async throws
    {
        let harness = Harness.current
        let next = SampleVenue.tiny.edited(Edit(.rename, 1))
        try await harness.push(SampleVenue.tiny.archive())
        let level = try await Self.level(touchedBy: next, harness)
        let other = try #require(SampleVenue.tiny.ids(of: .level).first { $0 != level })
        let cursor = try await harness.sync("level=\(other)").cursor
        async let response = harness.sync("since=\(cursor)&level=\(other)&wait=30")
        try await harness.untilWaiting(1)
        try await harness.push(next.archive())
        let nothing = try await response
        #expect(nothing.blocks.isEmpty && nothing.to == 2 && nothing.cursor != cursor)
    }

    /// Publishes the change on another venue to find the level it touches.
    private static func level(touchedBy next: SampleVenue, _ harness: Harness) async throws -> FeatureID? {
        try await harness.push(SampleVenue.tiny.archive(), to: "probe")
        let cursor = try await harness.sync(of: "probe").cursor
        try await harness.push(next.archive(), to: "probe")
        return try await #require(harness.sync("since=\(cursor)", of: "probe").blocks.first?.level)
    }

    @Test(.changeNotifier) func `long poll is answered with no changes when its time is over`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        let response = try await harness.sync("since=\(cursor)&wait=1")
        #expect(response.blocks.isEmpty && response.cursor == cursor)
    }

    @Test(.changeNotifier) func `long poll: a server that shuts down answers all of them and accepts no new ones`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        async let responses = harness.sendConcurrently(20, "/venues/mall/sync?since=\(cursor)&wait=55")
        try await harness.untilWaiting(20)
        harness.server.longPolls.close()
        for response in try await responses {
            #expect(response.status == .ok)
            #expect(try response.changeSet.blocks.isEmpty)
        }
        #expect(try await harness.sync("since=\(cursor)&wait=55").blocks.isEmpty)
    }

    @Test(.changeNotifier) func `long poll is refused as soon as its key is revoked, and others go on waiting`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (key, other) = (
            try await harness.makeKey(.read, for: ["mall"]), try await harness.makeKey(.read, named: "other")
        )
        let cursor = try await harness.sync().cursor
        async let earlier = harness.sync("since=\(cursor)&wait=55", key: other)
        try await harness.untilWaiting(1)
        async let response = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55", key: key)
        try await harness.untilWaiting(2)
        try await harness.revoke("phones")
        try await response.problem(401)
        // The earlier poll still waits, so the time of this one was not over.
        #expect(harness.server.longPolls.count == 1)
        harness.server.longPolls.close()
        #expect(try await earlier.blocks.isEmpty)
    }

    @Test(.changeNotifier) func `long poll is answered 410 when its venue is deleted`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        async let response = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55")
        try await harness.untilWaiting(1)
        let gone = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
        #expect(gone.status == .noContent)
        try await response.problem(410)
    }

    @Test(.changeNotifier) func `long poll is delayed by one polling interval only when a notification is lost`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.archive(), to: "unchanged")
        let cursor = try await harness.sync().cursor
        let unchanged = try await harness.sync(of: "unchanged").cursor
        let database = try #require(
            try await harness.store.pool.query("SELECT current_database()::text").decode(String.self).first)
        // Open all pooled connections now, because no new ones can be opened below.
        try await Self.hold(6, harness.store.pool)
        try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS false")
        // The listening connection is terminated and cannot reconnect.
        let terminated = try await harness.store.pool.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'
            """
        ).decode(Bool.self)
        #expect(terminated == [true])
        async let earlier = harness.sync("since=\(unchanged)&wait=55", of: "unchanged")
        try await harness.untilWaiting(1)
        async let response = harness.sync("since=\(cursor)&wait=55")
        try await harness.untilWaiting(2)
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        #expect(try await response.to == 2)
        // The earlier poll still waits, so the time of this one was not over.
        #expect(harness.server.longPolls.count == 1)
        harness.server.longPolls.close()
        #expect(try await earlier.blocks.isEmpty)
        try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS true")
    }

    private static func hold(_ count: Int, _ pool: ConnectionPool) async throws {
        guard count > 0 else { return }
        try await pool.withConnection { _ in try await Self.hold(count - 1, pool) }
    }

    @Test func `wait parameter is refused when malformed, and clamped when too long`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        for wait in ["-1", "ten", "1.5"] {
            try await harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=\(wait)").problem(400)
        }
        // Without a change notifier no request waits.
        #expect(try await harness.sync("since=\(cursor)&wait=86400").blocks.isEmpty)
    }
}
