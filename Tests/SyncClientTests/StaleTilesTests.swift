import Foundation
import HTTPTypes
import IMDF
import NIOCore
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing
import VenueMap

/// The tiles that an app removes from its caches.
@Suite(.server)
struct StaleTilesTests {
    /// The response of the server.
    private struct Listing: Decodable {
        struct Floor: Decodable {
            let tiles: [String]
        }

        let edition: String
        let floors: [Floor]
    }

    @Test func `stale tiles are those that the server lists`() async throws {
        let harness = Harness.current
        var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 5, seed: 1))
        try await harness.push(venue.archive())
        _ = venue.apply([Edit(.rename, 5)], seed: 1)
        try await harness.push(venue.archive())
        let replica = try await VenueReplica.open(on: harness)
        for (kind, query) in [
            (TileKind.images(language: "en", isDark: true), "format=png&lang=en&theme=dark"),
            (.vectors(), "format=mvt"),
        ] {
            let stale = try await replica.staleTiles(since: 1, of: kind)
            let response = try await harness.send(.get, "/venues/mall/tiles/changes?since=1&\(query)")
            let listing = try JSONDecoder().decode(Listing.self, from: Data(response.body.readableBytesView))
            #expect(stale.from == 1 && stale.to == 2 && stale.edition == listing.edition && !stale.isEmpty)
            let listed = try #require(listing.floors.first)
            let floor = try #require(stale.floors.first)
            guard case .some(let tiles) = floor.tiles else {
                Issue.record("all tiles are stale")
                continue
            }
            #expect(Set(tiles.map { "\($0.zoom)/\($0.x)/\($0.y)" }) == Set(listed.tiles))
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
