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
import Synchronization
import TestSupport
import Testing

/// A key that has expired is refused like one that was revoked: by the node's clock when it reads, by the database's when it writes.
@Suite(.database)
struct KeyExpiryTests {
    /// The wall clock of a node, which a test puts forward.
    private final class Clock: Sendable {
        private let offset = Mutex(TimeInterval(0))

        var date: Date { Date(timeIntervalSinceNow: self.offset.withLock(\.self)) }

        func advance(by seconds: TimeInterval) { self.offset.withLock { $0 += seconds } }
    }

    /// A node with the venue `mall`, and a key for it that expires in an hour.
    private struct Node {
        let harness: Harness
        let clock: Clock
        let key: String

        func expireKey() { self.clock.advance(by: 3_601) }
    }

    private static func withNode(
        role: Role = .read, hasNotifier: Bool = false, archive: [UInt8]? = nil,
        _ test: @escaping @Sendable (Node) async throws -> Void
    ) async throws {
        let clock = Clock()
        let readModel = ReadModel(store: TestDatabase.current.store, date: { clock.date })
        let archive = try archive ?? SampleVenue.tiny.archive()
        let run: @Sendable (Harness) async throws -> Void = { harness in
            try await harness.push(archive)
            let created = try await harness.send(
                .post, "/keys", json: Self.request(role, until: Date(timeIntervalSinceNow: 3_600)))
            let key = try #require(created.json["secret"]?.string)
            try await readModel.refresh()
            try await test(Node(harness: harness, clock: clock, key: key))
        }
        try await hasNotifier
            ? Harness.withChangeNotifier(readModel: readModel, run) : Harness.run(readModel: readModel, run)
    }

    private static func request(_ role: Role = .read, until time: Date) -> JSONValue {
        [
            "name": "phones", "role": .string(role.rawValue), "venues": ["mall"],
            "expires_at": .string(Timestamp.text(of: time)),
        ]
    }

    @Test func `key is listed with the time at which it expires, also afterwards`() async throws {
        try await Harness.run { harness in
            let time = Date(timeIntervalSinceNow: 60)
            let key = try await harness.send(.post, "/keys", json: Self.request(until: time)).decoded(AccessKey.self)
            _ = try await harness.makeKey(.read)
            _ = try await harness.store.pool.query("UPDATE api_key SET expires_at = expires_at - interval '1 hour'")
            let keys = try #require(try await harness.send(.get, "/keys").json["keys"]?.array)
            #expect(key.expiresAt.map { Timestamp.text(of: $0) } == Timestamp.text(of: time))
            #expect(keys.count == 2 && keys[0]["expires_at"]?.string != nil && keys[1]["expires_at"] == nil)
        }
    }

    @Test func `key creation refuses a time that is over or malformed, and a misspelled member`() async throws {
        try await Harness.run { harness in
            let past = try await harness.send(.post, "/keys", json: Self.request(until: Date(timeIntervalSinceNow: -1)))
            #expect(try past.problem(400).pointer == "/expires_at")
            for (member, value) in [("expires_at", "tomorrow"), ("expires_at", 7), ("expires", "2999-01-01T00:00:00Z")]
                as [(String, JSONValue)]
            {
                let request = JSONValue.object([
                    "name": "phones", "role": "read", "venues": ["mall"], member: value,
                ])
                try await harness.send(.post, "/keys", json: request).problem(400, "\(member): \(value)")
            }
            #expect(try await harness.count("api_key") == 0)
        }
    }

