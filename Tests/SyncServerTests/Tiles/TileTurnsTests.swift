import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing
import VenueMap

@testable import SyncServer

/// Tiles of several venues at the same time.
@Suite(.server, .timeLimit(.minutes(30)))
struct TileTurnsTests {
    /// Work that does not end before the other venue has its response, as the tiles, archives and glyphs of a venue may.
    private static func endless(_ harness: Harness, _ key: TileDrawing.Key) async throws -> Task<Void, any Error> {
        let started = AsyncStream.makeStream(of: Void.self)
        let permits = harness.server.tiles.drawing.permits
        let task = Task {
            try await permits.inTurns(for: key, limit: .seconds(1_700)) { shouldStop in
                started.continuation.yield()
                while !shouldStop() {}
            }
        }
        for await _ in started.stream { break }
        return task
    }

    @Test func `tiles, glyphs and archives are drawn while another venue has endless work`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        let other = try #require(VenueKey("other"))
        let work = [
            try await Self.endless(harness, .tiles(other)), try await Self.endless(harness, .archive(other)),
        ]
        for path in [
            "tiles/L0_16_1_1.png", "tiles/0/16/1/1.mvt", "glyphs/Sans%20JP/0-255.pbf", "sprites/light.png",
            "revisions/1/tiles/0.pmtiles?format=mvt",
        ] {
            #expect(try await harness.send(.get, "/venues/mall/\(path)", key: nil).status == .ok, "\(path)")
        }
        for task in work {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
