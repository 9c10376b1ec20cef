import IMDF
import SampleVenue
import TestSupport

/// A sequence of steps, each of which may be refused.
struct EditStory {
    enum Step {
        /// With what becomes of the upload if it is staged.
        case upload([Int: JSONValue], isPublished: Bool)
        /// The features of the last upload, some of them under new ids.
        case remint([Int: JSONValue], ids: [Int: Int])
        /// Edits have the hour at which they end, if they do.
        case patch(Int, JSONValue, until: Int?)
        case add(Int, JSONValue, until: Int?)
        case hide(Int, until: Int?)
        case show(Int), revert(Int)
        case resolve(Int, String, String)
        /// It is that hour.
        case expire(Int)
        case rollback(Int)
        case rollbackLevel(Int, Int)
    }

    let mode: String
    var steps: [Step] = []

    /// Occupants, and amenities, which have a position.
    private static let shops = [6, 7, 9, 20, 21], amenities = [30, 31]
    static let levels = [EditedVenue.level, 40]
    private static let units = [EditedVenue.unit, 41], anchors = [EditedVenue.anchor, 42]
    private static let pointers = [
        "/properties/hours", "/properties/phone", "/properties/name/en", "/properties/name/ja", "/properties/category",
        "/properties/anchor_id", "/geometry", "",
    ]
    private static let hours: [JSONValue] = ["24/7", "off", "Mo-Fr 10:00-20:00"]
    private static let phones: [JSONValue] = ["+81312345678", "+81312345679"]
    private static let categories: [JSONValue] = ["restaurant", "shoestore"]
    private static let names = ["A", "B", "C"]

    /// The levels of the features that others refer to.
    static var levelsOfTargets: [Int: Int] {
        var levels: [Int: Int] = [:]
        for (index, level) in Self.levels.enumerated() {
            levels[Self.units[index]] = level
            levels[Self.anchors[index]] = level
        }
        return levels
    }

    init(using random: inout SplitMix64) {
        self.mode = ["keep", "keep", "yield", "ask"].randomElement(using: &random) ?? "keep"
        var source = Self.building()
        for shop in Self.shops.prefix(3) + Self.amenities.prefix(1) { source[shop] = Self.shop(shop, using: &random) }
        self.steps.append(.upload(source, isPublished: true))
        for _ in 0..<Int.random(in: 6..<16, using: &random) {
            self.steps.append(Self.step(&source, after: self.steps, using: &random))
        }
    }

    /// What never changes: a venue with two levels, each with a unit and an anchor.
    private static func building() -> [Int: JSONValue] {
        var features = EditedVenue().features
        for number in [EditedVenue.shop, EditedVenue.cafe, EditedVenue.annex] { features[number] = nil }
        features[Self.levels[1]] = Handmade.feature(
            Self.levels[1], .level,
            [
                "name": ["en": "First"], "short_name": ["en": "1"], "ordinal": 1, "outdoor": false,
                "category": "unspecified",
            ], geometry: Handmade.square())
        features[Self.units[1]] = Handmade.feature(
            Self.units[1], .unit, ["category": "retail", "level_id": Handmade.reference(Self.levels[1])],
            geometry: Handmade.square(0.0006))
        features[Self.anchors[1]] = Handmade.feature(
            Self.anchors[1], .anchor, ["unit_id": Handmade.reference(Self.units[1]), "address_id": .null],
            geometry: Handmade.point)
        return features
    }

    private static func step(
        _ source: inout [Int: JSONValue], after steps: [Step], using random: inout SplitMix64
    ) -> Step {
        let shop = (self.shops + self.amenities).randomElement(using: &random) ?? 6
        let revision = Int.random(in: 1...max(1, steps.count), using: &random)
        let hour = steps.lazy.compactMap { if case .expire(let hour) = $0 { hour } else { nil } }.max() ?? 0
        let until = Int.random(in: 0..<5, using: &random) < 2 ? hour + Int.random(in: 1...5, using: &random) : nil
        switch Int.random(in: 0..<26, using: &random) {
        case 0..<5: return self.upload(&source, using: &random)
        case 5..<12: return .patch(shop, self.patch(of: shop, using: &random), until: until)
        case 12: return .add(shop, self.shop(shop, using: &random), until: until)
        case 13, 14: return .hide(shop, until: until)
        case 15: return .show(shop)
        case 16: return .revert(shop)
        case 17, 18:
            return .resolve(
                shop, self.pointers.randomElement(using: &random) ?? "",
                ["mine", "source", "end"].randomElement(using: &random) ?? "end")
        case 19, 23, 24: return .expire(hour + Int.random(in: 1...3, using: &random))
        case 20: return .rollback(revision)
        case 21, 22: return .rollbackLevel(revision, self.levels.randomElement(using: &random) ?? 3)
        default: return self.remint(source, after: steps, using: &random)
        }
    }

