import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import SampleVenue
import SyncServer
import TestSupport
import Testing

/// Responses that are sent without the task of the connection.
@Suite(.database)
struct ImmediateResponseTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func head(_ path: String) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path,
            headers: ["host": "a", "authorization": "Bearer \(Harness.adminKey)"])
    }

    /// The lines of a response apart from the date, sorted, and the body.
    private static func content(_ response: String) throws -> [String] {
        let parts = response.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = try #require(parts.first).components(separatedBy: "\r\n").filter { !$0.hasPrefix("Date: ") }
        try #require(lines.count > 5)
        return lines.sorted() + parts.dropFirst().map(String.init)
    }

    @Test(arguments: [
        "", "Accept-Encoding: gzip\r\n", "Origin: https://map.example\r\n", "Origin: https://other.example\r\n",
        "If-None-Match: *\r\n",
    ])
    func `response of the handler differs in nothing from that of the route`(fields: String) async throws {
        try await Harness.listening {
            $0.origins = .these(["https://map.example"])
        } _: { harness, port in
            try await harness.push(SampleVenue.tiny.archive())
            let path = "/venues/mall/sync"
            let text =
                "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Request-ID: r\r\nAuthorization: Bearer \(Harness.adminKey)\r\n"
                + "Connection: close\r\n" + fields + "\r\n"
            let responder = harness.server.immediateResponder(logger: Self.logger)
            var request = Self.head(path)
            if fields.hasPrefix("Accept") { request.headers.add(name: "accept-encoding", value: "gzip") }
            var responses: [[String]] = []
            for isKnown in [false, true] {
                try await harness.server.readModel.refresh()
                harness.server.readModel.confirm(asOf: .now + .seconds(600))
                #expect((responder.outcome(of: request, from: nil) != nil) == isKnown)
                let client = try RawClient(port: port)
                try client.send(text)
                responses.append(try Self.content(try #require(await client.rest(within: 45))))
            }
            #expect(responses[0] == responses[1])
            let metrics = try await harness.send(.get, "/metrics").text
            let status = fields.hasPrefix("If") ? "3xx" : "2xx"
            let line = "venue_http_requests_total{route=\"/venues/{venue}/sync\",method=\"GET\",status=\"\(status)\"}"
            // One more was answered above, without a client.
            let count = fields.hasPrefix("If") ? 2 : 3
            #expect(metrics.contains("\(line) \(count)\n"), "\(metrics)")
        }
    }

    @Test func `response is not sent at once for another version, method or body, or to a client beyond its rate`()
        async throws
    {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.rateLimit = RateLimit(perSecond: 0.001, burst: 20)
        try await Harness.run(settings: settings) { harness in
            try await harness.push(SampleVenue.tiny.archive(), to: "mall")
            let responder = harness.server.immediateResponder(logger: Self.logger)
            let readModel = harness.server.readModel
            try await readModel.refresh()
            readModel.confirm(asOf: .now + .seconds(600))
            let request = Self.head("/venues/mall/sync")
            _ = try await harness.send(.get, "/venues/mall/sync")
            let address = try SocketAddress(ipAddress: "192.0.2.7", port: 1)
            #expect(responder.outcome(of: request, from: address) != nil)
            var others = Array(repeating: request, count: 5)
            others[0].method = .HEAD
            others[1].headers.add(name: "Content-Length", value: "2")
            others[2].headers.add(name: "Transfer-Encoding", value: "chunked")
            others[3].headers.replaceOrAdd(name: "Authorization", value: "Bearer other")
            others[4].headers.add(name: "authorization", value: "Bearer \(Harness.adminKey)")
            for other in others { #expect(responder.outcome(of: other, from: address) == nil) }
            for _ in 1..<20 { #expect(responder.outcome(of: request, from: address) != nil) }
            #expect(responder.outcome(of: request, from: address) == nil, "beyond the rate")
            let neighbor = try SocketAddress(ipAddress: "192.0.2.8", port: 1)
            #expect(responder.outcome(of: request, from: neighbor) != nil)
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2)).archive(), to: "mall")
            try await readModel.refresh()
            readModel.confirm(asOf: .now + .seconds(600))
            #expect(responder.outcome(of: request, from: neighbor) == nil, "another version")
        }
    }

    @Test func `connection with responses of the handler only is not idle`() async throws {
        let timeout = Duration.milliseconds(1_500)
        // By another client: that of the server below would be idle meanwhile.
        try await Harness.run { _ = try await $0.push(SampleVenue.tiny.archive()) }
        try await Harness.listening {
            $0.idleTimeout = timeout
        } _: { harness, port in
            try await harness.server.readModel.refresh()
            harness.server.readModel.confirm(asOf: .now + .seconds(600))
            // On a busy machine, this client itself may be silent for too long; then it is tried again.
            try await harness.until {
                let (isOpen, wasSilent) = try await Self.poll(port, for: timeout * 2, maxPause: timeout / 2)
                #expect(isOpen || wasSilent)
                return !wasSilent
            }
        }
    }

    /// Sends a poll every few milliseconds.
    ///
    /// - Returns: Whether the connection stayed open, and whether two polls were further apart than `maxPause`.
    private static func poll(
        _ port: Int, for duration: Duration, maxPause: Duration
    ) async throws -> (isOpen: Bool, wasSilent: Bool) {
        let text = "GET /venues/mall/sync HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n\r\n"
        let client = try RawClient(port: port)
        let end = ContinuousClock.now + duration
        var last = ContinuousClock.now
        while .now < end {
            try client.send(text)
            let isAnswered = await client.response(within: 45)?.hasPrefix("HTTP/1.1 200 ") ?? false
            if .now - last > maxPause { return (isAnswered, true) }
            guard isAnswered else { return (false, false) }
            last = .now
            try await Task.sleep(for: .milliseconds(50))
        }
        return (true, false)
    }
}
