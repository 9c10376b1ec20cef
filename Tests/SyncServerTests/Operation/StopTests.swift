import SyncServer
import TestSupport
import Testing

/// How a stopping server appears to a client.
@Suite(.database)
struct StopTests {
    private static let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test
    func `stopping server answers a last request on an idle connection and announces the close`()
        async throws
    {
        try await Harness.stoppable {
            $0.shutdownGrace = .seconds(60)
        } _: { port, stop in
            let client = try RawClient(port: port)
            for _ in 0..<2 {
                try client.send(Self.request)
                let response = try #require(await client.response(within: 45)).lowercased()
                #expect(response.hasPrefix("http/1.1 200") && !response.contains("\r\nconnection:"))
            }
            await stop()
            try await Self.refused(port)
            try client.send(Self.request)
            // The connection is closed at once, so the client need not wait for the end of the grace period.
            let last = try #require(await client.rest(within: 45)).lowercased()
            #expect(last.hasPrefix("http/1.1 200") && last.contains("\r\nconnection: close\r\n"))
            #expect(last.hasSuffix(#"{"status":"ok"}"#))
        }
    }

    @Test func `stopping server announces the close in the last of several pipelined responses only`() async throws {
        try await Harness.stoppable {
            $0.shutdownGrace = .seconds(60)
        } _: { port, stop in
            let client = try RawClient(port: port)
            try client.send(Self.request)
            #expect(await client.response(within: 45) != nil)
            await stop()
            try await Self.refused(port)
            try client.send(String(repeating: Self.request, count: 3))
            let responses = try #require(await client.rest(within: 45)).lowercased()
            #expect(responses.matches(of: /http\/1.1 200/).count == 3)
            #expect(responses.matches(of: /\r\nconnection: close\r\n/).count == 1)
        }
    }

    @Test func `stopping server closes a silent connection after the grace period without a response`() async throws {
        try await Harness.stoppable {
            $0.shutdownGrace = .milliseconds(100)
        } _: { port, stop in
            let client = try RawClient(port: port)
            try client.send(Self.request)
            #expect(await client.response(within: 45) != nil)
            await stop()
            #expect(await client.rest(within: 45) == "")
        }
    }

    @Test func `stopping server answers a long poll and announces the close`() async throws {
        try await Harness.stoppable { port, stop in
            let client = try RawClient(port: port)
            try client.send(
                "GET /sync?wait=50 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n\r\n")
            let other = try RawClient(port: port)
            while true {
                try other.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
                if try #require(await other.response(within: 45)).contains("\nvenue_waiting_requests 1\n") { break }
            }
            await stop()
            let response = try #require(await client.rest(within: 45)).lowercased()
            #expect(response.hasPrefix("http/1.1 200") && response.contains("\r\nconnection: close\r\n"))
        }
    }

    @Test func `draining server announces the close in every response`() async throws {
        let readiness = Readiness()
        try await Harness.stoppable {
            $0.readiness = readiness
        } _: { port, stop in
            let idle = try RawClient(port: port)
            try idle.send(Self.request)
            #expect(await idle.response(within: 45) != nil)
            readiness.drain()
            for client in [idle, try RawClient(port: port)] {
                try client.send(Self.request)
                let response = try #require(await client.rest(within: 45)).lowercased()
                #expect(response.hasPrefix("http/1.1 200") && response.contains("\r\nconnection: close\r\n"))
            }
            await stop()
        }
    }

    /// Waits until the port refuses connections.
    private static func refused(_ port: Int) async throws {
        try await eventually("the port refuses connections") { (try? RawClient(port: port)) == nil }
    }
}
