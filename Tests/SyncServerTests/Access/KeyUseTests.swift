import Foundation
import HTTPTypes
import IMDF
import Logging
import NIOHTTP1
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// When keys were last used: noted in memory by requests, and written once in a while.
@Suite(.server)
struct KeyUseTests {
    /// The recorded use of the only key.
    private static func lastUse(_ harness: Harness) async throws -> Date? {
        try await harness.store.pool.query("SELECT last_used_at FROM api_key").decode(Date?.self).first.flatMap(\.self)
    }

    private static func recordUse(at age: String, _ harness: Harness) async throws {
        _ = try await harness.store.pool.query(
            "UPDATE api_key SET last_used_at = clock_timestamp() - \(age)::text::interval")
    }

    @Test func `key use is written by no request, and listed when it was written`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.read)
        #expect(try await harness.send(.get, "/venues", key: key).status == .ok)
        #expect(try await Self.lastUse(harness) == nil)
        try await harness.server.readModel.recordKeyUse()
        let use = try #require(try await Self.lastUse(harness))
        let keys = try await harness.send(.get, "/keys").json["keys"]?.array ?? []
        #expect(keys.map { $0["last_used_at"]?.string } == [Timestamp.text(of: use)])
    }

    @Test func `key use is not noted for a wrong secret or a key that was not sent`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.read)
        try await harness.send(.get, "/venues", key: "\(key)0").problem(401)
        #expect(try await harness.send(.get, "/venues").status == .ok)
        try await harness.server.readModel.recordKeyUse()
        #expect(try await Self.lastUse(harness) == nil)
    }

    @Test func `key use is written once an hour, also by several nodes`() async throws {
        let key = try await Harness.current.makeKey(.read)
        for (age, isWritten) in [("59 minutes", false), ("61 minutes", true)] {
            try await Self.recordUse(at: age, Harness.current)
            let before = try await Self.lastUse(Harness.current)
            try await Harness.run { other in
                for harness in [Harness.current, other] {
                    #expect(try await harness.send(.get, "/venues", key: key).status == .ok)
                }
                try await Harness.current.server.readModel.recordKeyUse()
                let after = try await Self.lastUse(other)
                #expect((after != before) == isWritten, "\(age)")
                try await other.server.readModel.recordKeyUse()
                #expect(try await Self.lastUse(other) == after)
            }
        }
    }

    @Test func `key use waits for no transaction that uses the key`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.read)
        try await harness.store.pool.transaction { connection in
            _ = try await connection.query("SELECT FROM api_key FOR SHARE")
            _ = try await harness.send(.get, "/venues", key: key)
            try await harness.server.readModel.recordKeyUse()
        }
        #expect(try await Self.lastUse(harness) == nil)
        _ = try await harness.send(.get, "/venues", key: key)
        try await harness.server.readModel.recordKeyUse()
        #expect(try await Self.lastUse(harness) != nil)
    }

    @Test func `key use that cannot be written is written the next time`() async throws {
        let harness = Harness.current
        _ = try await harness.send(.get, "/venues", key: harness.makeKey(.read))
        _ = try await harness.store.pool.query("ALTER TABLE api_key RENAME last_used_at TO moved")
        await #expect(throws: (any Error).self) { try await harness.server.readModel.recordKeyUse() }
        _ = try await harness.store.pool.query("ALTER TABLE api_key RENAME moved TO last_used_at")
        #expect(try await Self.lastUse(harness) == nil)
        try await harness.server.readModel.recordKeyUse()
        #expect(try await Self.lastUse(harness) != nil)
    }

    @Test func `key use is no change: nodes read nothing again`() async throws {
        let harness = Harness.current
        let readModel = harness.server.readModel
        _ = try await harness.send(.get, "/venues", key: harness.makeKey(.read))
        try await readModel.refresh()
        let (before, keys) = (readModel.contents, try await harness.store.keysWithChecksum())
        try await readModel.recordKeyUse()
        try await readModel.refresh()
        #expect(try await Self.lastUse(harness) != nil)
        #expect(readModel.contents == before)
        let after = try await harness.store.keysWithChecksum()
        #expect(after.keys == keys.keys && after.checksum == keys.checksum)
    }

    @Test func `key use is noted for polls whose outcome is known`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let key = try await harness.makeKey(.read)
        let responder = harness.server.immediateResponder(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let request = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/venues/mall/sync",
            headers: ["host": "a", "authorization": "Bearer \(key)"])
        _ = try await harness.send(.get, "/venues/mall/sync", key: key)
        harness.server.readModel.confirm(asOf: .now + .seconds(3_600))
        _ = try await harness.send(.get, "/venues/mall/sync", key: key)
        #expect(responder.outcome(of: request, from: nil) != nil)
        try await harness.server.readModel.recordKeyUse()
        // The next one goes the long way, and names its key.
        #expect(responder.outcome(of: request, from: nil) == nil)
        _ = try await harness.send(.get, "/venues/mall/sync", key: key)
        #expect(responder.outcome(of: request, from: nil) != nil)
    }
}
