import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import Logging
import NIOHTTP1
import SampleVenue
import SyncModel
import SyncServer
import Synchronization
import TestSupport
import Testing

/// A node that cannot reach its database serves what it knows for a bounded time: a key may have been revoked, and a venue made private.
@Suite(.database)
struct UnconfirmedStateTests {
    /// The clock of a node, which a test puts forward.
    private final class Clock: Sendable {
        private let offset = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { .now + self.offset.withLock(\.self) }

        func advance(by duration: Duration) { self.offset.withLock { $0 += duration } }
    }

    private struct Node {
        let harness: Harness
        let clock: Clock
        let key: String

        /// The database cannot be reached from now on, and nothing has confirmed the last state for so long.
        func loseDatabase(for duration: Duration) {
            self.harness.server.readModel.suspend()
            self.clock.advance(by: duration)
        }
    }

    private static func withNode(
        isPublic: Bool = false, hasNotifier: Bool = false, archive: [UInt8]? = nil,
        _ test: @escaping @Sendable (Node) async throws -> Void
    ) async throws {
        let clock = Clock()
        let readModel = ReadModel(store: TestDatabase.current.store, now: { clock.now })
        let archive = try archive ?? SampleVenue.tiny.archive()
        let run: @Sendable (Harness) async throws -> Void = { harness in
            try await harness.push(archive)
            try await harness.set("public", to: .bool(isPublic))
            let key = try await harness.makeKey(.read, for: ["mall"])
            try await readModel.refresh()
            try await test(Node(harness: harness, clock: clock, key: key))
        }
        try await hasNotifier
            ? Harness.withChangeNotifier(readModel: readModel, run) : Harness.run(readModel: readModel, run)
    }

    /// Reads that say nothing about a venue.
    private static let open = ["/health", "/ready", "/metrics", "/openapi.yaml", "/cartography.json", "/"]

    @Test func `every read that takes a key is answered 503 half a minute after the database was last reached`()
        async throws
    {
        try await Self.withNode { node in
            let harness = node.harness
            let routes = harness.server.router().routes
                .filter { $0.method == .get && !Self.open.contains("\($0.path)") }
                .map { "\($0.path)" }
                .filter { !$0.hasPrefix("/console/") && !$0.hasPrefix("/embed/") }
            try #require(routes.count > 40)
            node.loseDatabase(for: .seconds(20))
            #expect(try await harness.send(.get, "/venues/mall/sync", key: node.key).status == .ok)
            node.clock.advance(by: .seconds(11))
            for route in routes {
                let path = route.replacing("{venue}", with: "mall").replacing(/{\w+}/, with: "1")
                for key in [node.key, Harness.adminKey, "wrong"] {
                    let response = try await harness.send(.get, path, key: key)
                    try response.problem(503, "\(path)")
                    #expect(response.headers[.retryAfter] == "1", "\(path)")
                    // Those for publishers read the database first.
                    let isExplained = ["not confirmed", "database is unreachable"].contains {
                        response.text.contains($0)
                    }
                    #expect(isExplained, "\(path)")
                }
            }
            // Nothing tells a private venue from one that does not exist.
            let responses = try await ["mall", "nowhere"].asyncMap { venue in
                try await harness.send(.get, "/venues/\(venue)/sync", key: nil).text
            }
            #expect(Set(responses).count == 1)
            harness.server.readModel.resume()
            node.clock.advance(by: .seconds(2))
            #expect(try await harness.send(.get, "/venues/mall/sync", key: node.key).status == .ok)
        }
    }

    @Test func `public venue is served for an hour without the database`() async throws {
        try await Self.withNode(isPublic: true) { node in
            let paths = [
                "/venues/mall", "/venues/mall/sync", "/venues/mall/tiles/0/14/0/0.mvt", "/ogc/mall/collections",
            ]
            for (duration, status) in [(Duration.seconds(3_590), 200), (.seconds(20), 503)] {
                node.loseDatabase(for: duration)
                for path in paths {
                    // The key of a request is not needed.
                    for key in [nil, node.key] {
                        let response = try await node.harness.send(.get, path, key: key)
                        #expect(response.status.code == status, "\(path)")
                    }
                }
            }
        }
    }

