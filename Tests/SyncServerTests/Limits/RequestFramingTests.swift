import Foundation
import TestSupport
import Testing

/// Bodies that are not read, expectations, and framing that two readers could understand differently.
@Suite(.database)
struct RequestFramingTests {
    @Test(arguments: [
        ("POST /nowhere", "404"), ("POST /health", "405"), ("GET /health", "200"), ("POST /venues/mall/uploads", "401"),
    ])
    func `request that needs no body, or is refused, is answered before its body, which is not read`(
        line: String, status: String
    ) async throws {
        try await Harness.listening { _, port in
            for framing in ["Content-Length: 1000000000", "Transfer-Encoding: chunked"] {
                let client = try RawClient(port: port)
                try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n1\r\nx")
                let response = try #require(await client.response(within: 300))
                #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
                #expect(response.lowercased().contains("\r\nconnection: close\r\n"), "\(response)")
                // What would be another request is part of the body.
                try client.send("\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                client.finish()
                #expect(await client.rest(within: 300) == "")
            }
        }
    }

    @Test(arguments: [
        "//metrics", "/metrics/", "//", "/health/", "/venues//mall", "/%6Detrics", "/metrics%2F", "/./metrics",
    ])
    func `path that is spelled in another way than its route is unknown`(path: String) async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let response = try #require(await client.rest(within: 300))
            #expect(response.hasPrefix("HTTP/1.1 404 "), "\(response)")
        }
    }

    @Test func `request with a body that has arrived keeps its connection`() async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            for _ in 0..<2 {
                try client.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
                let response = try #require(await client.response(within: 300))
                #expect(response.hasPrefix("HTTP/1.1 404 ") && !response.lowercased().contains("connection: close"))
            }
        }
    }

    @Test func `client that waits for permission to send a body gets it, or a refusal without it`() async throws {
        try await Harness.listening { _, port in
            let head = """
                POST /keys HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Type: application/json\r
                Content-Length: 51\r\nConnection: close\r\n
                """
            let client = try RawClient(port: port)
            try client.send(head + "Authorization: Bearer \(Harness.adminKey)\r\n\r\n")
            #expect(await client.text(until: "\r\n\r\n", within: 300) == "HTTP/1.1 100 Continue\r\n\r\n")
            try client.send(#"{"name": "phones", "role": "read", "venues": ["*"]}"#)
            let response = try #require(await client.rest(within: 300))
            #expect(response.hasPrefix("HTTP/1.1 201 "), "\(response)")

            let refused = try RawClient(port: port)
            try refused.send(head + "Authorization: Bearer wrong\r\n\r\n")
            let refusal = try #require(await refused.rest(within: 300))
            #expect(refusal.contains("HTTP/1.1 401 "), "\(refusal)")
        }
    }

    @Test(arguments: [
        ("POST /venues/mall/uploads HTTP/1.1\r\nConnection: close", "Content-Length: 40000000", "401"),
        ("POST /nowhere HTTP/1.1", "Content-Length: 40000000", "404"), ("POST /keys HTTP/1.1", "Expect: more", "417"),
    ])
    func `client that sends all of a long body before it reads gets the refusal`(
        line: String, field: String, status: String
    ) async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            try client.send("\(line)\r\nHost: a\r\n\(field)\r\n\r\n")
            // More than all buffers hold. It blocks until the server has read it, so on a thread of its own.
            let isSent = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let part = String(repeating: "x", count: 1_000_000)
                    continuation.resume(returning: (try? (0..<40).forEach { _ in try client.send(part) }) != nil)
                }
            }
            #expect(isSent)
            client.finish()
            let response = try #require(await client.rest(within: 300))
            #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
        }
    }

    @Test func `request with an expectation behind another one gets its permission, too`() async throws {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            try client.send(
                "GET /health HTTP/1.1\r\nHost: a\r\n\r\nPOST /keys HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                    + "Authorization: Bearer \(Harness.adminKey)\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
            let text = try #require(await client.text(until: "100 Continue\r\n\r\n", within: 300))
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("HTTP/1.1 100 Continue\r\n\r\n"), "\(text)")
            try client.send("{}")
            #expect(try #require(await client.rest(within: 300)).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(arguments: [
        ("Expect: a miracle", "417"), ("Transfer-Encoding: gzip, chunked", "501"), ("Transfer-Encoding: gzip", "501"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "400"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 2", "400"), ("Content-Length: 2\r\nContent-Length: 3", "400"),
        ("Content-Length: 2, 3", "400"), ("Content-Length: +2", "400"), ("Transfer-Encoding: xchunked", "501"),
    ])
    func `ambiguous or unknown framing is refused and ends the connection`(fields: String, status: String) async throws
    {
        try await Harness.listening { _, port in
            let client = try RawClient(port: port)
            try client.send(
                "GET /health HTTP/1.1\r\nHost: a\r\n\r\nPOST /health HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n{}"
                    + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finish()
            let responses = try #require(await client.rest(within: 300))
            let lines = responses.matches(of: /HTTP\/1\.1 (\d\d\d)/).map { String($0.output.1) }
            #expect(lines == ["200", status], "\(responses)")
        }
    }
}
