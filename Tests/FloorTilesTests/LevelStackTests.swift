import FloorTiles
import IMDF
import Testing

/// Several levels in one image: a site, and a building on it.
@Suite struct LevelStackTests {
    /// The id of the site sorts after that of the building.
    private static func site(_ place: HandmadeLevel.Rectangle = .init(40, 40, 160, 160)) -> HandmadeLevel {
        var site = HandmadeLevel(900, .init(0, 0, 200, 200), outdoor: true)
        site.add(901, .unit, place, ["category": "vegetation", "name": ["en": "Garden"]])
        return site
    }

    private static func building(west: Double = 100, shop: String = "Shop") -> HandmadeLevel {
        var building = HandmadeLevel(1, .init(west, 60, 180, 140))
        building.add(2, .unit, .init(west, 60, 180, 140), ["category": "room", "name": ["en": .string(shop)]])
        return building
    }

    private static func labels(_ levels: [PreparedLevel], zoom: Int) -> [PlacedLabel] {
        renderer.labels(of: levels, zoom: zoom, language: nil)
    }

    private static func box(_ label: PlacedLabel) -> PixelBox {
        PixelBox(left: label.left, top: label.top, width: label.width, height: label.height)
    }

    @Test func `a building is painted over its site, whatever their ids and order`() throws {
        let (site, building) = (Self.site().prepared, Self.building().prepared)
        let middle = try building.middleTile(zoom: 18)
        let variant = TileVariant(format: .png)
        let both = renderer.tile(of: [building, site], at: middle, variant)
        #expect(both == renderer.tile(of: [site, building], at: middle, variant))
        #expect(
            renderer.contentDigest(of: [building, site], at: middle, variant)
                == renderer.contentDigest(of: [site, building], at: middle, variant))
        // The pixels well inside the building, away from its shadow.
        let (corner, opposite) = (HandmadeLevel.world((105, 135)), HandmadeLevel.world((175, 65)))
        let size = Double(256 << 18)
        let (left, top) = (Int(corner.x * size), Int(corner.y * size))
        let (width, height) = (Int(opposite.x * size) - left, Int(opposite.y * size) - top)
        let pixels = [[building], [building, site], [site]].map {
            renderer.pixels($0, zoom: 18, left: left, top: top, width: width, height: height, variant)
        }
        #expect(pixels[0] == pixels[1] && pixels[1] != pixels[2])
    }

    @Test func `of two buildings, the smaller one is painted over the larger one`() throws {
        var (hall, kiosk) = (HandmadeLevel(1, .init(0, 0, 100, 100)), HandmadeLevel(2, .init(40, 40, 60, 60)))
        hall.add(10, .unit, .init(0, 0, 100, 100), ["category": "walkway"])
        kiosk.add(11, .unit, .init(40, 40, 60, 60), ["category": "restroom"])
        let place = HandmadeLevel.world((50, 45))
        let size = Double(256 << 19)
        func pixel(_ levels: [PreparedLevel]) -> UInt32? {
            renderer.pixels(
                levels, zoom: 19, left: Int(place.x * size), top: Int(place.y * size), width: 1, height: 1,
                .init(format: .png)
            ).first
        }
        for levels in [[hall.prepared, kiosk.prepared], [kiosk.prepared, hall.prepared]] {
            #expect(pixel(levels) == pixel([kiosk.prepared]))
        }
        #expect(pixel([hall.prepared]) != pixel([kiosk.prepared]))
    }

    @Test(arguments: 17...20)
    func `labels of a site are neither over those of a building nor under it`(zoom: Int) throws {
        let (site, building) = (Self.site().prepared, Self.building().prepared)
        let alone = site.labels(zoom: zoom, language: nil, by: renderer.engine)
        let labels = Self.labels([building, site], zoom: zoom)
        #expect(labels.count == 2)
        for label in building.labels(zoom: zoom, language: nil, by: renderer.engine) { #expect(labels.contains(label)) }
        #expect(!labels.contains(try #require(alone.first)))
        let garden = try #require(labels.first { $0.id == HandmadeLevel.id(901) })
        #expect(!building.facade.contains(Self.box(garden).world(Double(256 << zoom))))
        for (index, label) in labels.enumerated() {
            #expect(!labels[..<index].contains { Self.box($0).overlaps(Self.box(label)) })
        }
        // Levels that do not overlap have the labels that they have alone.
        let elsewhere = HandmadeLevel(500, .init(300, 0, 400, 100)).prepared
        #expect(Self.labels([site, elsewhere], zoom: zoom) == alone)
    }

    @Test func `changed tiles of an ordinal equal a comparison of all tiles, also where a label gives way`() throws {
        let site = Self.site().prepared
        let building = Self.building()
        let states = [
            // The garden's label has less space.
            (building, Self.building(west: 60)), (building, Self.building(shop: "Other shop")), (building, building),
        ]
        for (old, new) in states {
            let (before, after) = ([old.prepared, site], [new.prepared, site])
            guard case .some(let tiles) = try renderer.changedTiles(from: before, to: after, .init(format: .png)) else {
                Issue.record("all tiles are said to differ")
                continue
            }
            let expected = ChangedTilesTests.differing(before, after, .init(format: .png), zooms: 14...19)
            #expect(Set(tiles.filter { (14...19).contains($0.zoom) }) == expected)
        }
        // Another order of painting.
        var outdoor = HandmadeLevel(1, .init(100, 60, 180, 140), outdoor: true)
        outdoor.add(2, .unit, .init(100, 60, 180, 140), ["category": "room"])
        let small = HandmadeLevel(900, .init(0, 0, 200, 200)).prepared
        let states2 = ([building.prepared, small], [outdoor.prepared, small])
        #expect(try renderer.changedTiles(from: states2.0, to: states2.1, .init(format: .png)) == .all)
    }
}
