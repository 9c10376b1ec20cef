import Foundation
import HTTPTypes
import IMDF
import NIOCore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// Requests of clients that disconnected, and of clients that already have the response.
@Suite(.database)
struct AbandonedRequestTests {
    private static let paths = [
        "/venues/mall/revisions/1/archive.zip", "/venues/mall/revisions/1/features?strict=true",
        "/venues/mall/diff?from=1&to=2",
    ]

    private static func publish(in harness: Harness, to venue: String = "mall") async throws {
        try await harness.push(SampleVenue.tiny.archive(), to: venue)
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2)).archive(), to: venue)
    }

    private static func request(_ path: String, key: String = Harness.adminKey) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n"
    }

    @Test(arguments: Self.paths)
    func `abandoned request: its work is cancelled when the client disconnects`(path: String) async throws {
        // Comparisons would wait for the lock themselves: the first refreshes make them, and there are no later ones.
        try await Harness.listening(comparison: .seconds(3_600)) { harness, port in
            try await Self.publish(in: harness)
            for _ in 0..<40 { try await harness.server.readModel.refresh() }
            try await TestDatabase.current.withLock(on: "feature_version") {
                let database = TestDatabase.current
                for pipelined in [0, 20] {
                    var client: RawClient? = try RawClient(port: port)
                    try client?.send(Self.request(path))
                    for _ in 0..<pipelined { try client?.send(Self.request("/health")) }
                    try await harness.until { try await database.pool.waitingStatements() == 1 }
                    client = nil
                    try await harness.until { try await database.pool.waitingStatements() == 0 }
                }
            }
            // Other requests are not affected.
            #expect(try await harness.send(.get, path).status == .ok)
        }
    }

    @Test func `event stream reads no earlier events any more when its client disconnects`() async throws {
        try await Harness.run { try await Self.publish(in: $0) }
        try await Harness.listening(comparison: .seconds(3_600), changeNotifier: true) { harness, port in
            // The feed of this server begins after the events, so it reads them from the database.
            try await harness.until { harness.server.eventFeed.end == 2 }
            for _ in 0..<40 { try await harness.server.readModel.refresh() }
            try await TestDatabase.current.withLock(on: "level_state") {
                var client: RawClient? = try RawClient(port: port)
                try client?.send(Self.request("/events").replacing("Host: a", with: "Host: a\r\nLast-Event-ID: 0"))
                try await harness.until { try await TestDatabase.current.pool.waitingStatements() == 1 }
                client = nil
                try await harness.until { try await TestDatabase.current.pool.waitingStatements() == 0 }
            }
        }
    }

    @Test(arguments: ["/venues/mall/revisions/1/archive.zip", "/venues/mall/revisions/1/features"])
    func `conditional request with a current tag is answered before any work`(path: String) async throws {
        try await Harness.run { harness in
            try await Self.publish(in: harness)
            let tag = try #require(try await harness.send(.get, path).headers[.eTag])
            try await TestDatabase.current.withLock(on: "feature_version", "level_state") {
                let again = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
                #expect(again.status == .notModified && again.headers[.eTag] == tag)
            }
            let strict = try await harness.send(.get, "\(path)?strict=true", headers: [.ifNoneMatch: "W/\"other\""])
            #expect(strict.status == .ok)
            // Another server has no response in memory; it knows the revision from another request.
            try await Harness.run { other in
                _ = try await other.send(.get, "/venues/mall/revisions/1/features?type=venue")
                // The first refreshes compare everything and would wait for the lock themselves.
                for _ in 0..<40 { try await other.server.readModel.refresh() }
                try await TestDatabase.current.withLock(on: "feature_version", "level_state") {
                    let known = try await other.send(.get, path, headers: [.ifNoneMatch: tag])
                    #expect(known.status == .notModified)
                }
            }
        }
    }

    @Test func `HEAD of an archive that was built recently does not build it again`() async throws {
        try await Harness.run { harness in
            try await Self.publish(in: harness)
            for query in ["", "?strict=true"] {
                let path = "/venues/mall/revisions/1/archive.zip\(query)"
                let made = try await harness.send(.get, path)
                try await TestDatabase.current.withLock(on: "feature_version") {
                    let head = try await harness.send(.head, path)
                    #expect(head.status == .ok && head.data.isEmpty)
                    #expect(head.headers[.contentLength] == "\(made.data.count)")
                    for name in [HTTPField.Name.eTag, HTTPField.Name("VenueSync-Left-Out")!] {
                        #expect(head.headers[name] == made.headers[name])
                    }
                }
            }
        }
    }

    @Test func `strict archive and plain archive have different tags`() async throws {
        try await Harness.run { harness in
            try await Self.publish(in: harness)
            let path = "/venues/mall/revisions/1/archive.zip"
            let tags = try await [path, "\(path)?strict=true", path.replacing("/1/", with: "/2/")].asyncMap {
                try await harness.send(.get, $0).headers[.eTag]
            }
            #expect(Set(tags).count == 3)
        }
    }

    @Test func `archive of the source reads the overrides when it has its permit`() async throws {
        try await Harness.run { harness in
            try await Self.publish(in: harness)
            let mall = try #require(VenueKey("mall"))
            let exports = harness.server.exportPermits
            let path = "/venues/mall/revisions/1/archive.zip?overrides=false"
            // The first refreshes compare everything and would wait for the lock themselves.
            for _ in 0..<40 { try await harness.server.readModel.refresh() }
            let archive = try await exports.withPermit(for: mall) {
                let archive = Task { try await harness.send(.get, path) }
                try await TestDatabase.current.withLock(on: "feature_override") {
                    try await harness.until { exports.waiting == 1 }
                }
                return archive
            }
            #expect(try await archive.value.status == .ok)
        }
    }

    @Test func `exports of one venue do not delay those of another, and their queue is bounded`() async throws {
        try await Harness.run { harness in
            try await Self.publish(in: harness)
            try await Self.publish(in: harness, to: "office")
            let mall = try #require(VenueKey("mall"))
            let exports = harness.server.exportPermits
            let path = "/venues/mall/revisions/1/archive.zip"
            // Archives of the source are not shared, so each request waits for itself.
            let unshared = "\(path)?overrides=false"
            // One export of the mall is running, and the queue is full.
            try await exports.withPermit(for: mall) {
                try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for _ in 0..<16 { tasks.addTask { try await harness.send(.get, unshared).status.code } }
                    try await harness.until { exports.waiting == 16 }
                    let office = try await harness.send(.get, "/venues/office/revisions/1/archive.zip")
                    #expect(office.status == .ok && exports.waiting == 16)
                    let refused = try await harness.send(.get, path)
                    #expect(try refused.problem(503).type == "/problems/busy")
                    #expect(refused.headers[.retryAfter] != nil)
                    tasks.cancelAll()
                    try await harness.until { exports.waiting == 0 }
                }
            }
            #expect(try await harness.send(.get, path).status == .ok)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
