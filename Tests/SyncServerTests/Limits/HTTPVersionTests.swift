import SampleVenue
import TestSupport
import Testing

/// Requirements of RFC 9112 besides parsing, tested on raw sockets.
@Suite(.database)
struct HTTPVersionTests {
    private static let key = "Authorization: Bearer \(Harness.adminKey)\r\n"

    @Test(arguments: [
        "/health", "/venues", "/openapi.yaml", "/venues/mall/sync", "/venues/mall/revisions/1/archive.zip",
    ])
    func `HTTP 1.0 responses are not chunked, and the connection is closed`(path: String) async throws {
        try await Harness.listening { harness, port in
            try await harness.push(SampleVenue.tiny.archive())
            let client = try RawClient(port: port)
            try client.send("GET \(path) HTTP/1.0\r\n\(Self.key)\r\n")
            let response = try #require(await client.rest(within: 45))
            #expect(response.hasPrefix("HTTP/1.0 200 OK\r\n"), "\(response.prefix(200))")
            let head = try #require(response.firstMatch(of: /(?s)^(.*?)\r\n\r\n/)).output.1.lowercased()
            #expect(!head.contains("transfer-encoding") && head.contains("\r\nconnection: close"))
        }
    }

    @Test func `HTTP 1.0 keep-alive is honoured when the length is known`() async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                try client.send("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let response = try #require(await client.response(within: 45))
                #expect(response.hasPrefix("HTTP/1.0 200 OK\r\n") && response.hasSuffix(#"{"status":"ok"}"#))
                #expect(response.lowercased().contains("\r\nconnection: keep-alive\r\n"))
            }
            try client.send("GET /health HTTP/1.0\r\n\r\n")
            #expect(try #require(await client.rest(within: 45)).lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    @Test(arguments: ["close", "Close", "TE, close"])
    func `Connection header: every spelling of the close option closes the connection`(option: String) async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            try client.send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: \(option)\r\n\r\n")
            let response = try #require(await client.rest(within: 45))
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n") && response.hasSuffix(#"{"status":"ok"}"#))
            #expect(response.lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    @Test(arguments: [
        "GET /health HTTP/1.1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: b\r\n\r\n",
        "GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a, b\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n",
    ])
    func `Host header: a request with none, with two or with an invalid one is refused`(request: String) async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            // The first request is answered, and nothing after the bad one is read.
            let good = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(good + request + good)
            let response = try #require(await client.rest(within: 45))
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(response.matches(of: /HTTP\/1\.[01] (\d+)/).map(\.output.1) == ["200", "400"], "\(response)")
        }
    }

    @Test(arguments: ["a", "a:8080", "[::1]:80", "127.0.0.1", ""])
    func `Host header: a request with one valid header is answered`(host: String) async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            try client.send("GET /health HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try #require(await client.response(within: 45)).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }
}
