import IMDF

extension Label {
    /// The label in the languages of another name: Japanese for Japanese, English for every other language.
    func inLanguages(of name: JSONValue) -> JSONValue {
        guard let object = name.object, !object.members.isEmpty else { return .string(self.english) }
        return .object(
            JSONObject(
                object.members.map { member in
                    let text = member.key.hasPrefix("ja") ? self.japanese : self.english
                    return JSONObject.Member(key: member.key, value: .string(text))
                }))
    }
}

extension RandomNumberGenerator {
    /// Draws values until one differs from the old one.
    fileprivate mutating func other(than old: JSONValue?, _ draw: (inout Self) -> JSONValue) -> JSONValue {
        while true {
            let value = draw(&self)
            if value != old { return value }
        }
    }
}

extension SampleVenue {
    mutating func rename(_ count: Int, using random: inout some RandomNumberGenerator) {
        let named = self.indices { feature in
            guard feature.type == .occupant || feature.type == .unit, let name = feature["name"] else { return false }
            return !name.isNull
        }
        for index in random.sample(count, of: named) {
            let old = self.features[index]["name"] ?? .null
            let isUnit = self.features[index].type == .unit
            self.features[index]["name"] = random.other(than: old) { random in
                guard isUnit else { return random.shop().name.inLanguages(of: old) }
                let first = random.element(of: ShopNames.first)
                return Label("\(first.0) Hall", "\(first.1)ホール").inLanguages(of: old)
            }
        }
    }

    /// Categories that can replace each other. Lifts and other fixed installations are not among them.
    private static let exchangeable: [FeatureType: [String]] = [
        .occupant: ShopNames.kinds.map(\.category),
        .unit: ["foodservice", "lounge", "nonpublic", "office", "room", "storage", "unspecified"],
        .amenity: [
            "atm", "coinlocker", "drinkingfountain", "photobooth", "powerchargingstation", "seat", "vendingmachine",
        ],
    ]

    mutating func recategorise(_ count: Int, using random: inout some RandomNumberGenerator) {
        let fitting = self.indices { feature in
            guard let categories = Self.exchangeable[feature.type] else { return false }
            // Correlated features must have the same category.
            guard (feature["correlation_id"] ?? .null).isNull else { return false }
            return feature.type == .occupant || categories.contains(feature["category"]?.string ?? "")
        }
        for index in random.sample(count, of: fitting) {
            let categories = Self.exchangeable[self.features[index].type] ?? []
            self.features[index]["category"] = random.other(than: self.features[index]["category"]) { random in
                .string(random.element(of: categories))
            }
        }
    }

    mutating func changeHours(_ count: Int, using random: inout some RandomNumberGenerator) {
        let fitting = self.indices { feature in
            feature.type == .occupant || feature.type == .amenity && feature["hours"]?.string != nil
        }
        for index in random.sample(count, of: fitting) {
            self.features[index]["hours"] = random.other(than: self.features[index]["hours"]) { random in
                .string(random.openingHours())
            }
        }
    }

    /// Replaces occupants by amenities with the same id at the same position, as producers do that reuse ids.
    mutating func retype(_ count: Int, using random: inout some RandomNumberGenerator) {
        let indices = self.indicesByID()
        let fitting = self.indices { feature in
            feature.type == .occupant && (feature["correlation_id"] ?? .null).isNull
                && self.target(of: "anchor_id", of: feature, in: indices)?["unit_id"]?.string != nil
        }
        for index in random.sample(count, of: fitting) {
            let occupant = self.features[index]
            guard let anchor = self.target(of: "anchor_id", of: occupant, in: indices) else { continue }
            var properties: JSONObject = [
                "accessibility": .null, "address_id": .null, "alt_name": .null, "category": "service",
                "correlation_id": .null,
            ]
            for member in ["hours", "name", "phone", "website"] { properties[member] = occupant[member] ?? .null }
            properties["unit_ids"] = .array([anchor["unit_id"] ?? .null])
            self.features[index] = SampleFeature(
                id: occupant.id, type: .amenity, geometry: anchor.geometry, properties: properties)
        }
    }
}
