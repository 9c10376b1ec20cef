import BenchmarkSupport
import Foundation
import IMDF
import VenueMap

/// The column and row of the tile in the middle of a venue.
struct TileGrid: Sendable {
    let x: Int
    let y: Int
}

private struct TileJSON: Decodable {
    let center: [Double]
}

extension Service {
    func tileGrid(of venue: String, zoom: Int) async throws -> TileGrid {
        let json = try await self.send("GET", "/venues/\(venue)/tiles/0.json?format=png")
        let center = try JSONDecoder().decode(TileJSON.self, from: Data(json)).center
        let tile = WebMercator.tile(of: Position(longitude: center[0], latitude: center[1]), zoom: zoom)
        return TileGrid(x: tile.x, y: tile.y)
    }

    func makePublic(_ venue: String) async throws {
        try await self.send(
            "PATCH", "/venues/\(venue)", type: "application/json", body: Array(#"{"public":true}"#.utf8))
    }
}
