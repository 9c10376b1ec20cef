import Foundation
import Testing
import VenueMap

/// Compares with `WebMercator/vectors.json`, which another implementation computed.
@Suite struct WebMercatorTests {
    private struct Vectors: Decodable {
        let vectors: [Vector]
    }

    private struct Vector: Decodable {
        let longitude: Double
        let latitude: Double
        let zoom: Int
        let tile: [Int]
        let pixel_256: [Double]
        let pixel_512: [Double]

        var position: Position { Position(longitude: self.longitude, latitude: self.latitude) }
    }

    private static func vectors() throws -> [Vector] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "WebMercator/vectors.json")
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).vectors
    }

    @Test func `WebMercator agrees with another implementation`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count > 150)
        for vector in vectors {
            for (size, expected) in [(256, vector.pixel_256), (512, vector.pixel_512)] {
                let pixel = WebMercator.pixel(of: vector.position, zoom: vector.zoom, tileSize: size)
                #expect(abs(pixel.x - expected[0]) < 0.01 && abs(pixel.y - expected[1]) < 0.01, "\(vector)")
            }
            let tile = WebMercator.tile(of: vector.position, zoom: vector.zoom)
            #expect([tile.x, tile.y] == vector.tile, "\(vector)")
        }
    }

    @Test func `WebMercator converts pixels back to positions`() throws {
        for vector in try Self.vectors() where abs(vector.latitude) < 85 {
            for size in [256, 512] {
                let pixel = WebMercator.pixel(of: vector.position, zoom: vector.zoom, tileSize: size)
                let position = WebMercator.position(of: pixel, zoom: vector.zoom, tileSize: size)
                #expect(abs(position.longitude - vector.longitude) < 1e-9)
                #expect(abs(position.latitude - vector.latitude) < 1e-9)
            }
        }
    }

    @Test func `WebMercator tiles cover the same area for any tile size`() throws {
        for vector in try Self.vectors() where abs(vector.latitude) < 85 {
            let tile = WebMercator.tile(of: vector.position, zoom: vector.zoom)
            let corner = WebMercator.corner(of: tile)
            #expect(WebMercator.tile(of: corner, zoom: vector.zoom) == tile)
            #expect(corner.longitude <= vector.longitude + 1e-9 && corner.latitude >= vector.latitude - 1e-9)
            for size in [256, 512] {
                let pixel = WebMercator.pixel(of: corner, zoom: vector.zoom, tileSize: size)
                #expect(abs(pixel.x - Double(tile.x * size)) < 0.01 && abs(pixel.y - Double(tile.y * size)) < 0.01)
            }
        }
        let pole = Position(longitude: 200, latitude: -90)
        #expect(WebMercator.tile(of: pole, zoom: 3) == .init(zoom: 3, x: 7, y: 7))
        #expect(WebMercator.tile(of: pole, zoom: 99).zoom == 30)
    }
}
