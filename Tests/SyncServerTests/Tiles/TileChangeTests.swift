import FloorTiles
import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

/// The tiles that differ between revisions, over HTTP.
@Suite(.server)
struct TileChangeTests {
    private static func floors(_ harness: Harness, _ query: String) async throws -> [JSONValue] {
        let response = try await harness.send(.get, "/venues/mall/tiles/changes?\(query)")
        #expect(response.status == .ok)
        let json = try response.json
        return try #require(json["floors"]?.array)
    }

    @Test func `changes list exactly the tiles whose entity tags differ`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.recategorise, 1)).archive())
        for (format, file) in [("png", ".png"), ("mvt", ".mvt")] {
            let floors = try await Self.floors(harness, "since=1&to=2&format=\(format)")
            #expect(!floors.isEmpty)
            for floor in floors {
                let level = try #require(floor["level_id"]?.string)
                let tiles = (floor["tiles"]?.array ?? []).compactMap(\.string)
                #expect(!tiles.isEmpty)
                for tile in tiles.prefix(12) {
                    let suffixes = format == "png" ? [file, "@2x.png"] : [file]
                    var differs = false
                    for suffix in suffixes {
                        let path = "tiles/\(level)/\(tile)\(suffix)"
                        let before = try await harness.send(.get, "/venues/mall/revisions/1/\(path)")
                        let after = try await harness.send(.get, "/venues/mall/revisions/2/\(path)")
                        differs = differs || before.headers[.eTag] != after.headers[.eTag]
                    }
                    #expect(differs, "\(tile)")
                }
            }
        }
    }

    @Test func `changes of a rollback are none, and those of another edition are all`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.rename, 1)).archive())
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        #expect(try await Self.floors(harness, "since=1").isEmpty)
        let response = try await harness.send(.get, "/venues/mall/tiles/changes?since=1&to=3").json
        let edition = try #require(response["edition"]?.string)
        #expect(response["from"] == 1 && response["to"] == 3)
        #expect(try await Self.floors(harness, "since=1&edition=\(edition)").isEmpty)
        let other =
            String(edition.reversed()) == edition ? String(repeating: "0", count: 64) : String(edition.reversed())
        let all = try await Self.floors(harness, "since=1&edition=\(other)")
        let levels = venue.features.filter { $0.type == .level }.count
        #expect(all.count == levels && all.allSatisfy { $0["tiles"] == "all" })
    }

    @Test func `levels that there was no time for are listed with all tiles, which is not kept`() async throws {
        let harness = Harness.current
        let sample = SampleVenue.tiny
        try await harness.push(sample.archive())
        try await harness.push(sample.edited(Edit(.recategorise, 1)).archive())
        let readModel = ReadModel(store: harness.store)
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        let comparison = try await TileComparison(of: venue, from: 1, to: 2, generation: 0, readModel: readModel)
        let tiles = TileService(readModel: readModel, fonts: [])
        func changes(within timeout: Duration) async throws -> TileChanges {
            try await comparison.changes(TileVariant(format: .png), by: tiles, edition: "", timeout: timeout)
        }
        let hasty = try await changes(within: .zero)
        #expect(!hasty.isComplete && !hasty.floors.isEmpty && hasty.floors.allSatisfy { $0.tiles == .all })
        let complete = try await changes(within: TileComparison.timeout)
        #expect(complete.isComplete && !complete.floors.isEmpty && complete.floors.allSatisfy { $0.tiles != .all })
    }

    @Test func `changes of a level that is new or removed are all its tiles`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.floor)).archive())
        for query in ["since=1&to=2", "since=2&to=1"] {
            let all = try await Self.floors(harness, query).filter { $0["tiles"] == "all" }
            #expect(all.count == 1, "\(query)")
        }
        try await harness.send(.get, "/venues/mall/tiles/changes").problem(400)
        try await harness.send(.get, "/venues/mall/tiles/changes?since=9").problem(404)
    }
}
