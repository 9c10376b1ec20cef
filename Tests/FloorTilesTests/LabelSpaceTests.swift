import FloorTiles
import Foundation
import IMDF
import Testing

/// The sizes and turns of names in vector tiles, which styles use.
@Suite struct LabelSpaceTests {
    private static func level() -> HandmadeLevel {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        func name(_ text: String) -> JSONObject { ["category": "room", "name": ["en": .string(text)]] }
        level.add(2, .unit, .init(10, 5, 13, 35), name("Mathematics"))
        level.add(3, .unit, .init(20, 10, 50, 16), name("Mathematics"))
        level.add(4, .unit, .init(60, 10, 66, 16), name("Mathematics"))
        level.add(5, .unit, .init(70, 5, 73, 35), name("12"))
        level.add(6, .unit, .init(80, 0, 110, 30), ["category": "walkway"])
        level.addOccupant(50, named: "Coffee", at: (82, 2), in: 6)
        level.addAmenity(51, "atm", at: (150, 30))
        return level
    }

    /// A property of a label that is a number; nil if the label does not have it.
    private static func number(_ key: String, _ id: UInt64, _ features: [JSONObject]) throws -> Int? {
        try self.label(id, features)["properties"]?[key]?.string.flatMap { Int($0) }
    }

    private static func label(_ id: UInt64, _ features: [JSONObject]) throws -> JSONObject {
        let id = JSONValue.string(HandmadeLevel.id(id).description)
        return try #require(features.first { $0["properties"]?["type"] == "label" && $0["properties"]?["id"] == id })
    }

    @Test func `a name is turned along a narrow room if it is much larger then`() throws {
        let features = Self.level().prepared.exportedFeatures
        #expect(try Self.number("rotate", 2, features) == -90)
        let level = try #require(try Self.number("size", 2, features))
        let turned = try #require(try Self.number("turned_size", 2, features))
        #expect(level > 0 && turned > 4 * level)
        for id in [3, 4, 5, 50] as [UInt64] {
            let size = try Self.number("size", id, features) ?? 0
            #expect(size > 0, "\(id)")
            for key in ["rotate", "turned_size"] { #expect(try Self.number(key, id, features) == nil, "\(id)") }
        }
        #expect(try Self.number("size", 51, features) == nil)
    }

    @Test func `a turned name is in the middle of its room`() throws {
        let label = try Self.label(2, Self.level().prepared.exportedFeatures)
        let position = try #require(label["geometry"]?["coordinates"]?.array?.first?.array)
        let world = HandmadeLevel.world((11.5, 20))
        let metre = HandmadeLevel.world((12.5, 20)).x - world.x
        let longitude = try #require(position[0].number)
        #expect(abs((longitude + 180) / 360 - world.x) / metre < 0.1)
    }

    @Test func `a turned name is at the anchor of a shop if there is as much space`() throws {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        level.add(2, .unit, .init(10, 5, 13, 35), ["category": "room"])
        level.addOccupant(50, named: "Mathematics", at: (11.5, 26), in: 2)
        let features = level.prepared.exportedFeatures
        #expect(try Self.number("rotate", 50, features) == -90)
        let label = try Self.label(50, features)
        let position = try #require(label["geometry"]?["coordinates"]?.array?.first?.array)
        let latitude = try #require(position[1].number) * .pi / 180
        let (anchor, metre) = (HandmadeLevel.world((11.5, 26)), HandmadeLevel.world((12.5, 26)))
        let y = (1 - asinh(tan(latitude)) / .pi) / 2
        #expect(abs(y - anchor.y) / (metre.x - anchor.x) < 0.1)
    }

    @Test func `a name has space from the zoom on at which images show it`() throws {
        let level = Self.level().prepared
        let size = try #require(try Self.number("size", 3, level.exportedFeatures))
        for zoom in 17...20 {
            let labels = level.labels(zoom: zoom, language: nil, by: renderer.engine)
            // 9 pixels is the smallest size of the class.
            let isShown = labels.contains { $0.id == HandmadeLevel.id(3) }
            #expect(isShown == (size >> (22 - zoom) >= 9), "zoom \(zoom)")
        }
    }

    @Test func `a longer name is smaller in the same room`() throws {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        let names = ["Art", "Mathematics", "Mathematicsandphysics", "数学", "数学科学研究センター資料室"]
        for (index, name) in names.enumerated() {
            let west = 10 + 30 * Double(index)
            level.add(
                UInt64(10 + index), .unit, .init(west, 10, west + 20, 30),
                ["category": "room", "name": ["en": .string(name)]])
        }
        let features = level.prepared.exportedFeatures
        let sizes = try names.indices.map { index in
            try #require(try Self.number("size", UInt64(10 + index), features))
        }
        #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2] && sizes[3] > sizes[4], "\(sizes)")
    }
}