    private static func upload(_ source: inout [Int: JSONValue], using random: inout SplitMix64) -> Step {
        var next = source
        for shop in self.shops + self.amenities where Int.random(in: 0..<3, using: &random) == 0 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                next.removeValue(forKey: shop)
            } else {
                next[shop] = self.shop(shop, using: &random)
            }
        }
        source = next
        return .upload(next, isPublished: Bool.random(using: &random))
    }

    /// New ids are only recognized with certainty while the venue is as the last upload left it.
    private static func remint(
        _ source: [Int: JSONValue], after steps: [Step], using random: inout SplitMix64
    ) -> Step {
        let last = steps.lastIndex { step in
            switch step {
            case .upload(_, isPublished: true), .remint: true
            default: false
            }
        }
        let isAsLast = steps[(last ?? 0)...].allSatisfy { step in
            switch step {
            case .rollback, .rollbackLevel, .upload(_, isPublished: false): false
            default: true
            }
        }
        let shops = (self.shops + self.amenities).filter { source[$0] != nil && Bool.random(using: &random) }
        guard isAsLast else { return .upload(source, isPublished: true) }
        let number = 1_000 + 100 * steps.count
        return .remint(source, ids: Dictionary(uniqueKeysWithValues: shops.map { ($0, number + $0) }))
    }

    /// A feature with a name that no other one has.
    private static func shop(_ number: Int, using random: inout SplitMix64) -> JSONValue {
        var properties: JSONObject = [
            "name": ["en": self.name(of: number, using: &random)],
            "category": self.categories.randomElement(using: &random) ?? "shoestore",
        ]
        if Bool.random(using: &random) { properties["hours"] = self.hours.randomElement(using: &random) ?? "off" }
        if Bool.random(using: &random) { properties["phone"] = self.phones.randomElement(using: &random) ?? "off" }
        guard self.amenities.contains(number) else {
            properties["anchor_id"] = self.anchor(using: &random)
            return Handmade.feature(number, .occupant, .object(properties))
        }
        let unit = self.units.randomElement(using: &random) ?? EditedVenue.unit
        properties["unit_ids"] = [Handmade.reference(unit)]
        return Handmade.feature(number, .amenity, .object(properties), geometry: self.point(using: &random))
    }

    private static func name(of number: Int, using random: inout SplitMix64) -> JSONValue {
        .string("\(self.names.randomElement(using: &random) ?? "A")\(number)")
    }

    private static func anchor(using random: inout SplitMix64) -> JSONValue {
        Handmade.reference(self.anchors.randomElement(using: &random) ?? EditedVenue.anchor)
    }

    private static func point(using random: inout SplitMix64) -> JSONValue {
        let step = Double(Int.random(in: 1...3, using: &random))
        return ["type": "Point", "coordinates": [.number(139.7 + step / 10_000), 35.6002]]
    }

    private static func patch(of number: Int, using random: inout SplitMix64) -> JSONValue {
        var properties: JSONObject = [:]
        let isAmenity = self.amenities.contains(number)
        if isAmenity, Bool.random(using: &random) { return ["geometry": self.point(using: &random)] }
        if !isAmenity, Int.random(in: 0..<5, using: &random) == 0 {
            properties["anchor_id"] = self.anchor(using: &random)
        }
        if Bool.random(using: &random) {
            properties["hours"] = Bool.random(using: &random) ? .some(.null) : self.hours.randomElement(using: &random)
        }
        if Bool.random(using: &random) { properties["phone"] = self.phones.randomElement(using: &random) }
        if Bool.random(using: &random) {
            let language = Bool.random(using: &random) ? "ja" : "en"
            let isRemoved = language == "ja" && Bool.random(using: &random)
            properties["name"] = .object([language: isRemoved ? .null : self.name(of: number, using: &random)])
        }
        if properties.members.isEmpty { properties["category"] = self.categories.randomElement(using: &random) }
        return ["properties": .object(properties)]
    }
}
