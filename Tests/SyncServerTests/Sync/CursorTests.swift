import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Cursors that are refused, and sync to a named revision.
@Suite(.server)
struct CursorTests {
    @Test func `query parameter that is repeated is refused, even when empty`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for query in ["since=&since=", "since=&since=x", "to=1&to=1", "limit=&limit=", "wait=&wait="] as [String] {
            for path in ["/venues/mall/sync", "/sync"] where path != "/sync" || !query.hasPrefix("to") {
                let problem = try await harness.send(.get, "\(path)?\(query)").problem(400)
                #expect(problem.type == "/problems/invalid-parameter")
            }
        }
    }

    @Test func `since parameter that is empty counts as absent`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let absent = try await harness.send(.get, "/venues/mall/sync")
        let empty = try await harness.send(.get, "/venues/mall/sync?since=")
        #expect(empty.status == .ok && empty.data == absent.data)
    }

    @Test func `cursor that is truncated or invented is refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor.description
        let broken = [
            "x", "AQ", "BA", "AQ%3D%3D", "%00", "0", "\(Handmade.id(1))", String(cursor.dropLast()), cursor + "A",
            "A" + cursor, "AQPUjoIdxNINXALuHbwtT-vhWg",
            cursor + "%3D", String(repeating: "A", count: 60_000),
        ]
        for since in broken {
            let problem = try await harness.send(.get, "/venues/mall/sync?since=\(since)").problem(400)
            #expect(problem.type != "/problems/internal", "\(since.prefix(80))")
        }
    }

    @Test func `cursor with any bit flipped is refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for cursor in [try await harness.sync().cursor, try await harness.sync("limit=2").cursor] {
            for token in cursor.description.bitFlips {
                let problem = try await harness.send(.get, "/venues/mall/sync?since=\(token)").problem(400)
                #expect(problem.type == "/problems/invalid-cursor", "\(token)")
            }
        }
    }

    @Test func `cursor of another server is answered 410 with a way to restart`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        var cursor = try await harness.sync().cursor
        cursor.seal ^= 1
        try await Self.follow(harness.send(.get, "/venues/mall/sync?since=\(cursor)"), in: harness)
    }

    @Test func `cursors are the same on every node of a database and accepted by all of them`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        try await Harness.run { other async throws in
            #expect(try await other.sync().cursor.description == cursor.description)
            #expect(try await other.sync("since=\(cursor)").blocks.isEmpty)
        }
        #expect(try await harness.sealed(cursor) == cursor)
    }

    /// Follows a 410 response, and checks that it leads to the current state.
    private static func follow(_ response: TestResponse, in harness: Harness, selected: String = "") async throws {
        let problem = try response.problem(410)
        #expect(problem.type != "/problems/venue-gone")
        let restart = try response.json
        let venue = try await harness.get(Venue.self, "/venues/mall")
        #expect(restart["to"]?.number == Double(venue.head))
        let levels = try #require(restart["levels"]?.array)
        #expect(levels.first?["level_id"]?.isNull == true)
        for level in levels {
            #expect(level.keys.isSuperset(of: ["level_id", "digest", "href"]))
            let href = try #require(level["href"]?.string)
            let bodies = try await harness.send(.get, href).features
            var digest = LevelDigest()
            for body in try bodies.sorted(by: { try Handmade.id(of: $0) < Handmade.id(of: $1) }) {
                digest.add(body: body)
            }
            #expect(level["digest"]?.string == digest.finalize().description)
            let state = venue.levels.first { $0.level?.description == level["level_id"]?.string }
            #expect(level["digest"]?.string == state?.digest.description)
        }
        let cursor = try #require(restart["cursor"]?.string)
        let next = try await harness.sync("since=\(cursor)\(selected)")
        #expect(next.blocks.isEmpty && next.from == venue.head && next.cursor.description == cursor)
    }

    @Test func `cursor of a deleted venue is answered 410 with a way to continue with its successor`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let whole = try await harness.sync().cursor
        _ = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
        let gone = try await harness.send(.get, "/venues/mall/sync?since=\(whole)").problem(410)
        #expect(gone.type == "/problems/venue-gone")
        // With the same archive, number and digest are equal, and yet it is another history.
        try await harness.push(venue.archive())
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(whole)")
        try await Self.follow(response, in: harness)
        let level = try #require(venue.ids(of: .level).sorted().first)
        let some = try await harness.send(.get, "/venues/mall/sync?since=\(whole)&level=\(level)")
        #expect(try some.json["levels"]?.array?.map { $0["level_id"]?.string } == [nil, level.description])
        try await Self.follow(some, in: harness, selected: "&level=\(level)")
    }

    @Test func `cursor ahead of the venue, or with a wrong digest, is answered as another history`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        var (ahead, forked) = (cursor, cursor)
        ahead.holding?.revision = 9
        forked.holding?.digestPrefix ^= 1
        for other in [try await harness.sealed(ahead), try await harness.sealed(forked)] {
            try await Self.follow(harness.send(.get, "/venues/mall/sync?since=\(other)"), in: harness)
        }
    }

    @Test func `sync to a named revision leads to exactly that revision`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        var states = [venue]
        try await harness.push(venue.archive())
        for seed in 1...3 as ClosedRange<UInt64> {
            venue = venue.edited(Edit(.rename, 2), Edit(.relevel, 1), seed: seed)
            states.append(venue)
            try await harness.push(venue.archive())
        }
        var replica = Replica()
        try replica.apply(await harness.pages(to: 2, limit: 40))
        #expect(replica.features.mapValues(\.body) == states[1].bodies)
        try replica.apply(await harness.pages(since: replica.cursor, to: 3, limit: 2))
        #expect(replica.features.mapValues(\.body) == states[2].bodies)
        let cursor = try #require(replica.cursor)
        #expect(try await harness.sync("since=\(cursor)&to=3").blocks.isEmpty)
        try await harness.send(.get, "/venues/mall/sync?since=\(cursor)&to=2").problem(400)
        for query in ["to=99", "since=\(cursor)&to=99"] {
            try await harness.send(.get, "/venues/mall/sync?\(query)").problem(404)
        }
        for to in ["0", "-1", "two", "1.5"] {
            try await harness.send(.get, "/venues/mall/sync?to=\(to)").problem(400)
        }
    }
}

extension String {
    /// Copies of the token with one bit of its bytes flipped each.
    fileprivate var bitFlips: [String] {
        let standard = self.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding) else { return [] }
        return (0..<data.count * 8).map { bit in
            var flipped = data
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
    }
}
