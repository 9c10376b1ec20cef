import Foundation
import IMDF
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing
import VenueMap

/// The tiles that an app removes from its caches.
@Suite(.server)
struct StaleTilesTests {
    @Test func `stale tiles are those that the server lists`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.recategorise, 1)).archive())
        let replica = try await VenueReplica.open(on: harness)
        for (kind, query) in [
            (TileKind.images(language: "en", isDark: true), "format=png&lang=en&theme=dark"),
            (.vectors(), "format=mvt"),
        ] {
            let stale = try await replica.staleTiles(since: 1, of: kind)
            let json = try await harness.send(.get, "/venues/mall/tiles/changes?since=1&\(query)").json
            #expect(stale.from == 1 && stale.to == 2 && stale.edition == json["edition"]?.string && !stale.isEmpty)
            let listed = try #require(json["floors"]?.array?.first)
            let floor = try #require(stale.floors.first)
            let paths = (listed["tiles"]?.array ?? []).compactMap(\.string)
            guard case .some(let tiles) = floor.tiles else {
                Issue.record("all tiles are stale")
                continue
            }
            #expect(Set(tiles.map { "\($0.zoom)/\($0.x)/\($0.y)" }) == Set(paths))
            let ordinal = try #require(floor.ordinal)
            let tile = try #require(tiles.first)
            #expect(stale.contains(tile, ordinal: ordinal) && !stale.contains(tile, ordinal: ordinal + 7))
            #expect(!stale.contains(WebMercator.Tile(zoom: tile.zoom, x: 0, y: 0), ordinal: ordinal))
            let same = try await replica.staleTiles(since: 2, to: 2, of: kind, edition: stale.edition)
            #expect(same.isEmpty)
            let other = try await replica.staleTiles(
                since: 2, of: kind, edition: String(repeating: "0", count: 64))
            #expect(other.floors.allSatisfy { $0.tiles == .all } && other.contains(tile, ordinal: ordinal))
        }
        await #expect(throws: SyncError.self) { try await replica.staleTiles(since: 9, of: .images()) }
    }
}
