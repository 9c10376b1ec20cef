import FloorTiles
import IMDF
import Testing

/// The shadow of a building in images.
@Suite struct ShadowTests {
    /// A square floor, and nothing on it.
    private static func level(isOutdoor: Bool) -> PreparedLevel {
        let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)
        let (west, south, east, north) =
            (151.2, -33.9, 151.2005, -33.8996) as (JSONValue, JSONValue, JSONValue, JSONValue)
        let ring: JSONValue = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        let body = CanonicalJSON.data([
            "id": .string(id.description), "type": "Feature", "feature_type": "level",
            "geometry": ["type": "Polygon", "coordinates": [ring]],
            "properties": ["ordinal": 0, "outdoor": .bool(isOutdoor)],
        ])
        return PreparedLevel(level: id, features: [(id: id, type: .level, body: body)], language: "en")
    }

    /// The alpha of the pixels on a line from north to south through the middle of a level, from 40 pixels around it.
    private static func alpha(_ level: PreparedLevel, zoom: Int, _ theme: TileTheme = .light) throws -> [UInt32] {
        let box = try #require(level.box)
        let side = Double(256 << zoom)
        let (middle, top) = (Int((box.minX + box.maxX) / 2 * side), Int(box.minY * side) - 40)
        return renderer.pixels(
            [level], zoom: zoom, left: middle, top: top, width: 1, height: Int((box.maxY - box.minY) * side) + 80,
            TileVariant(format: .png, theme: theme)
        ).map { $0 >> 24 }
    }

    @Test(arguments: TileTheme.allCases)
    func `a building has a soft shadow, most of it in the south, and within eight pixels`(theme: TileTheme) throws {
        let alpha = try Self.alpha(Self.level(isOutdoor: false), zoom: 19, theme)
        let first = try #require(alpha.firstIndex { $0 == 255 }), last = try #require(alpha.lastIndex { $0 == 255 })
        let (north, south) = (alpha[..<first].filter { $0 > 0 }, alpha[(last + 1)...].filter { $0 > 0 })
        #expect(south.count > north.count && (3...8).contains(south.count) && north.count < 6)
        // It ends in steps, and no part of it hides what is below.
        #expect(south == south.sorted(by: >) && Set(south).count > 2 && south.dropFirst().allSatisfy { $0 < 160 })
        #expect(alpha[..<(first - 8)].allSatisfy { $0 == 0 } && alpha[(last + 9)...].allSatisfy { $0 == 0 })
    }

    @Test func `outdoor levels, and buildings at low zooms, have no shadow`() throws {
        // The outline itself is antialiased: two pixels on each side at most, and none is far from it.
        for (isOutdoor, zoom) in [(true, 19), (false, 15)] {
            let alpha = try Self.alpha(Self.level(isOutdoor: isOutdoor), zoom: zoom)
            let first = try #require(alpha.firstIndex { $0 == 255 }), last = try #require(alpha.lastIndex { $0 == 255 })
            #expect(alpha[..<first].count { $0 > 0 } <= 2 && alpha[(last + 1)...].count { $0 > 0 } <= 2, "\(zoom)")
        }
    }
}
