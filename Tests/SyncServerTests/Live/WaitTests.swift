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

@Suite(.database)
struct WaitTests {
    @Test func `who waits is answered as soon as there is news`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            let start = ContinuousClock.now
            async let answer = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55")
            try await harness.waiters(1)
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            let news = try await answer.changeSet
            // Not when its time was up.
            #expect(ContinuousClock.now - start < .seconds(40))
            #expect(news.to == 2 && news.blocks.flatMap(\.features).count == 1)
            #expect(try await answer.parts(of: .cacheControl).contains("no-store"))
        }
    }

    @Test func `who waits for one floor is not answered for another, and then has moved on`() async throws {
        try await Harness.watched { harness in
            let next = SampleVenue.tiny.edited(Edit(.rename, 1))
            try await harness.push(SampleVenue.tiny.archive())
            let level = try await Self.level(touchedBy: next, harness)
            let other = try #require(SampleVenue.tiny.ids(of: .level).first { $0 != level })
            let cursor = try await harness.sync("level=\(other)").cursor
            async let answer = harness.sync("since=\(cursor)&level=\(other)&wait=3")
            try await harness.waiters(1)
            try await harness.push(next.archive())
            let nothing = try await answer
            #expect(nothing.blocks.isEmpty && nothing.to == 2 && nothing.cursor != cursor)
        }
    }

    /// Tries the step out on a venue of its own.
    private static func level(touchedBy next: SampleVenue, _ harness: Harness) async throws -> FeatureID? {
        try await harness.push(SampleVenue.tiny.archive(), to: "probe")
        let cursor = try await harness.sync(of: "probe").cursor
        try await harness.push(next.archive(), to: "probe")
        return try await #require(harness.sync("since=\(cursor)", of: "probe").blocks.first?.level)
    }

    @Test func `when time is up, the answer is that there is nothing`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            let answer = try await harness.sync("since=\(cursor)&wait=1")
            #expect(answer.blocks.isEmpty && answer.cursor == cursor)
        }
    }

    @Test func `a server that goes down answers everyone who waits, and keeps nobody waiting`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            async let answers = harness.many(20, "/venues/mall/sync?since=\(cursor)&wait=55")
            try await harness.waiters(20)
            harness.server.longPolls.close()
            for answer in try await answers {
                #expect(answer.status == .ok)
                #expect(try answer.changeSet.blocks.isEmpty)
            }
            #expect(try await harness.sync("since=\(cursor)&wait=55").blocks.isEmpty)
        }
    }

    @Test func `a key that is revoked while it waits gets nothing`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let key = try await harness.makeKey(.read, for: ["mall"])
            let cursor = try await harness.sync().cursor
            async let answer = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55", key: key)
            try await harness.waiters(1)
            let keys = try await harness.send(.get, "/keys").json["keys"]?.array
            let id = try #require(keys?.first?["id"]?.string)
            #expect(try await harness.send(.delete, "/keys/\(id)").status == .noContent)
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            try await answer.problem(401)
        }
    }

    @Test func `a venue that is deleted is told to those who wait for it`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            async let answer = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55")
            try await harness.waiters(1)
            let gone = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
            #expect(gone.status == .noContent)
            try await answer.problem(410)
        }
    }

    @Test func `a notification that is lost delays news by no more than the next look`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            let database = try #require(
                try await harness.store.pool.query("SELECT current_database()::text").decode(String.self).first)
            // As many connections as anybody needs here: no more can be made in a moment.
            try await Self.hold(6, harness.store.pool)
            try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS false")
            // The one that listens is broken off, and cannot come back.
            let ears = try await harness.store.pool.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'LISTEN%'
                """
            ).decode(Bool.self)
            #expect(ears == [true])
            let start = ContinuousClock.now
            async let answer = harness.sync("since=\(cursor)&wait=55")
            try await harness.waiters(1)
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            #expect(try await answer.to == 2)
            // Not when its time was up.
            #expect(ContinuousClock.now - start < .seconds(40))
            try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS true")
        }
    }

    private static func hold(_ count: Int, _ pool: ConnectionPool) async throws {
        guard count > 0 else { return }
        try await pool.withConnection { _ in try await Self.hold(count - 1, pool) }
    }

    @Test func `a time to wait that makes no sense is refused, a long one is shortened`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            for wait in ["-1", "ten", "1.5"] {
                try await harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=\(wait)").problem(400)
            }
            // Without anybody who looks for news nobody is kept waiting.
            #expect(try await harness.sync("since=\(cursor)&wait=86400").blocks.isEmpty)
        }
    }
}
