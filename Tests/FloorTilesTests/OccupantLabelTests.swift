import FloorTiles
import IMDF
import Testing

/// Where the labels of occupants are.
@Suite struct OccupantLabelTests {
    /// A corridor of 200 m with a kiosk near its western end, and a shop with two occupants.
    private static let level: PreparedLevel = {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        level.add(2, .unit, .init(0, 0, 200, 24), ["category": "walkway"])
        level.add(3, .kiosk, .init(20, 8, 28, 16))
        level.addOccupant(10, named: "Coffee", at: Self.coffee, in: 2)
        level.addOccupant(11, named: "Watches", at: Self.watches, in: 2)
        level.add(4, .unit, .init(0, 24, 60, 60), ["category": "room"])
        level.addOccupant(12, named: "Post", at: Self.post, in: 4)
        level.addOccupant(13, named: "Bank", at: Self.bank, in: 4)
        level.add(5, .unit, .init(60, 24, 120, 60), ["category": "room"])
        level.addOccupant(14, named: "Books", at: Self.books, in: 5)
        return level.prepared
    }()
    private static let (coffee, watches) = ((24.0, 12.0), (170.0, 12.0))
    private static let (post, bank) = ((12.0, 45.0), (48.0, 45.0))
    private static let books = (62.0, 26.0)

    private static func label(_ number: UInt64, zoom: Int) throws -> PlacedLabel {
        let labels = Self.level.labels(zoom: zoom, language: nil, by: renderer.engine)
        return try #require(labels.first { $0.id == HandmadeLevel.id(number) }, "\(number), zoom \(zoom)")
    }

    @Test(arguments: 18...22)
    func `an occupant of a kiosk is inside it if there is space, or else beside it`(zoom: Int) throws {
        let label = try Self.label(10, zoom: zoom)
        let (corner, opposite) = (HandmadeLevel.world((20, 16)), HandmadeLevel.world((28, 8)))
        let size = Double(256 << zoom)
        let kiosk = PixelBox(
            left: Int(corner.x * size), top: Int(corner.y * size), width: Int((opposite.x - corner.x) * size),
            height: Int((opposite.y - corner.y) * size))
        let box = PixelBox(left: label.left, top: label.top, width: label.width, height: label.height)
        // It just fits at zoom 19.
        if zoom >= 19 {
            #expect(kiosk.world(size).contains(box.world(size)))
        } else {
            #expect(!kiosk.overlaps(box))
            let around = PixelBox(
                left: kiosk.left - 16, top: kiosk.top - 16, width: kiosk.width + 32, height: kiosk.height + 32)
            #expect(around.overlaps(box))
        }
    }

    @Test(arguments: 18...22)
    func `occupants that share a unit are near their anchors`(zoom: Int) throws {
        for (number, anchor) in [(11, Self.watches), (12, Self.post), (13, Self.bank)] as [(UInt64, (Double, Double))] {
            let label = try Self.label(number, zoom: zoom)
            // The window reaches 8 m to each side.
            #expect(HandmadeLevel.distance(of: label, zoom: zoom, from: anchor) < 12, "\(number)")
        }
    }

    @Test(arguments: 18...22)
    func `the only occupant of a room is in its middle, wherever the anchor is`(zoom: Int) throws {
        let label = try Self.label(14, zoom: zoom)
        #expect(HandmadeLevel.distance(of: label, zoom: zoom, from: (90, 42)) < 3)
    }

    @Test func `label points of vector tiles are at the same places`() throws {
        let points = Dictionary(
            Self.level.exportedFeatures.compactMap { feature -> (String, JSONValue)? in
                guard feature["properties"]?["type"] == "label", let id = feature["properties"]?["id"]?.string else {
                    return nil
                }
                return (id, feature["geometry"]?["coordinates"] ?? .null)
            }
        ) { first, _ in first }
        func expect(_ number: UInt64, within metres: Double, of point: (Double, Double)) throws {
            let position = try #require(points[HandmadeLevel.id(number).description]?.array?.first?.array)
            let world = HandmadeLevel.world(point)
            let longitude = try #require(position[0].number)
            let metre = HandmadeLevel.world((point.0 + 1, point.1)).x - world.x
            #expect(abs((longitude + 180) / 360 - world.x) / metre < metres, "\(number)")
        }
        try expect(10, within: 4, of: Self.coffee)
        try expect(11, within: 9, of: Self.watches)
        try expect(12, within: 9, of: Self.post)
        try expect(13, within: 9, of: Self.bank)
        try expect(14, within: 3, of: (90, 42))
    }

