import FloorTiles
import IMDF
import Testing
import VenueMap

/// What an image has of a small floor: a building of two rooms with a door between them.
@Suite struct DrawingTests {
    private static let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)
    private static let zoom = 20
    /// The corners of the building; the wall between the rooms is in the middle of its width.
    private static let (west, south, east, north) = (151.2, -33.9, 151.2004, -33.8998)
    private static let middle = (west + east) / 2

    private struct Item {
        var type: FeatureType
        var geometry: JSONValue
        var properties: JSONValue
    }

    private static func rectangle(_ west: Double, _ east: Double) -> JSONValue {
        let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        return ["type": "Polygon", "coordinates": [.array(ring.map { [.number($0.0), .number($0.1)] })]]
    }

    /// A line on the wall between the rooms.
    ///
    /// - Parameter part: How much of the wall it covers, around its middle.
    private static func line(_ part: Double) -> JSONValue {
        let (half, center) = ((north - south) / 2 * part, (north + south) / 2)
        return [
            "type": "LineString",
            "coordinates": [
                [.number(middle), .number(center - half)], [.number(middle), .number(center + half)],
            ],
        ]
    }

    private static func level(_ items: [Item] = [], rooms: [String] = ["room", "room"]) -> PreparedLevel {
        let level = Item(
            type: .level, geometry: self.rectangle(self.west, self.east), properties: ["ordinal": 0, "outdoor": false])
        let units = zip(rooms, [(self.west, self.middle), (self.middle, self.east)]).map { category, sides in
            Item(
                type: .unit, geometry: self.rectangle(sides.0, sides.1),
                properties: ["category": .string(category), "level_id": .string(self.id.description)])
        }
        let features = ([level] + units + items).enumerated().map { index, item in
            let id = index == 0 ? self.id : FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001 + UInt64(index))
            let body = CanonicalJSON.data([
                "id": .string(id.description), "type": "Feature", "feature_type": .string(item.type.rawValue),
                "geometry": item.geometry, "properties": item.properties,
            ])
            return (id: id, type: item.type, body: body)
        }
        return PreparedLevel(level: self.id, features: features, language: "en")
    }

    /// The pixels on a line from west to east, some pixels around the building.
    ///
    /// - Parameter height: Where the line is, from 0 in the south to 1 in the north.
    private static func row(_ level: PreparedLevel, height: Double, _ theme: TileTheme = .light) throws -> [UInt32] {
        let box = try #require(level.box)
        let side = Double(256 << self.zoom)
        return renderer.pixels(
            [level], zoom: self.zoom, left: Int(box.minX * side) - 20,
            top: Int((box.maxY - (box.maxY - box.minY) * height) * side), width: Int((box.maxX - box.minX) * side) + 40,
            height: 1, TileVariant(format: .png, theme: theme))
    }

    private static func pixel(_ color: MapColor, _ theme: TileTheme) -> UInt32 {
        let (red, green, blue) = color.components(inDarkMode: theme == .dark)
        return 255 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// The lengths of runs of pixels that have exactly a colour.
    private static func runs(of colour: UInt32, in row: some Sequence<UInt32>) -> [Int] {
        row.reduce(into: [0]) { runs, pixel in
            if pixel == colour { runs[runs.count - 1] += 1 } else if runs.last != 0 { runs.append(0) }
        }.filter { $0 > 0 }
    }

    @Test(arguments: TileTheme.allCases)
    func `a façade is heavier than a wall between rooms`(theme: TileTheme) throws {
        let row = try Self.row(Self.level(), height: 0.25, theme)
        let facade = Self.runs(of: Self.pixel(MapPalette.outline, theme), in: row)
        let wall = Self.runs(of: Self.pixel(MapPalette.wall, theme), in: row)
        #expect(facade.count == 2 && wall.count == 1)
        #expect(try #require(facade.min()) > #require(wall.max()))
    }

    @Test(arguments: TileTheme.allCases)
    func `an opening is a gap in the wall, as long as it is`(theme: TileTheme) throws {
        let opening = Item(type: .opening, geometry: Self.line(0.2), properties: ["category": "pedestrian"])
        let level = Self.level([opening])
        let wall = Self.pixel(MapPalette.wall, theme)
        #expect(Self.runs(of: wall, in: try Self.row(level, height: 0.5, theme)).isEmpty)
        let gap = Self.runs(of: Self.pixel(MapPalette.opening, theme), in: try Self.row(level, height: 0.5, theme))
        #expect(gap.count == 1)
        for height in [0.3, 0.7] {
            #expect(Self.runs(of: wall, in: try Self.row(level, height: height, theme)).count == 1)
        }
        // Without the opening, the wall has no gap.
        #expect(Self.runs(of: wall, in: try Self.row(Self.level(), height: 0.5, theme)).count == 1)
    }

    @Test func `rooms have the colours of their categories`() throws {
        let rows = try [["room", "room"], ["restroom", "room"], ["restroom", "elevator"]].map {
            try Self.row(Self.level(rooms: $0), height: 0.25)
        }
        func colours(_ row: [UInt32]) -> (UInt32, UInt32) { (row[row.count / 3], row[row.count * 2 / 3]) }
        #expect(colours(rows[0]).0 == colours(rows[0]).1)
        #expect(colours(rows[1]).0 != colours(rows[1]).1 && colours(rows[1]).1 == colours(rows[0]).1)
        #expect(colours(rows[2]).0 == colours(rows[1]).0 && colours(rows[2]).1 != colours(rows[0]).1)
    }

    @Test(arguments: ["restroom", "elevator", "stairs", "escalator"])
    func `a unit with a category of its own has an icon without an amenity`(category: String) throws {
        let labels = Self.level(rooms: [category, "room"]).labels(zoom: Self.zoom, language: nil, by: renderer.engine)
        #expect(labels.count == 1)
        guard case .icon(_, let size) = try #require(labels.first).content else {
            Issue.record("\(category) has a text")
            return
        }
        #expect(size >= 12)
        #expect(Self.level().labels(zoom: Self.zoom, language: nil, by: renderer.engine).isEmpty)
    }
}
