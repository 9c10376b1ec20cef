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
    private static func publish(to venues: String...) async throws {
        for venue in venues {
            try await Harness.current.push(SampleVenue.tiny.archive(), to: venue)
            try await Harness.current.set("public", to: true, of: venue)
        }
    }

    @Test func `tiles, glyphs and archives are drawn while another venue has endless work`() async throws {
        let harness = Harness.current
        try await Self.publish(to: "mall")
        let other = try #require(VenueKey("other"))
        let permits = harness.server.tiles.drawing.permits
        let work = [
            await permits.startEndlessWork(for: .tiles(other)), await permits.startEndlessWork(for: .archive(other)),
        ]
        defer { for task in work { task.cancel() } }
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

    @Test func `tiles and glyphs of a venue are made while twelve works of three others do not end`() async throws {
        let harness = Harness.current
        try await Self.publish(to: "mall")
        let permits = harness.server.tiles.drawing.permits
        var work: [Task<Void, any Error>] = []
        defer { for task in work { task.cancel() } }
        for name in ["one", "two", "three"] {
            let venue = try #require(VenueKey(name))
            for key in [TileDrawing.Key.archive(venue), .levels(venue), .symbols(venue), .tiles(venue)] {
                work.append(await permits.startEndlessWork(for: key))
            }
        }
        for path in ["tiles/0/16/1/1.mvt", "glyphs/Sans%20JP/0-255.pbf"] {
            #expect(try await harness.send(.get, "/venues/mall/\(path)", key: nil).status == .ok, "\(path)")
        }
    }

    @Test func `glyphs of many venues do not delay tiles`() async throws {
        let harness = Harness.current
        try await Self.publish(to: "mall")
        let (one, two) = (try #require(VenueKey("one")), try #require(VenueKey("two")))
        let permits = harness.server.tiles.symbols.glyphPermits
        let glyphs = try await permits.withPermit(for: one) {
            try await permits.withPermit(for: two) {
                let glyphs = Task {
                    try await harness.send(.get, "/venues/mall/glyphs/Sans%20JP/0-255.pbf", key: nil)
                }
                try await harness.until { permits.waiting == 1 }
                #expect(try await harness.send(.get, "/venues/mall/tiles/0/16/1/1.mvt", key: nil).status == .ok)
                return glyphs
            }
        }
        #expect(try await glyphs.value.status == .ok)
    }

    @Test func `content of a tile does not wait for that of another venue with the same features`() async throws {
        let harness = Harness.current
        try await Self.publish(to: "mall", "copy")
        // Prepares the level.
        _ = try await harness.send(.get, "/venues/copy/tiles/0/16/2/2.mvt", key: nil)
        let (permits, copy) = (harness.server.tiles.drawing.permits, try #require(VenueKey("copy")))
        let work = await permits.startEndlessWork(for: .tiles(copy))
        defer { work.cancel() }
        let waiting = Task { try await harness.send(.get, "/venues/copy/tiles/0/16/1/1.mvt", key: nil) }
        try await harness.until { permits.waiting == 1 }
        #expect(try await harness.send(.get, "/venues/mall/tiles/0/16/1/1.mvt", key: nil).status == .ok)
        work.cancel()
        #expect(try await waiting.value.status == .ok)
    }

    @Test func `levels and tables do not wait for those of another venue with the same features`() async throws {
        let harness = Harness.current
        try await Self.publish(to: "mall", "copy")
        let copy = try #require(VenueKey("copy"))
        let (levels, tables) = (harness.server.tiles.levels.permits, harness.server.featureTables.permits)
        // As many as one venue may have.
        let waiting = try await levels.withPermit(for: copy) {
            try await levels.withPermit(for: copy) {
                try await tables.withPermit(for: copy) {
                    let waiting = ["/venues/copy/tiles/0/16/1/1.mvt", "/ogc/copy/collections"].map { path in
                        Task { try await harness.send(.get, path, key: nil) }
                    }
                    try await harness.until { levels.waiting == 1 && tables.waiting > 0 }
                    for path in ["/venues/mall/tiles/0/16/1/1.mvt", "/ogc/mall/collections"] {
                        #expect(try await harness.send(.get, path, key: nil).status == .ok, "\(path)")
                    }
                    return waiting
                }
            }
        }
        for response in waiting { #expect(try await response.value.status == .ok) }
    }
}
