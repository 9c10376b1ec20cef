import FloorTiles
import IMDF
import Testing

/// The shadow of a building in images.
@Suite struct ShadowTests {
    /// A square floor, and nothing on it.
    ///
    /// - Parameter points: How many points its southern border has.
    private static func level(isOutdoor: Bool, points: Int = 2) -> PreparedLevel {
        let id = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)
        let (west, south, width, north) = (151.2, -33.9, 0.0005, -33.8996)
        let border = (0..<points).map { (west + width * Double($0) / Double(points - 1), south) }
        let ring = (border + [(west + width, north), (west, north), (west, south)]).map {
            JSONValue.array([.number($0.0), .number($0.1)])
        }
        let body = CanonicalJSON.data([
            "id": .string(id.description), "type": "Feature", "feature_type": "level",
            "geometry": ["type": "Polygon", "coordinates": [.array(ring)]],
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

    @Test func `an outline with very many points has no shadow`() throws {
        // Three more points are in the north and at the end.
        for (points, hasShadow) in [
            (BuildingShadow.maximumPoints - 3, true), (BuildingShadow.maximumPoints - 2, false),
        ] {
            let alpha = try Self.alpha(Self.level(isOutdoor: false, points: points), zoom: 19)
            let last = try #require(alpha.lastIndex { $0 == 255 })
            #expect((alpha[(last + 1)...].count { $0 > 0 } > 2) == hasShadow, "\(points)")
        }
    }

    @Test func `a shadow is not drawn to its end when nobody waits for the tile`() throws {
        let level = Self.level(isOutdoor: false)
        let tile = try level.middleTile(zoom: 19)
        // The labels are placed once for all.
        _ = renderer.tile(of: [level], at: tile, .init(format: .png))
        // Without cancellation: each line of the shadow, and each use of the only feature.
        var checks = 0
        _ = try renderer.tile(of: [level], at: tile, .init(format: .png)) {
            checks += 1
            return false
        }
        #expect(checks >= 8)
        for limit in 1..<checks {
            var remaining = limit
            #expect(throws: CancellationError.self) {
                try renderer.tile(of: [level], at: tile, .init(format: .png)) {
                    remaining -= 1
                    return remaining < 0
                }
            }
        }
    }
}