    @Test func `public venue is neither embedded nor listed, and its services end, after an hour without the database`()
        async throws
    {
        try await Self.withNode(isPublic: true) { node in
            let harness = node.harness
            try await harness.set("embed_origins", to: ["https://shop.example"])
            for (duration, isServed) in [(Duration.seconds(3_590), true), (.seconds(20), false)] {
                node.loseDatabase(for: duration)
                let page = try await harness.send(.get, "/embed/mall", key: nil)
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(page.status == .ok && policy.contains("frame-ancestors https://shop.example") == isServed)
                #expect(isServed || policy.contains("frame-ancestors 'none'"))
                for path in ["/ogc/mall", "/ogc/mall/collections/unit", "/ogc/mall/collections/unit/items"] {
                    let response = try await harness.send(.get, path, key: nil)
                    #expect(response.status == (isServed ? .ok : .serviceUnavailable), "\(path)")
                }
                // The list takes a key, whatever is public.
                #expect(try await harness.send(.get, "/venues", key: nil).status == .unauthorized)
                try await harness.send(.get, "/venues", key: node.key).problem(503)
            }
        }
    }

    @Test func `tile token is not accepted half a minute after the database was last reached`() async throws {
        try await Self.withNode { node in
            let created = try await node.harness.send(
                .post, "/venues/mall/tile-tokens", json: ["expires_in": 86_400], key: node.key)
            let token = try #require(try created.json["token"]?.string)
            let path = "/venues/mall/tiles/0/14/0/0.mvt?token=\(token)"
            for (duration, status) in [(Duration.seconds(20), 200), (.seconds(11), 503)] {
                node.loseDatabase(for: duration)
                let response = try await node.harness.send(.get, path, key: nil)
                #expect(response.status.code == status)
            }
        }
    }

    @Test func `preview token is not accepted half a minute after the database was last reached`() async throws {
        try await Self.withNode { node in
            let staged = try await node.harness.push(
                SampleVenue.tiny.archive(), to: "new", query: "?publish=hold")
            let created = try await node.harness.send(
                .post, "/uploads/\(staged.id)/preview-tokens", json: ["expires_in": 86_400])
            let token = try #require(try created.json["token"]?.string)
            for (duration, status) in [(Duration.seconds(20), 200), (.seconds(11), 503)] {
                node.loseDatabase(for: duration)
                let response = try await node.harness.send(
                    .get, "/uploads/\(staged.id)/preview?token=\(token)", key: nil)
                #expect(response.status.code == status)
            }
        }
    }

    @Test func `kept response is not sent when the state is no longer confirmed`() async throws {
        try await Self.withNode { node in
            let responder = node.harness.server.immediateResponder(
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let request = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/venues/mall/sync",
                headers: ["host": "a", "authorization": "Bearer \(node.key)"])
            node.harness.server.readModel.confirm(asOf: node.clock.now)
            _ = try await node.harness.send(.get, "/venues/mall/sync", key: node.key)
            #expect(responder.outcome(of: request, from: nil) != nil)
            node.loseDatabase(for: .seconds(31))
            #expect(responder.outcome(of: request, from: nil) == nil)
        }
    }

    @Test func `waiting requests and event streams end when the state is no longer confirmed`() async throws {
        try await Self.withNode(hasNotifier: true) { node in
            let harness = node.harness
            let cursor = try await harness.sync().cursor
            async let poll = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55", key: node.key)
            async let polls = harness.send(.get, "/venues/mall/sync?since=\(cursor)&wait=55", key: Harness.adminKey)
            async let stream = harness.send(.get, "/events", key: node.key)
            try await harness.untilWaiting(3)
            node.loseDatabase(for: .seconds(31))
            harness.server.longPolls.expire(at: .now + .seconds(60))
            try await poll.problem(503)
            try await polls.problem(503)
            let events = try await stream
            #expect(events.status == .ok)
        }
    }

    @Test func `download in progress ends when the state is no longer confirmed`() async throws {
        let archive = try SampleVenue(.init(levels: 2, unitsPerLevel: 500)).archive()
        try await Self.withNode(archive: archive) { node in
            let request = DirectRequest(path: "/venues/mall/sync", key: node.key)
            let whole = try await request.send(to: node.harness)
            #expect(whole.status == 200 && whole.end == nil && whole.text.utf8.count > 256 << 10)
            let cut = try await request.send(to: node.harness, begun: { node.loseDatabase(for: .seconds(31)) })
            #expect(cut.end != nil && cut.text.utf8.count < whole.text.utf8.count)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
