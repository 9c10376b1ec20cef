import Foundation
import IMDF
import Testing
import VenueMap

/// Categories and colours, compared with those of the web console and with IMDF's lists.
@Suite struct CategoryTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardizedFileURL

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
    }

    private static func web(_ path: String) throws -> String { try Self.text("WebConsole/Web/\(path)") }

    /// The values of IMDF's list of a feature type.
    private static func categories(_ type: String) throws -> [String] {
        try Self.text("IMDFValidation/Categories/\(type).txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .flatMap { $0.split(separator: " ").map(String.init) }
    }

    /// What a regular expression captures, for each match.
    private static func captures(_ pattern: String, in text: String) throws -> [[String]] {
        let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (1..<match.numberOfRanges).map { Range(match.range(at: $0), in: text).map { String(text[$0]) } ?? "" }
        }
    }

    private static func matches(_ pattern: String, _ text: String) -> Bool {
        text.range(of: pattern, options: .regularExpression) != nil
    }

    @Test func `categories have the groups of the web console`() throws {
        let script = try Self.web("map/categories.js")
        let unitGroups = try Self.captures(#"^    \[/(.*)/, "([a-z]+)"\],"#, in: script)
        let food = try #require(Self.captures(#"^const food = /(.*)/;"#, in: script).first?[0])
        let service = try #require(Self.captures(#"^const service = /(.*)/;"#, in: script).first?[0])
        let room = try #require(Self.captures(#"if \(/(\^\(auditorium.*)/\.test"#, in: script).first?[0])
        #expect(unitGroups.count == 9)

        let listed = try ["unit", "amenity", "section", "fixture", "occupant"].flatMap { try Self.categories($0) }
        #expect(listed.count > 1_000)
        for category in Set(listed + ["", "no such category", "restroomy", "barber", "coffee.kiosk"]) {
            let unit = unitGroups.first { Self.matches($0[0], category) }?[1] ?? "room"
            #expect(CategoryGroup(category, of: .unit).rawValue == unit, "\(category)")
            #expect(CategoryGroup(category, of: .amenity).rawValue == unit, "\(category)")
            let occupant =
                Self.matches(food, category)
                ? "food" : Self.matches(room, category) ? "room" : Self.matches(service, category) ? "service" : "shop"
            #expect(CategoryGroup(category, of: .occupant).rawValue == occupant, "\(category)")
            #expect(CategoryGroup(category, of: .kiosk).rawValue == occupant, "\(category)")
        }
        #expect(CategoryGroup(nil, of: .occupant) == .shop && CategoryGroup(nil, of: .unit) == .room)
        let legend = try #require(Self.captures(#"legendGroups = \[(.*)\];"#, in: script).first?[0])
        for group in try Self.captures(#""([a-z]+)""#, in: legend) { #expect(CategoryGroup(rawValue: group[0]) != nil) }
    }

    @Test func `the palette has the colours of the web console, light and dark`() throws {
        let colours = try Self.captures(#"--map-([a-z]+): (#[0-9a-f]{6});"#, in: Self.web("css/tokens.css"))
        let names = try Self.captures(#""([a-z]+)""#, in: Self.web("map/colours.js")).map { $0[0] }.filter {
            $0 != "change"
        }
        #expect(Set(names) == Set(MapPalette.all.keys))
        #expect(colours.count == 2 * MapPalette.all.count)
        for (name, color) in MapPalette.all {
            #expect(colours.filter { $0[0] == name }.map { $0[1] } == [color.light, color.dark], "\(name)")
        }
        #expect(MapPalette.shop.components(inDarkMode: false) == (0xFF, 0xDC, 0xA3))
        #expect(MapPalette.shop.components(inDarkMode: true) == (0x7A, 0x56, 0x20))
    }

    @Test(arguments: [("en", "en"), ("ja", "ja-JP")])
    func `names of categories and groups are those of the web console`(file: String, language: String) throws {
        let script = try Self.web("localization/\(file).js")
        let groups = try Self.captures(#""group\.([a-z]+)": "(.*)""#, in: script)
        #expect(groups.count == CategoryGroup.allCases.count)
        for group in groups { #expect(CategoryGroup(rawValue: group[0])?.name(for: [language]) == group[1]) }
        let names = try Self.captures(#""category\.([a-z.]+)": "(.*)""#, in: script)
        #expect(names.count > 20)
        for name in names {
            #expect(VenueMap.categoryName(name[0], of: .occupant, for: ["fr", language, "en"]) == name[1])
        }
        let naming = try Self.web("client/categories/category-name.js")
        let lastWords = try #require(Self.captures(#"lastWord = /\(\[a-z\]\)\((.*)\)\$/"#, in: naming).first?[0])
        for word in lastWords.split(separator: "|") {
            #expect(VenueMap.categoryName("xyz\(word)", of: .occupant) == "Xyz \(word)")
        }
    }

    @Test func `every category of IMDF has a name in English and Japanese`() throws {
        let types = [
            "unit", "amenity", "section", "fixture", "opening", "level", "venue", "footprint", "geofence", "building",
        ]
        for category in try types.flatMap({ try Self.categories($0) }) {
            let english = VenueMap.categoryName(category, of: .unit)
            let japanese = VenueMap.categoryName(category, of: .unit, for: ["ja"])
            #expect(english.first?.isUppercase == true && !english.contains("."), "\(category)")
            let hasJapanese = japanese.unicodeScalars.contains { $0.value >= 0x3040 }
            #expect(hasJapanese || ["ATM", "AED", "Wi-Fi"].contains(japanese), "\(category): \(japanese)")
            // Not a fallback: subcategories have names of their own.
            guard let parent = category.lastIndex(of: ".") else { continue }
            #expect(
                VenueMap.categoryName(String(category[..<parent]), of: .unit, for: ["ja"]) != japanese, "\(category)")
        }
    }

    @Test func `an unknown category has a derived name and the group of its prefix`() {
        #expect(VenueMap.categoryName("japanese.tonkatsu", of: .occupant) == "Japanese tonkatsu")
        #expect(VenueMap.categoryName("garden.furniturestore", of: .occupant) == "Garden furniture store")
        #expect(VenueMap.categoryName("store", of: .occupant) == "Store")
        #expect(VenueMap.categoryName("", of: .occupant) == "")
        #expect(VenueMap.categoryName("restroom.robots.new", of: .unit, for: ["ja"]) == "トイレ")
        #expect(VenueMap.categoryName("robots", of: .unit, for: ["ja"]) == "部屋")
        #expect(VenueMap.categoryName("robots", of: .occupant, for: ["ja"]) == "ショップ")
        #expect(CategoryGroup("restroom.robots", of: .unit) == .restroom)
    }

    @Test func `a unit has the colour of its occupant if it can be occupied`() {
        func map(_ unit: JSONValue) -> VenueMap {
            VenueMap([
                .init(10, .unit, ["category": unit]), .init(20, .anchor, ["unit_id": Make.id(10)]),
                .init(21, .occupant, ["anchor_id": Make.id(20), "category": "cafe"]),
            ])
        }
        #expect(map("room").style(of: FeatureID(10))?.fill == MapPalette.food)
        #expect(map("unspecified").style(of: FeatureID(10))?.group == .food)
        #expect(map("walkway").style(of: FeatureID(10))?.fill == MapPalette.walkway)
        #expect(map("opentobelow").style(of: FeatureID(10))?.fill == MapPalette.footprint)
        #expect(map("room").style(of: FeatureID(21))?.fill == nil)
        #expect(map("room").style(of: FeatureID(99)) == nil)
        let styles = [.occupant, .amenity, .kiosk, .unit, .fixture].map { FeatureStyle(of: $0, category: nil) }
        #expect(styles.map(\.labelPriority) == [0, 1, 2, 3, 4])
        #expect(FeatureStyle(of: FeatureType(rawValue: "attraction"), category: "x").outline == MapPalette.wall)
    }
}