    @Test(arguments: 18...22)
    func `labels keep clear of furniture where they can`(zoom: Int) throws {
        // A stand at the very anchor, and a shop in which shelves leave no place.
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        level.add(2, .unit, .init(0, 0, 200, 24), ["category": "walkway"])
        level.add(3, .fixture, .init(98, 10, 102, 14), ["category": "furniture"])
        level.addOccupant(10, named: "Coffee", at: (100, 12), in: 2)
        level.add(4, .unit, .init(0, 24, 60, 60), ["category": "room"])
        for shelf in 0..<9 {
            let west = 0.2 + 6.65 * Double(shelf)
            level.add(20 + UInt64(shelf), .fixture, .init(west, 24.2, west + 6.4, 59.8), ["category": "furniture"])
        }
        level.addOccupant(11, named: "Books", at: (30, 42), in: 4)
        let labels = level.prepared.labels(zoom: zoom, language: nil, by: renderer.engine)
        let coffee = try #require(labels.first { $0.id == HandmadeLevel.id(10) })
        let (corner, opposite) = (HandmadeLevel.world((98, 14)), HandmadeLevel.world((102, 10)))
        let size = Double(256 << zoom)
        let stand = PixelBox(
            left: Int(corner.x * size), top: Int(corner.y * size), width: Int((opposite.x - corner.x) * size),
            height: Int((opposite.y - corner.y) * size))
        let box = PixelBox(left: coffee.left, top: coffee.top, width: coffee.width, height: coffee.height)
        #expect(!stand.overlaps(box))
        #expect(HandmadeLevel.distance(of: coffee, zoom: zoom, from: (100, 12)) < 12)
        let books = try #require(labels.first { $0.id == HandmadeLevel.id(11) })
        #expect(HandmadeLevel.distance(of: books, zoom: zoom, from: (30, 42)) < 8)
    }

    @Test(
        arguments: [(5.6, ["朝顔クリ", "ニック"]), (6.5, ["朝顔", "クリニック"]), (8.0, ["朝顔", "クリニック"])] as [(Double, [String])])
    func `a name is broken inside a word only if it does not fit otherwise`(width: Double, expected: [String]) throws {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.add(2, .unit, .init(10, 10, 10 + width, 30), ["category": "room"])
        level.addOccupant(10, named: "朝顔クリニック", at: (12, 20), in: 2)
        let label = try #require(level.prepared.labels(zoom: 20, language: nil, by: renderer.engine).first)
        guard case .text(let layout, _, _) = label.content else {
            Issue.record("\(label.content)")
            return
        }
        #expect(layout.lines.map(\.text) == expected)
    }

    @Test func `an occupant whose anchor is far from its unit is in the unit`() throws {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        level.add(2, .unit, .init(0, 0, 200, 24), ["category": "walkway"])
        level.add(3, .unit, .init(20, 30, 60, 54), ["category": "walkway"])
        // 150 m west of the floor, beside the wrong unit, and just outside of the door.
        level.addOccupant(10, named: "Finland", at: (-150, 42), in: 3)
        level.addOccupant(11, named: "Norway", at: (180, 12), in: 3)
        level.addOccupant(12, named: "Sweden", at: (40, 28), in: 3)
        let prepared = level.prepared
        let points = prepared.labels(zoom: 20, language: nil, by: renderer.engine)
        for (number, place) in [(10, (40, 42)), (11, (40, 42)), (12, (40, 28))] as [(UInt64, (Double, Double))] {
            let label = try #require(points.first { $0.id == HandmadeLevel.id(number) }, "\(number)")
            #expect(HandmadeLevel.distance(of: label, zoom: 20, from: place) < 21, "\(number)")
        }
        let entries = prepared.exportedFeatures.filter { $0["properties"]?["type"] == "label" }
        #expect(entries.count == 3)
        for entry in entries {
            let position = try #require(entry["geometry"]?["coordinates"]?.array?.first?.array)
            let x = (try #require(position[0].number) + 180) / 360
            #expect((HandmadeLevel.world((20, 0)).x...HandmadeLevel.world((60, 0)).x).contains(x))
        }
    }
}
