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
struct NodeTests {
    @Test func `a poll without news asks the database nothing`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let key = try await harness.makeKey(.read, for: ["mall"])
            let cursor = try await harness.sync().cursor
            _ = try await harness.sync("since=\(cursor)", key: key)
            let lent = harness.store.pool.useCount
            let began = ContinuousClock.now
            for _ in 0..<100 { _ = try await harness.sync("since=\(cursor)", key: key) }
            // Somebody looks every second for everyone; and with nobody to look, each poll would have to.
            let looks = 2 + Int(began.duration(to: .now).components.seconds)
            #expect(harness.store.pool.useCount - lent <= looks)
        }
    }

    @Test func `many that ask for the same at once cost one reading`() async throws {
        try await Harness.watched { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let cursor = try await harness.sync().cursor
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2)).archive())
            let lent = harness.store.pool.useCount
            let began = ContinuousClock.now
            let answers = try await harness.many(50, "/venues/mall/sync?since=\(cursor)")
            #expect(Set(answers.map(\.text)).count == 1 && answers.allSatisfy { $0.status == .ok })
            let looks = 2 + Int(began.duration(to: .now).components.seconds)
            #expect(harness.store.pool.useCount - lent <= looks + 6)
        }
    }

    @Test func `who asks for all venues shares the reading with everyone who may read the same`() async throws {
        try await Harness.watched { harness in
            for venue in ["mall", "hall"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
            let keys = [
                try await harness.makeKey(.read, for: ["mall"]), try await harness.makeKey(.read, for: ["mall"]),
                try await harness.makeKey(.read, for: ["hall"]),
            ]
            _ = try await harness.send(.get, "/venues", key: keys[2])  // everything is known by now
            let lent = harness.store.pool.useCount
            let began = ContinuousClock.now
            var texts: [String] = []
            for key in keys {
                for _ in 0..<20 { texts.append(try await harness.send(.get, "/sync", key: key).text) }
            }
            #expect(Set(texts).count == 2)
            #expect(Set(texts[..<40]).count == 1 && texts[0].contains("\"mall\"") && !texts[0].contains("\"hall\""))
            let looks = 2 + Int(began.duration(to: .now).components.seconds)
            #expect(harness.store.pool.useCount - lent <= looks + 10)
        }
    }

    @Test func `what one node wrote, another shows to those who know of it`() async throws {
        // Neither is told of news, and each believes for a while what it saw last.
        let store = TestDatabase.current.store
        try await Harness.run(store: store) { first in
            try await Harness.run(store: store) { second in
                try await first.push(SampleVenue.tiny.archive())
                let old = try await second.sync().cursor
                try await first.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
                let new = try await first.sync().cursor
                second.live.node.confirm(asOf: .now)
                // It believes that there is no news, which was right a moment ago …
                #expect(try await second.sync("since=\(old)").to == 1)
                // … but not against a client who has been told otherwise.
                #expect(try await second.sync("since=\(new)").to == 2)
                second.live.node.confirm(asOf: .now)
                #expect(try await second.sync("since=\(old)&to=2").to == 2)
                try await second.send(.get, "/venues/mall/sync?since=\(old)&to=3").problem(404)
                #expect(try await second.send(.get, "/venues/mall/revisions/2").status == .ok)
            }
        }
    }
}