    @Test func `key that has expired is refused like a revoked one, and so are its tile tokens`() async throws {
        try await Self.withNode(role: .publish) { node in
            let harness = node.harness
            let created = try await harness.send(
                .post, "/venues/mall/tile-tokens", json: ["expires_in": 86_400], key: node.key)
            let token = try #require(try created.json["token"]?.string)
            let tile = "/venues/mall/tiles/0/14/0/0.mvt?token=\(token)"
            let paths = ["/venues", "/venues/mall", "/venues/mall/sync", "/venues/mall/uploads"]
            for path in paths { #expect(try await harness.send(.get, path, key: node.key).status == .ok, "\(path)") }
            #expect(try await harness.send(.get, tile, key: nil).status == .ok)
            node.expireKey()
            let wrong = try await harness.send(.get, "/venues", key: "wrong").problem(401)
            for path in paths {
                #expect(try await harness.send(.get, path, key: node.key).problem(401) == wrong, "\(path)")
            }
            try await harness.send(.get, tile, key: nil).problem(401)
        }
    }

    @Test func `key expires on a node that cannot reach its database`() async throws {
        try await Self.withNode { node in
            let harness = node.harness
            harness.server.readModel.suspend()
            #expect(try await harness.send(.get, "/venues/mall/sync", key: node.key).status == .ok)
            node.expireKey()
            // As for every key that is not known here: it may have been created meanwhile.
            try await harness.send(.get, "/venues/mall/sync", key: node.key).problem(503)
            harness.server.readModel.resume()
            try await harness.send(.get, "/venues/mall/sync", key: node.key).problem(401)
        }
    }

    @Test func `kept response is not sent when the key has expired`() async throws {
        try await Self.withNode { node in
            let responder = node.harness.server.immediateResponder(
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let request = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/venues/mall/sync",
                headers: ["host": "a", "authorization": "Bearer \(node.key)"])
            node.harness.server.readModel.confirm(asOf: .now + .seconds(3_600))
            _ = try await node.harness.send(.get, "/venues/mall/sync", key: node.key)
            #expect(responder.outcome(of: request, from: nil) != nil)
            node.expireKey()
            #expect(responder.outcome(of: request, from: nil) == nil)
        }
    }

    @Test func `waiting requests and event streams end when the key expires`() async throws {
        try await Self.withNode(hasNotifier: true) { node in
            let harness = node.harness
            let cursor = try await harness.sync().cursor
            let position = try await harness.catalogue(key: node.key).cursor
            async let poll = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55", key: node.key)
            async let catalogue = harness.send(.get, "/sync?since=\(position)&wait=55", key: node.key)
            async let stream = harness.send(.get, "/events", key: node.key)
            try await harness.untilWaiting(3)
            node.expireKey()
            try await poll.problem(401)
            try await catalogue.problem(401)
            #expect(try await stream.status == .ok)
        }
    }

    @Test func `download in progress ends when the key expires`() async throws {
        let archive = try SampleVenue(.init(levels: 2, unitsPerLevel: 500)).archive()
        try await Self.withNode(archive: archive) { node in
            // Parts of the body are not authorized again while nothing changes.
            node.harness.server.readModel.confirm(asOf: .now + .seconds(3_600))
            let request = DirectRequest(path: "/venues/mall/sync", key: node.key)
            let whole = try await request.send(to: node.harness)
            #expect(whole.status == 200 && whole.end == nil && whole.text.utf8.count > 256 << 10)
            let cut = try await request.send(to: node.harness, begun: { node.expireKey() })
            #expect(cut.end != nil && cut.text.utf8.count < whole.text.utf8.count)
        }
    }

    /// The key expires by the database's clock, of which the node does not know.
    private static func expireInDatabase(_ harness: Harness) async throws {
        _ = try await harness.store.pool.query("UPDATE api_key SET expires_at = clock_timestamp()")
    }

    @Test func `key that expires while the body is being sent writes nothing`() async throws {
        try await Self.withNode(role: .admin) { node in
            let request = DirectRequest(
                method: .patch, path: "/venues/mall", key: node.key, body: Array(#"{"public":true}"#.utf8))
            let response = try await request.send(
                to: node.harness, halfSent: { try await Self.expireInDatabase(node.harness) })
            #expect(response.status == 401, "\(response.text)")
            #expect(try await node.harness.get(Venue.self, "/venues/mall").public == false)
        }
    }

    @Test func `upload of a key that has expired is staged, and another key takes it over`() async throws {
        try await Self.withNode(role: .publish) { node in
            let harness = node.harness
            let next = try SampleVenue.tiny.edited(Edit(.rename, 3)).archive()
            let id = try #require(try await harness.upload(next, key: node.key).json["id"]?.string)
            let other = try #require(
                try await harness.upload(
                    SampleVenue.tiny.edited(Edit(.rename, 5), seed: 2).archive(), key: node.key
                ).json["id"]?.string)
            try await Self.expireInDatabase(harness)
            // The same archive again, by the administrator.
            #expect(try await harness.upload(next).json["id"]?.string == id)
            try await harness.work()
            #expect(try await harness.upload(id).state == .published)
            let upload = try await harness.upload(other)
            #expect(upload.state == .staged && upload.reasons.contains("key_revoked"), "\(upload)")
        }
    }
}
