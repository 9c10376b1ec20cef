import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// The time of a revision in change sets.
@Suite(.server) struct PublishedAtTests {
    /// The times of the revisions as the log has them, by number.
    private static func times(of venue: String = "mall") async throws -> [Int64: String] {
        let log = try await Harness.current.send(.get, "/venues/\(venue)/revisions").json
        return try Dictionary(
            uniqueKeysWithValues: #require(log["revisions"]?.array).map { revision in
                (
                    Int64(try #require(revision["number"]?.number)), try #require(revision["published_at"]?.string)
                )
            })
    }

    @Test func `published_at is the time of the target revision on every page`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2), Edit(.add, 2)).archive())
        let times = try await Self.times()
        try #require(times.count == 2 && times[1] != times[2])
        for (query, revision) in [("", 2), ("to=1", 1), ("to=2", 2)] as [(String, Int64)] {
            let response = try await harness.send(.get, "/venues/mall/sync?\(query)").json
            #expect(response["published_at"]?.string == times[revision], "\(query)")
        }
        var (cursor, pages) = ("", 0)
        while pages == 0 || !cursor.isEmpty {
            let page = try await harness.send(.get, "/venues/mall/sync?limit=7&since=\(cursor)").json
            #expect(page["published_at"]?.string == times[2])
            cursor = page["complete"] == true ? "" : try #require(page["cursor"]?.string)
            pages += 1
        }
        #expect(pages > 2)
        let first = try await harness.sync("to=1")
        let changes = try await harness.send(.get, "/venues/mall/sync?since=\(first.cursor)").json
        #expect(changes["published_at"]?.string == times[2])
        // Nothing is new, and the time is still there.
        let held = try #require(changes["cursor"]?.string)
        let idle = try await harness.send(.get, "/venues/mall/sync?since=\(held)").json
        #expect(idle["published_at"]?.string == times[2] && idle["levels"] == [])
    }

    @Test func `published_at of every venue is in a change set over all venues`() async throws {
        let harness = Harness.current
        for venue in ["hall", "mall"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        let venues = try #require(await harness.send(.get, "/sync").json["venues"]?.array)
        #expect(venues.count == 2)
        for venue in venues {
            let time = try await Self.times(of: #require(venue["venue"]?.string))[1]
            #expect(venue["published_at"]?.string == time && time != nil)
        }
    }

    @Test func `published_at is the same in cached responses and on another node`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cold = try await harness.send(.get, "/venues/mall/sync")
        let warm = try await harness.send(.get, "/venues/mall/sync")
        #expect(warm.data == cold.data && warm.headers[.eTag] == cold.headers[.eTag])
        try await Harness.run { other in
            let elsewhere = try await other.send(.get, "/venues/mall/sync")
            #expect(elsewhere.data == cold.data && elsewhere.headers[.eTag] == cold.headers[.eTag])
        }
        let tag = try #require(cold.headers[.eTag])
        #expect(try await harness.send(.get, "/venues/mall/sync", headers: [.ifNoneMatch: tag]).status == .notModified)
    }
}
