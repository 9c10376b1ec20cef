import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import SyncServer
import TestSupport
import Testing

@Suite(.database)
struct ConnectionTests {
    @Test func `slow client that makes progress is kept, and one that stalls is disconnected`() throws {
        for (taken, isKept) in [(100_000, true), (62_000, true), (30_000, false), (0, false)] {
            var unsent = 1_000_000
            let handler = StalledWriteHandler(timeout: .seconds(60)) { _ in unsent }
            let channel = EmbeddedChannel(handler: handler)
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            for _ in 0..<10 {
                unsent -= taken
                channel.embeddedEventLoop.advanceTime(by: .seconds(60))
            }
            // A client that has read everything may be idle.
            if isKept {
                channel.isWritable = true
                channel.pipeline.fireChannelWritabilityChanged()
                channel.embeddedEventLoop.advanceTime(by: .hours(1))
            }
            let wasOpen = (try? channel.finish(acceptAlreadyClosed: false)) != nil
            #expect(wasOpen == isKept, "\(taken)")
        }
    }

    @Test(arguments: [
        "POST /keys HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        "POST /keys HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nContent-Length: 100\r\n\r\n{}",
        "POST /venues/mall/uploads HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nContent-Type: application/zip\r\n"
            + "Content-Length: 100\r\n\r\nPK",
    ])
    func `request body with wrong framing, or one that ends early, is a client error`(request: String) async throws {
        try await Harness.listening { harness, port in
            let client = try RawClient(port: port)
            try client.send(request.replacing("KEY", with: Harness.adminKey))
            client.finish()
            let response = try #require(await client.rest(within: 300))
            #expect(response.hasPrefix("HTTP/1.1 400 ") && response.contains("/problems/bad-request"), "\(response)")
            let metrics = try await harness.send(.get, "/metrics").text
            #expect(!metrics.contains("status=\"5xx\""))
        }
    }

    @Test func `request that is never completed times out`() async throws {
        try await Harness.listening {
            $0.idleTimeout = .milliseconds(300)
        } _: { _, port in
            for text in [
                "", "GET /health HTT", "GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ",
                "POST /keys HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
            ] {
                let client = try RawClient(port: port)
                try client.send(text)
                #expect(await client.rest(within: 300) != nil, "\(text)")
            }
        }
    }

    @Test func `idle connection is closed after the timeout`() async throws {
        try await Harness.listening {
            $0.idleTimeout = .seconds(3)
        } _: { _, port in
            let client = try RawClient(port: port)
            try client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try #require(await client.rest(within: 300))
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n") && response.hasSuffix("{\"status\":\"ok\"}"))
        }
    }

    @Test(arguments: [
        ("an address", "GET /health?\(String(repeating: "x", count: 70_000)) HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("a header", "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n"),
        (
            "many headers",
            "GET /health HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 200))\r\n"
        ),
    ])
    func `request head that is too long is refused and the connection closed`(what: String, request: String)
        async throws
    {
        try await Harness.listening { harness, port in
            let client = try RawClient(port: port)
            try client.send(request)
            let response = try #require(await client.rest(within: 300), "\(what)")
            #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 400 "), "\(response.prefix(200))")
            // Other connections are served.
            #expect(try await harness.send(.get, "/health").status == .ok)
        }
    }

    @Test func `request line that names 400 levels is accepted`() async throws {
        try await Harness.listening { harness, _ in
            let levels = (0..<400).map { _ in "level=7f000000-0000-4000-8000-000000000000" }.joined(separator: "&")
            let response = try await harness.send(.get, "/venues/mall/sync?\(levels)")
            #expect(response.status == .notFound)
        }
    }

    private static let metricsRequest =
        "GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\nConnection: close\r\n\r\n"

    /// The number of open connections that a response of `/metrics` says.
    private static func connections(in metrics: String?) -> Int? {
        metrics?.firstMatch(of: /\nvenue_http_connections (\d+)\n/).flatMap { Int($0.output.1) }
    }

    @Test func `connections beyond the limit wait until another one closes`() async throws {
        try await Harness.stoppable {
            $0.maxConnections = 3
            $0.idleTimeout = .seconds(3_600)
        } _: { port, stop in
            var open = try (0..<20).map { _ in try RawClient(port: port) }
            // Each connection that closes admits the next ones, in order. The server accepts up to four at once.
            while !open.isEmpty {
                let client = open.removeFirst()
                try client.send(Self.metricsRequest)
                let count = try #require(Self.connections(in: await client.rest(within: 300)))
                #expect((1...6).contains(count))
            }
            await stop()
        }
    }

    @Test func `long response: a client that does not read it is disconnected`() async throws {
        try await Harness.stoppable {
            $0.idleTimeout = .milliseconds(300)
        } _: { port, stop in
            // More responses than all buffers can hold.
            let client = try RawClient(port: port)
            let one = "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(String(repeating: one, count: 400))
            try await eventually("only the connection that asks") {
                let other = try RawClient(port: port)
                try other.send(Self.metricsRequest)
                return Self.connections(in: await other.rest(within: 300)) == 1
            }
            // It had not closed the connection itself.
            client.finish()
            await stop()
        }
    }
}
