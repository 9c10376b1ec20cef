import HTTPTypes
import IMDF
import SampleVenue
import SyncServer
import TestSupport
import Testing

/// Searches of many clients at the same time.
@Suite(.database)
struct SearchLoadTests {
    private static func settings(indexBytes: Int) -> ServerSettings {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.searchIndexBytes = indexBytes
        // On a slow machine, indexes that are made again would take so long that searches are refused.
        let now = ContinuousClock.now
        settings.preparationClock = { now }
        return settings
    }

    private static func builds(_ harness: Harness) async throws -> Int {
        let metrics = try await harness.send(.get, "/metrics").text
        let match = try #require(metrics.firstMatch(of: /\nvenue_search_indexes_total (\d+)/))
        return try #require(Int(match.1))
    }

    @Test func `concurrent first searches share one index`() async throws {
        try await Harness.run(settings: Self.settings(indexBytes: 64 << 20)) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let responses = try await harness.sendConcurrently(24, "/venues/mall/search?type=unit")
            #expect(responses.allSatisfy { $0.status == .ok && $0.data == responses[0].data })
            for letter in ["a", "b", "c"] {
                #expect(try await harness.send(.get, "/venues/mall/search?q=\(letter)").status == .ok)
            }
            #expect(try await Self.builds(harness) == 1)
            // A publication makes another one, and a rollback finds the first again.
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3)).archive())
            #expect(try await harness.send(.get, "/venues/mall/search?type=unit").json["revision"] == 2)
            #expect(try await Self.builds(harness) == 2)
            _ = try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1])
            #expect(try await harness.send(.get, "/venues/mall/search?type=unit").json["revision"] == 3)
            #expect(try await Self.builds(harness) == 2)
        }
    }

    @Test func `index that is too large for the cache is made once, as long as no other one is as large`() async throws
    {
        try await Harness.run(settings: Self.settings(indexBytes: 1_024)) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            for letter in ["a", "b", "c"] {
                #expect(try await harness.send(.get, "/venues/mall/search?q=\(letter)").status == .ok)
            }
            #expect(try await Self.builds(harness) == 1)
        }
    }

    /// No index fits into the cache, so searches of different venues make them again.
    @Test func `ten venues are searched at once with a small cache, while one of them is published`() async throws {
        try await Harness.run(settings: Self.settings(indexBytes: 1_024)) { harness in
            let venues = (0..<10).map { "venue-\($0)" }
            for (index, venue) in venues.enumerated() {
                let features = [
                    Handmade.feature(1, .venue, geometry: Handmade.square()),
                    Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
                    Handmade.feature(
                        10 + index, .unit,
                        ["name": ["en": .string("Shop \(index)")], "level_id": Handmade.reference(2)],
                        geometry: Handmade.square(0.0005)),
                ]
                try await harness.push(Handmade.zip(features), to: venue)
            }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for (index, venue) in venues.enumerated() {
                    for _ in 0..<8 {
                        tasks.addTask {
                            let response = try await harness.send(.get, "/venues/\(venue)/search?q=shop")
                            let result = try response.json["results"]?.array?.first
                            #expect(response.status == .ok && result?["name"]?.string?.hasPrefix("Shop") == true)
                            if index > 0 { #expect(result?["name"] == .string("Shop \(index)")) }
                        }
                    }
                }
                tasks.addTask {
                    let features = [
                        Handmade.feature(1, .venue, geometry: Handmade.square()),
                        Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
                        Handmade.feature(
                            10, .unit, ["name": ["en": "Shop anew"], "level_id": Handmade.reference(2)],
                            geometry: Handmade.square(0.0005)),
                    ]
                    try await harness.push(Handmade.zip(features), to: "venue-0")
                }
                try await tasks.waitForAll()
            }
            let last = try await harness.send(.get, "/venues/venue-0/search?q=shop").json
            #expect(last["revision"] == 2 && last["results"]?.array?.first?["name"] == "Shop anew")
        }
    }
}
