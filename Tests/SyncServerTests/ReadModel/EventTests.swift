import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

@Suite(.server, .changeNotifier)
struct EventTests {
    private struct Pointer: Decodable, Equatable {
        let venue: VenueKey
        let revision: Int64
        let kind: Revision.Kind
        let levels: [FeatureID?]
        let position: Int64
    }

    /// The events of a finished stream, with their ids.
    private static func events(in response: TestResponse) throws -> [Pointer] {
        #expect(response.status == .ok, "\(response.text)")
        #expect(response.headers[.contentType] == "text/event-stream")
        return try response.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("event:") }.map { event in
            let lines = event.split(separator: "\n")
            #expect(lines.count == 3 && lines[0] == "event: revision")
            let pointer = try WireJSON.value(Pointer.self, from: Data(lines[2].dropFirst("data: ".count).utf8))
            #expect(lines[1] == "id: \(pointer.position)")
            return pointer
        }
    }

    private static func listen(
        _ harness: Harness, after last: String? = nil, key: String? = Harness.adminKey
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        if let last { headers[HTTPField.Name("Last-Event-ID")!] = last }
        return try await harness.send(.get, "/events", key: key, headers: headers)
    }

    @Test func `event names the venue, the revision and the changed levels`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        async let stream = Self.listen(harness)
        try await harness.untilWaiting(1)
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        try await harness.until { harness.server.eventFeed.end == 2 }
        try await harness.endEventStreams()
        let level = try await harness.sync("since=\(cursor)").blocks.first?.level
        let event = Pointer(
            venue: try #require(VenueKey("mall")), revision: 2, kind: .upload, levels: [level], position: 2)
        #expect(try await Self.events(in: stream) == [event])
    }

    @Test func `event stream: a client that reconnects gets all missed events, in order and once`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        for step in 1...5 as ClosedRange<UInt64> {
            try await harness.push(venue.archive(), to: step % 2 == 0 ? "mall" : "hall", query: "?identity=trust")
            venue = venue.edited(Edit(.rename, 1), seed: step)
        }
        async let stream = Self.listen(harness, after: "1")
        try await harness.untilWaiting(1)
        try await harness.push(venue.archive())
        try await harness.until { harness.server.eventFeed.end == 6 }
        try await harness.endEventStreams()
        #expect(try await Self.events(in: stream).map(\.position) == [2, 3, 4, 5, 6])
    }

    @Test func `event stream has the venues of its key and public ones only`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.read, for: ["mall"])
        for venue in ["mall", "hall", "park"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        try await harness.set("public", to: true, of: "park")
        try await harness.until { harness.server.eventFeed.end == 3 }
        async let stream = Self.listen(harness, after: "0", key: key)
        try await harness.endEventStreams()
        #expect(try await Self.events(in: stream).map(\.venue.description) == ["mall", "park"])
    }

    @Test func `event stream ends when its key is revoked`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.read)
        try await harness.push(SampleVenue.tiny.archive())
        async let stream = Self.listen(harness, key: key)
        try await harness.untilWaiting(1)
        try await harness.revoke("phones")
        // The stream ends although nothing is published.
        #expect(try await Self.events(in: stream).isEmpty)
    }

    @Test func `event id of another history is answered 410`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await Self.listen(harness, after: "2").problem(410)
        try await Self.listen(harness, key: nil).problem(401)
        try await Self.listen(harness, key: "wrong").problem(401)
        // A malformed id counts as absent.
        async let stream = Self.listen(harness, after: "yesterday")
        try await harness.endEventStreams()
        #expect(try await Self.events(in: stream).isEmpty)
    }
}
