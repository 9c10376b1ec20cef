import Foundation
import IMDF
import Testing

@testable import VenueMap

/// Categories and colours, and their names for all values of IMDF's lists.
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

    @Test(arguments: [
        ("restroom.female", FeatureType.unit, CategoryGroup.restroom), ("elevator", .unit, .vertical),
        ("escalator", .amenity, .vertical), ("walkway", .unit, .walkway), ("parking", .amenity, .parking),
        ("nonpublic", .unit, .nonpublic), ("no such category", .unit, .room), ("", .amenity, .room),
        ("restaurant", .occupant, .food), ("coffee.kiosk", .kiosk, .food), ("bank", .occupant, .service),
        ("no such category", .occupant, .shop), ("", .kiosk, .shop),
        // Prefixes that begin with one of another group.
        ("bar", .occupant, .food), ("barber", .occupant, .service), ("pub.irish", .occupant, .food),
        ("publiclibrary", .occupant, .service), ("teachersupplies", .occupant, .shop),
        ("auto.glass", .occupant, .service), ("auto.parts", .occupant, .shop), ("dayspa", .occupant, .service),
        ("spanish.basque", .occupant, .food),
        ("vietnamese", .occupant, .food), ("lawyer.tax", .occupant, .service), ("parking", .occupant, .parking),
    ])
    func `a category has the group of its longest prefix, by the type of the feature`(
        category: String, type: FeatureType, group: CategoryGroup
    ) {
        #expect(CategoryGroup(category, of: type) == group)
    }

    @Test func `a feature without a category is a shop or a room`() {
        #expect(CategoryGroup(nil, of: .occupant) == .shop && CategoryGroup(nil, of: .unit) == .room)
    }

    @Test func `a prefix belongs to one group`() {
        for prefixes in [Cartography.shared.groups.flatMap(\.units), Cartography.shared.groups.flatMap(\.occupants)] {
            #expect(Dictionary(grouping: prefixes) { $0 }.filter { $0.value.count > 1 }.keys.isEmpty)
        }
    }

    /// Categories of occupants with the words for what their group is.
    @Test func `categories of IMDF's occupants are shops only if they sell things`() throws {
        let categories = try Self.categories("occupant")
        #expect(categories.count > 1_000)
        let groups = Dictionary(grouping: categories) { CategoryGroup($0, of: .occupant) }
        for word in ["school", "clinic", "therapy", "museum", "repair", "surgery", "taxi", "medicine"] {
            let shops = (groups[.shop] ?? []).filter { $0.contains(word) }
            #expect(shops.isEmpty || Set(shops).isSubset(of: Self.shopsWithOtherWords), "\(word): \(shops)")
        }
        for category in groups[.food] ?? [] {
            #expect(!category.hasSuffix("supplies") && !category.hasSuffix("equipment"), "\(category)")
        }
    }

    private static let shopsWithOtherWords: Set = [
        "herbalmedicine", "traditionalchinesemedicine", "flooringinstallationandrepair",
    ]

    @Test func `the legend of the web console has groups of the cartography`() throws {
        let script = try Self.web("map/categories.js")
        let legend = try #require(Self.captures(#"legendGroups = \[(.*)\];"#, in: script).first?[0])
        let groups = try Self.captures(#""([a-z]+)""#, in: legend).map { $0[0] }
        #expect(groups.count >= 10)
        for group in groups { #expect(CategoryGroup(rawValue: group) != nil, "\(group)") }
    }

    @Test func `the palette has a light and a dark colour, and the web console has no colours of its own`() throws {
        #expect(MapPalette.shop.components(inDarkMode: false) == (0xFF, 0xDC, 0xA3))
        #expect(MapPalette.shop.components(inDarkMode: true) == (0x7A, 0x56, 0x20))
        let colors = try Self.captures(#"--map-([a-z]+): (#[0-9a-f]{6});"#, in: Self.web("css/tokens.css"))
        #expect(colors.isEmpty, "\(colors)")
    }

    @Test(arguments: CategoryGroup.allCases)
    func `a group has a name in English and Japanese`(group: CategoryGroup) {
        #expect(group.name(for: ["en"]).first?.isUppercase == true)
        #expect(group.name(for: ["ja-JP"]).unicodeScalars.contains { $0.value >= 0x3040 })
    }

    @Test func `the words that names of categories are divided at are those of the web console`() throws {
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

    @Test func `a category of very many parts has those of its beginning`() {
        #expect(CategoryNames.lineage(of: "food.bakery.cake") == ["food.bakery.cake", "food.bakery", "food"])
        #expect(CategoryNames.lineage(of: "").isEmpty && CategoryNames.lineage(of: ".").count == 1)
        let many = "food." + String(repeating: "a.", count: 60_000)
        let lineage = CategoryNames.lineage(of: many)
        #expect(lineage.count == 49 && lineage.first?.utf8.count == 100 && lineage.last == "food")
        #expect(CategoryNames.lineage(of: String(repeating: "a", count: 101)).isEmpty)
        #expect(CategoryNames.lineage(of: String(repeating: "a", count: 100)).count == 1)
    }

    @Test func `an unknown category has a derived name and the group of its prefix`() {
        #expect(VenueMap.categoryName("japanese.handrolls", of: .occupant) == "Japanese handrolls")
        #expect(VenueMap.categoryName("garden.furniturestore", of: .occupant) == "Garden furniture store")
        #expect(VenueMap.categoryName("oralsurgery", of: .occupant) == "Oral surgery")
        #expect(VenueMap.categoryName("store", of: .occupant) == "Store")
        #expect(VenueMap.categoryName("", of: .occupant) == "")
        #expect(VenueMap.categoryName("restroom.robots.new", of: .unit, for: ["ja"]) == "トイレ")
        #expect(VenueMap.categoryName("robots", of: .unit, for: ["ja"]) == "部屋")
        #expect(VenueMap.categoryName("robots", of: .occupant, for: ["ja"]) == "ショップ")
        #expect(VenueMap.categoryName("lebanese", of: .occupant, for: ["ja"]) == "飲食")
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
