import FloorTiles
import Foundation
import IMDF
import Testing

/// Positions on vector tiles compared with `Tests/Clients/tiles/positions.json`, which a program in Python computed: at the borders of
/// tiles, in the south, at the equator and the antimeridian.
@Suite struct TilePositionTests {
    private struct Vector: Decodable {
        let longitude: Double
        let latitude: Double
        let zoom: Int
        /// Column, row, and the position on the tile in 4096ths of its side. The first tile covers the position.
        let tiles: [[Double]]
    }

    private static func vectors() throws -> [Vector] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Clients/tiles/positions.json")
        return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    }

    /// A level with an amenity at the position.
    private static func level(at vector: Vector) -> PreparedLevel {
        let (level, amenity) = (FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001), Self.amenity)
        let west = JSONValue.number(max(-180, vector.longitude - 0.001))
        let east = JSONValue.number(min(180, vector.longitude + 0.001))
        let (south, north) = (JSONValue.number(vector.latitude - 0.001), JSONValue.number(vector.latitude + 0.001))
        let ring: JSONValue = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        let area: JSONValue = ["type": "Polygon", "coordinates": [ring]]
        let point: JSONValue = [
            "type": "Point", "coordinates": [.number(vector.longitude), .number(vector.latitude)],
        ]
        func body(_ id: FeatureID, _ type: String, _ geometry: JSONValue, _ properties: JSONValue) -> [UInt8] {
            CanonicalJSON.data([
                "id": .string(id.description), "type": "Feature", "feature_type": .string(type), "geometry": geometry,
                "properties": properties,
            ])
        }
        return PreparedLevel(
            level: level,
            features: [
                (id: level, type: .level, body: body(level, "level", area, ["ordinal": 0])),
                (id: amenity, type: .amenity, body: body(amenity, "amenity", point, ["category": "information"])),
            ], language: "en")
    }

    private static let amenity = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0002)

    /// The points of the amenities of a vector tile.
    private static func points(_ tile: [UInt8]) -> [(x: Int, y: Int)] {
        let layers = Message(tile).bytes(3).map { Message($0) }
        let layer = layers.first { $0.bytes(1) == [Array("amenity".utf8)] }
        return (layer?.bytes(2) ?? []).map { feature in
            // A command to move to one point, and the two numbers.
            var numbers: [Int] = []
            var (value, shift) = (0, 0)
            for byte in Message(feature).bytes(4).first ?? [] {
                value |= Int(byte & 127) << shift
                shift += 7
                guard byte < 128 else { continue }
                numbers.append(value)
                (value, shift) = (0, 0)
            }
            func signed(_ number: Int) -> Int { (number >> 1) ^ -(number & 1) }
            return numbers.count == 3 ? (signed(numbers[1]), signed(numbers[2])) : (.max, .max)
        }
    }

    @Test func `positions are on the tiles, and where on the tiles, another implementation computed`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count > 200 && Set(vectors.map(\.zoom)) == Set(15...22))
        for vector in vectors {
            let level = Self.level(at: vector)
            for (index, expected) in vector.tiles.enumerated() {
                let tile = try #require(
                    TileAddress(zoom: vector.zoom, x: Int(expected[0]), y: Int(expected[1])), "\(vector)")
                let bytes = renderer.tile(of: [level], at: tile, TileVariant(format: .mvt))
                let points = Self.points(bytes)
                try #require(points.count == 1, "\(vector), \(tile.path)")
                let (x, y) = (Double(points[0].x), Double(points[0].y))
                #expect(abs(x - expected[2]) < 0.51 && abs(y - expected[3]) < 0.51, "\(vector), \(tile.path)")
                // Only the first tile has it on its own area, as far as the grid can tell.
                let isInside = (0...4_096).contains(points[0].x) && (0...4_096).contains(points[0].y)
                #expect(index > 0 || isInside)
            }
        }
    }
}
