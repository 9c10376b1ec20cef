import Foundation
import Testing
import VenueMap

/// Compares with `WebMercator/vectors.json`, which another implementation computed.
@Suite struct WebMercatorTests {
    private struct Vectors: Decodable {
        let vectors: [Vector]
        let fractional: [FractionalVector]
        let bounds: [Bounds]
    }

    private struct FractionalVector: Decodable {
        let longitude: Double
        let latitude: Double
        let zoom: Double
        let pixel_256: [Double]
        let pixel_512: [Double]
    }

    private struct Bounds: Decodable {
        /// Zoom, x, y.
        let tile: [Int]
        /// West, south, east, north.
        let box: [Double]
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

    private static func vectors() throws -> [Vector] { try self.file().vectors }

    private static func file() throws -> Vectors {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "WebMercator/vectors.json")
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
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

    @Test func `WebMercator agrees with another implementation between zoom levels`() throws {
        let vectors = try Self.file().fractional
        #expect(vectors.count > 80)
        for vector in vectors {
            let position = Position(longitude: vector.longitude, latitude: vector.latitude)
            for (size, expected) in [(256, vector.pixel_256), (512, vector.pixel_512)] {
                let pixel = WebMercator.pixel(of: position, zoom: vector.zoom, tileSize: size)
                #expect(abs(pixel.x - expected[0]) < 0.01 && abs(pixel.y - expected[1]) < 0.01, "\(vector)")
                let back = WebMercator.position(of: pixel, zoom: vector.zoom, tileSize: size)
                let latitude = min(max(vector.latitude, -WebMercator.maximumLatitude), WebMercator.maximumLatitude)
                #expect(abs(back.longitude - vector.longitude) < 1e-9 && abs(back.latitude - latitude) < 1e-9)
            }
        }
        let place = Position(longitude: 10, latitude: 50)
        #expect(WebMercator.pixel(of: place, zoom: 15.0) == WebMercator.pixel(of: place, zoom: 15))
        #expect(WebMercator.pixel(of: place, zoom: .nan) == WebMercator.pixel(of: place, zoom: 0))
    }

    @Test func `WebMercator bounds of tiles agree with another implementation`() throws {
        let bounds = try Self.file().bounds
        #expect(bounds.count > 40)
        for bound in bounds {
            let tile = WebMercator.Tile(zoom: bound.tile[0], x: bound.tile[1], y: bound.tile[2])
            let box = WebMercator.box(of: tile)
            for (actual, expected) in zip([box.west, box.south, box.east, box.north], bound.box) {
                #expect(abs(actual - expected) < 1e-9, "\(bound)")
            }
            let (width, height) = (box.east - box.west, box.north - box.south)
            let inside = BoundingBox(
                west: box.west + width / 4, south: box.south + height / 4, east: box.east - width / 4,
                north: box.north - height / 4)
            #expect(WebMercator.tiles(of: inside, zoom: tile.zoom) == [tile])
            for size in [256, 512] {
                let zoom = WebMercator.zoom(fitting: box, width: Double(size), height: Double(size), tileSize: size)
                #expect(abs(zoom - Double(tile.zoom)) < 1e-5)
            }
        }
    }

    @Test func `WebMercator tiles of a rectangle come row by row, up to a limit`() {
        let box = BoundingBox(west: -1, south: -1, east: 1, north: 1)
        #expect(WebMercator.tiles(of: box, zoom: 1).map { [$0.x, $0.y] } == [[0, 0], [1, 0], [0, 1], [1, 1]])
        #expect(WebMercator.tiles(of: box, zoom: 30).isEmpty)
        #expect(WebMercator.tiles(of: box, zoom: 1, limit: 3).isEmpty)
        let point = BoundingBox(west: 5, south: 5, east: 5, north: 5)
        #expect(WebMercator.zoom(fitting: point, width: 100, height: 100) == 30)
    }
}
