import IMDF
import Testing
import VenueMap

@Suite struct MapAppearanceTests {
    private static let map = VenueMap([
        .init(2, .level, ["ordinal": 0, "category": "parking"]),
        .init(10, .unit, on: 2, ["category": "parking.bicycle"]),
        .init(11, .unit, on: 2, ["category": "room"]), .init(12, .unit, on: 2, ["category": "parkinglot"]),
        .init(20, .anchor, ["unit_id": Make.id(11)]),
        .init(21, .occupant, ["anchor_id": Make.id(20), "category": "restaurant.sushi"]),
    ])

    @Test func `a category includes its subcategories, and levels are never hidden`() throws {
        let appearance = try MapAppearance(["hidden": ["parking"]])
        #expect(Self.map.features(hiddenBy: appearance) == [FeatureID(10)])
        #expect(Self.map.features(hiddenBy: try MapAppearance([:])) == [])
    }

    @Test func `colour of a unit is that of its occupant's category, of a longer category first, then of the group`()
        throws
    {
        func key(_ colours: JSONValue, _ id: Int) throws -> String? {
            Self.map.colorKey(of: FeatureID(id), in: try MapAppearance(["colours": colours]))
        }
        #expect(try key(["restaurant": "#000000", "restaurant.sushi": "#ffffff"], 11) == "restaurant.sushi")
        #expect(try key(["restaurant": "#000000", "room": "#ffffff"], 11) == "restaurant")
        #expect(try key(["food": "#000000", "room": "#ffffff"], 11) == "food")
        #expect(try key(["shop": "#000000"], 11) == nil)
        #expect(try key(["parking": "#000000"], 10) == "parking")
    }

    @Test func `colours have one value for both modes, or two`() throws {
        let appearance = try MapAppearance([
            "colours": ["a": "#AABBCC", "b": ["light": "#000000", "dark": "#ffffff"]], "accent": "#123456",
            "logo": "https://example.com:8443/logo.svg?v=2",
        ])
        #expect(appearance.colors["a"]?.light == "#aabbcc" && appearance.colors["a"]?.dark == "#aabbcc")
        #expect(appearance.colors["b"]?.light == "#000000" && appearance.colors["b"]?.dark == "#ffffff")
    }

    @Test(
        arguments: [
            (1, ""), (["colors": [:]], "/colors"), (["colours": []], "/colours"),
            (["colours": ["a": "red"]], "/colours/a"),
            (["colours": ["a": "#12345g"]], "/colours/a"), (["colours": ["a/b~": "#1234567"]], "/colours/a~1b~0"),
            (["colours": ["a": ["light": "#000000"]]], "/colours/a/dark"), (["colours": ["": "#000000"]], "/colours/"),
            (["colours": ["a": ["light": "#000000", "dark": "#000000", "x": 1]]], "/colours/a/x"),
            (["hidden": "a"], "/hidden"), (["hidden": ["a", 1]], "/hidden/1"), (["hidden": ["a\nb"]], "/hidden/0"),
            (["accent": nil], "/accent"), (["logo": "http://example.com/x"], "/logo"),
            (["logo": "https://example.com/ x"], "/logo"), (["logo": "javascript:alert(1)"], "/logo"),
        ] as [(JSONValue, String)])
    func `a fault has a JSON pointer`(value: JSONValue, pointer: String) {
        #expect { try MapAppearance(value) } throws: { ($0 as? SettingFault)?.pointer == pointer }
    }
}
