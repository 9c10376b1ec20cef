import FloorTiles
import IMDF
import Testing
import VenueMap

/// Levels with parts that are far away from each other, as on both sides of the antimeridian.
@Suite struct WideLevelTests {
    private static let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)

    /// The ring of a square with sides of about 50 metres.
    private static func square(_ west: Double, _ south: Double) -> JSONValue {
        let (east, north) = (west + 0.0005, south + 0.0004)
        return Self.ring([(west, south), (east, south), (east, north), (west, north)])
    }

    private static func ring(_ corners: [(Double, Double)]) -> JSONValue {
        .array((corners + corners.prefix(1)).map { .array([.number($0.0), .number($0.1)]) })
    }

    private static func level(_ rings: [JSONValue]) -> PreparedLevel {
        let body = CanonicalJSON.data([
            "id": .string(Self.id.description), "type": "Feature", "feature_type": "level",
            "geometry": ["type": "MultiPolygon", "coordinates": .array(rings.map { .array([$0]) })],
            "properties": ["ordinal": 0],
        ])
        return PreparedLevel(level: Self.id, features: [(id: Self.id, type: .level, body: body)], language: "en")
    }

    @Test(arguments: TileAddress.zooms, [1, 2])
    func `a part is drawn as if it were alone, however far away the others are`(zoom: Int, scale: Int) throws {
        let here = Self.square(139.7, 35.6)
        let alone = Self.level([here])
        let variant = TileVariant(format: .png, scale: scale)
        let tiles = alone.tiles(zoom: zoom)
        #expect(!tiles.isEmpty)
        for (west, south) in [(139.9, 35.6), (110, 35.6), (0, 0), (-179.99, -80.0)] {
            let level = Self.level([here, Self.square(west, south)])
            for tile in tiles where tile.zoom < 21 || (tile.x + tile.y).isMultiple(of: 5) {
                let expected = renderer.tile(of: [alone], at: tile, variant)
                #expect(renderer.tile(of: [level], at: tile, variant) == expected, "\(west) \(south) \(tile.path)")
            }
        }
    }

    @Test(arguments: [14, 18, 22])
    func `tiles of an area as large as the world fit together`(zoom: Int) throws {
        let level = Self.level([Self.ring([(-179.9, -84), (179.9, -10), (179.8, 84), (-20, 60)])])
        let variant = TileVariant(format: .png, scale: 2)
        let side = 512
        let x = 5 << (zoom - 3)
        for y in [3 << (zoom - 3), 5 << (zoom - 3)] {
            let whole = renderer.pixels(
                [level], zoom: zoom, left: x * side, top: y * side, width: 2 * side, height: 2 * side, variant)
            for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let tile = renderer.pixels(
                    [level], zoom: zoom, left: (x + column) * side, top: (y + row) * side, width: side, height: side,
                    variant)
                let part = (0..<side).flatMap { line in
                    let start = (row * side + line) * 2 * side + column * side
                    return whole[start..<start + side]
                }
                #expect(tile == Array(part), "\(row) \(column)")
            }
        }
    }

    @Test func `an archive has the tiles of all parts, and maps begin at one of them`() throws {
        func count(_ level: PreparedLevel) throws -> (tiles: Int, zoom: UInt8) {
            let bytes = try TileArchive.bytes(of: [level], TileVariant(format: .png), name: "mall", by: renderer)
            return ((0..<8).reduce(0) { $0 | Int(bytes[72 + $1]) << (8 * $1) }, bytes[101])
        }
        let here = Self.square(139.7, 35.6)
        let (one, both) = (try count(Self.level([here])), try count(Self.level([here, Self.square(-179.9995, 35.6)])))
        #expect(one.tiles > 50 && both.tiles > 3 * one.tiles / 2 && both.zoom == one.zoom)
        // One of thirty parts is elsewhere.
        let most = (0..<30).map { Self.square(139.7 + 0.001 * Double($0), 35.6) }
        let center = try #require([Self.level(most + [Self.square(0, 0)])].center)
        #expect((139.7...139.731).contains(center.longitude) && (35.6...35.6005).contains(center.latitude))
        let halves = try #require(
            [Self.level([Self.square(179.999, 0), Self.square(-180, 0), Self.square(-179.99, 0)])].center)
        #expect(abs(halves.longitude) > 179.9)
    }
}
