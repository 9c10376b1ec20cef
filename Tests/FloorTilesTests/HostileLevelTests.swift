import FloorTiles
import IMDF
import SampleVenue
import Testing

/// Geometry that no map tool should write.
@Suite struct HostileLevelTests {
    private static func polygon(_ ring: [(Double, Double)]) -> JSONValue {
        let positions = (ring + ring.prefix(1)).map { JSONValue.array([.number($0.0), .number($0.1)]) }
        return ["type": "Polygon", "coordinates": [.array(positions)]]
    }

    /// Degrees around a place in Tokyo.
    static func near(_ points: [(Double, Double)]) -> JSONValue {
        self.polygon(points.map { (139.7 + $0.0 / 10_000, 35.6 + $0.1 / 10_000) })
    }

    private static let shapes: [(name: String, geometry: JSONValue)] = [
        ("crossing itself", near([(0, 0), (8, 8), (8, 0), (0, 8)])),
        ("without area", near([(0, 0), (4, 4), (8, 8)])),
        ("with a spike", near([(0, 0), (8, 0), (8, 8), (20, 8), (8, 8), (0, 8)])),
        ("of the whole world", polygon([(-180, -85), (180, -85), (180, 85), (-180, 85)])),
        (
            "across the antimeridian",
            polygon([(179.9999, 35.6), (-179.9999, 35.6), (-179.9999, 35.7), (179.9999, 35.7)])
        ),
        ("beyond the poles", polygon([(139.7, 35.6), (139.8, 90), (139.6, -90)])),
        ("a point", ["type": "Point", "coordinates": [139.7004, 35.6004]]),
        (
            "a comb with 4,000 teeth",
            near((0..<4_000).flatMap { [(Double($0) / 400, 0), (Double($0) / 400 + 0.001, 9)] })
        ),
    ]

    /// Every two lines between the points cross each other.
    private static func scribble(points count: Int) -> JSONValue {
        var random = SplitMix64(seed: 7)
        return self.near(
            (0..<count).map { _ in
                (Double.random(in: 0...8, using: &random), Double.random(in: 0...8, using: &random))
            })
    }

    /// Repairing the largest of them would take hours. The limit ends such a run.
    @Test(.timeLimit(.minutes(30)), arguments: [300, 500, 20_000])
    func `a tile of a polygon that crosses itself everywhere is drawn`(count: Int) throws {
        let tile = try #require(TileAddress(zoom: 18, x: 232_798, y: 103_298))
        let level = Self.level(Self.scribble(points: count))
        let image = TileVariant(format: .png)
        #expect(renderer.tile(of: [level], at: tile, image) != renderer.tile(of: [], at: tile, image))
        // What cannot be repaired is left out.
        _ = renderer.tile(of: [level], at: tile, .init(format: .mvt))
    }

    /// Work counts instead of time, which depends on the machine.
    @Test(.timeLimit(.minutes(30)), arguments: [18, 20])
    func `what a tile with too many lines draws is bounded, and less than it would be`(zoom: Int) throws {
        let level = Self.level(Self.scribble(points: 80_000))
        // In the middle of the polygon.
        let tile = try #require(
            zoom == 18
                ? TileAddress(zoom: 18, x: 232_798, y: 103_298) : TileAddress(zoom: 20, x: 931_194, y: 413_196))
        #expect(level.tiles(zoom: zoom).contains(tile))
        for scale in 1...2 {
            let side = 256 * scale
            let frame = renderer.drawingWork(
                of: level, zoom: zoom, left: tile.x * side, top: tile.y * side, side: side,
                .init(format: .png, scale: scale))
            #expect(frame.work > 0 && frame.work <= frame.limit + frame.limit / 4, "\(frame)")
        }
        // A dense floor is far from the limit.
        let floor = try #require(SampleVenue(.init(levels: 1, unitsPerLevel: 400)).preparedLevels().first)
        let middle = try floor.middleTile(zoom: zoom)
        let frame = renderer.drawingWork(
            of: floor, zoom: zoom, left: middle.x * 256, top: middle.y * 256, side: 256, .init(format: .png))
        #expect(frame.work > 0 && frame.work < frame.limit / 100, "\(frame)")
    }

    static func level(_ geometry: JSONValue) -> PreparedLevel {
        let level = FeatureID(high: 1, low: 1)
        let unit = FeatureID(high: 1, low: 2)
        let bodies: [(FeatureID, FeatureType, JSONObject)] = [
            (level, .level, ["ordinal": 0, "category": "unspecified"]),
            (
                unit, .unit,
                [
                    "level_id": .string(level.description), "category": "room",
                    "name": ["en": "A room with a name"],
                ]
            ),
        ]
        return PreparedLevel(
            level: level,
            features: bodies.map { id, type, properties in
                let shape = type == .level ? Self.near([(-2, -2), (12, -2), (12, 12), (-2, 12)]) : geometry
                let body: JSONObject = [
                    "type": "Feature", "id": .string(id.description), "geometry": shape,
                    "properties": .object(properties),
                ]
                return (id: id, type: type, body: CanonicalJSON.data(.object(body)))
            }, language: "en")
    }

    @Test(arguments: 0..<8)
    func `hostile geometry: what can be drawn is drawn, and tiles still fit together`(index: Int)
        throws
    {
        let (name, geometry) = Self.shapes[index]
        let level = Self.level(geometry)
        for (zoom, x, y) in [(14, 14_549, 6_456), (18, 232_798, 103_298), (22, 3_724_777, 1_652_785)] {
            let tile = try #require(TileAddress(zoom: zoom, x: x, y: y))
            for format in TileFormat.allCases {
                let bytes = renderer.tile(of: [level], at: tile, .init(format: format))
                #expect(bytes == renderer.tile(of: [Self.level(geometry)], at: tile, .init(format: format)))
            }
            let whole = renderer.pixels(
                [level], zoom: zoom, left: x * 256, top: y * 256, width: 512, height: 256,
                .init(format: .png))
            let east = renderer.pixels(
                [level], zoom: zoom, left: (x + 1) * 256, top: y * 256, width: 256, height: 256,
                .init(format: .png))
            let part = (0..<256).flatMap { whole[$0 * 512 + 256..<$0 * 512 + 512] }
            #expect(part == east, "\(name), zoom \(zoom)")
        }
    }
}
