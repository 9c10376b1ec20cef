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

@Suite(.database)
struct NodeTests {
    @Test func `sync without changes does not query the database`() async throws {
        try await Harness.withChangeNotifier { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let key = try await harness.makeKey(.read, for: ["mall"])
            let cursor = try await harness.sync().cursor
            _ = try await harness.sync("since=\(cursor)", key: key)
            let loans = harness.store.pool.useCount
            let start = ContinuousClock.now
            for _ in 0..<100 { _ = try await harness.sync("since=\(cursor)", key: key) }
            // The change poller queries the database once per second for all requests; without it, every request would.
            let refreshes = 2 + Int(start.duration(to: .now).components.seconds)
            #expect(harness.store.pool.useCount - loans <= refreshes)
        }
    }

    @Test(arguments: [SyncForm.plain, .delta])
    func `shared read: equal requests at the same time share one`(form: SyncForm) async throws {
        try await Harness.withChangeNotifier { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2)).archive())
            let loans = harness.store.pool.useCount
            let start = ContinuousClock.now
            let responses = try await harness.sendConcurrently(
                50, "/venues/mall/sync?since=\(cursor)&form=\(form.rawValue)")
            #expect(Set(responses.map(\.data)).count == 1 && responses.allSatisfy { $0.status == .ok })
            let refreshes = 2 + Int(start.duration(to: .now).components.seconds)
            #expect(harness.store.pool.useCount - loans <= refreshes + 6)
        }
    }

    @Test(arguments: [SyncForm.plain, .delta])
    func `shared read: requests that arrive during a read do not read again`(form: SyncForm) async throws {
        let database = TestDatabase.current
        let pool = ConnectionPool(database.configuration.forStore(lockTimeout: .seconds(60)))
        try await Harness.run(store: RevisionStore(pool: pool)) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2)).archive())
            // No request refreshes the read model from here on.
            harness.server.readModel.confirm(asOf: .now + .seconds(600))
            let uses = pool.useCount
            let responses = try await database.pool.transaction { connection in
                _ = try await connection.query("LOCK TABLE feature_version IN ACCESS EXCLUSIVE MODE")
                let path = "/venues/mall/sync?since=\(cursor)&form=\(form.rawValue)"
                let responses = Task { try await harness.sendConcurrently(20, path) }
                try await database.pool.waitForLock()
                return responses
            }
            #expect(try await Set(responses.value.map(\.data)).count == 1)
            #expect(pool.useCount - uses <= 6)
        }
        await pool.close()
    }

    @Test func `shared read: requests for all venues share one among keys with equal rights`() async throws {
        try await Harness.run { harness in
            for venue in ["mall", "hall"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
            let keys = [
                try await harness.makeKey(.read, for: ["mall"]), try await harness.makeKey(.read, for: ["mall"]),
                try await harness.makeKey(.read, for: ["hall"]),
            ]
            _ = try await harness.send(.get, "/venues", key: keys[2])  // fills the memory of the node
            // No request refreshes the read model from here on.
            harness.server.readModel.confirm(asOf: .now + .seconds(600))
            let loans = harness.store.pool.useCount
            var texts: [String] = []
            for key in keys {
                for _ in 0..<20 { texts.append(try await harness.send(.get, "/sync", key: key).text) }
            }
            #expect(Set(texts).count == 2)
            #expect(Set(texts[..<40]).count == 1 && texts[0].contains("\"mall\"") && !texts[0].contains("\"hall\""))
            #expect(harness.store.pool.useCount - loans <= 12)
        }
    }

    @Test func `several nodes: a node shows revisions of another node to clients that know of them`() async throws {
        // Neither has a change notifier, and each trusts its last read for a while.
        let store = TestDatabase.current.store
        try await Harness.run(store: store) { first in
            try await Harness.run(store: store) { second in
                try await first.push(SampleVenue.tiny.archive())
                let old = try await second.sync().cursor
                try await first.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
                let new = try await first.sync().cursor
                second.server.readModel.confirm(asOf: .now + .seconds(600))
                // Its state counts as confirmed, so a poll returns no changes …
                #expect(try await second.sync("since=\(old)").to == 1)
                // … unless the client's cursor is newer than its state.
                #expect(try await second.sync("since=\(new)").to == 2)
                second.server.readModel.confirm(asOf: .now + .seconds(600))
                #expect(try await second.sync("since=\(old)&to=2").to == 2)
                try await second.send(.get, "/venues/mall/sync?since=\(old)&to=3").problem(404)
                #expect(try await second.send(.get, "/venues/mall/revisions/2").status == .ok)
            }
        }
    }
}
