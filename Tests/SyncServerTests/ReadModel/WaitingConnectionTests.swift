import Foundation
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// Requests that wait for a change, over connections to a complete server.
@Suite(.database)
struct WaitingConnectionTests {
    private static func request(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n\r\n"
    }

    private static func response(_ client: RawClient) async throws -> String {
        try #require(await client.response(within: 45))
    }

    private static func changes(_ response: String) throws -> ChangeSet {
        try #require(response.hasPrefix("HTTP/1.1 200 ") && response.contains("no-store"), "\(response.prefix(300))")
        return try ChangeSet(json: Array(try #require(response.split(separator: "\r\n\r\n", maxSplits: 1).last).utf8))
    }

    /// The address of a poll that waits, by a client that has revision 1.
    private static func poll(_ port: Int, wait seconds: Int) async throws -> String {
        let client = try RawClient(port: port)
        try client.send(Self.request("/venues/mall/sync?wait=0"))
        let cursor = try Self.changes(try await Self.response(client)).cursor
        return "/venues/mall/sync?since=\(cursor)&wait=\(seconds)"
    }

    private static func waiting(_ port: Int) async throws -> Int {
        let client = try RawClient(port: port)
        try client.send(Self.request("/metrics"))
        let text = try await Self.response(client)
        return try #require(text.firstMatch(of: /\nvenue_waiting_requests (\d+)/).flatMap { Int($0.output.1) })
    }

    private static func until(_ count: Int, wait port: Int) async throws {
        try await eventually("\(count) waiting requests") { try await Self.waiting(port) == count }
    }

    private static func publish(_ venue: SampleVenue) async throws {
        try await Harness.run { _ = try await $0.push(venue.archive()) }
    }

    @Test func `requests that wait are answered after a change, in order with those behind them`() async throws {
        try await Self.publish(.tiny)
        try await Harness.stoppable { port, stop in
            let poll = Self.request(try await Self.poll(port, wait: 50))
            var clients: [RawClient] = []
            // The first one shows that there is nothing; the others wait without a task.
            for number in 1...4 {
                clients.append(try RawClient(port: port))
                try clients.last?.send(poll)
                try await Self.until(number, wait: port)
            }
            try clients.last?.send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            try await Self.publish(SampleVenue.tiny.edited(Edit(.rename, 2)))
            for client in clients.dropLast() { #expect(try Self.changes(try await Self.response(client)).to == 2) }
            let both = try #require(await clients.last?.rest(within: 45))
            #expect(both.matches(of: /HTTP\/1.1 200/).count == 2 && both.hasSuffix(#"{"status":"ok"}"#))
            let changes = try #require(both.firstRange(of: #""to":2"#))
            let health = try #require(both.firstRange(of: #"{"status":"ok"}"#))
            #expect(changes.lowerBound < health.lowerBound)
            #expect(try await Self.waiting(port) == 0)
            await stop()
        }
    }

    @Test func `request that waits in vain is answered when its time is over`() async throws {
        try await Self.publish(.tiny)
        try await Harness.stoppable { port, stop in
            let poll = Self.request(try await Self.poll(port, wait: 1))
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                try client.send(poll)
                let changes = try Self.changes(try await Self.response(client))
                #expect(changes.from == 1 && changes.to == 1 && .now - start >= .milliseconds(990))
            }
            await stop()
        }
    }

    @Test func `connection whose request waits is not idle`() async throws {
        try await Self.publish(.tiny)
        try await Harness.stoppable {
            $0.idleTimeout = .seconds(2)
        } _: { port, stop in
            let poll = Self.request(try await Self.poll(port, wait: 3))
            // The first one shows that there is nothing; the second one waits without a task.
            for _ in 0..<2 {
                let client = try RawClient(port: port)
                try client.send(poll)
                #expect(try Self.changes(try await Self.response(client)).to == 1)
            }
            await stop()
        }
    }

    @Test func `requests that wait are answered when the server stops, and forgotten when their clients leave`()
        async throws
    {
        try await Self.publish(.tiny)
        try await Harness.stoppable { port, stop in
            let poll = Self.request(try await Self.poll(port, wait: 50))
            var clients = try (0..<6).map { _ in try RawClient(port: port) }
            for (number, client) in clients.enumerated() {
                try client.send(poll)
                try await Self.until(number + 1, wait: port)
            }
            clients.removeFirst(3)
            try await Self.until(3, wait: port)
            await stop()
            for client in clients { #expect(try Self.changes(try await Self.response(client)).to == 1) }
        }
    }
}
