import IMDF

extension SampleVenue {
    /// Opens shops in units of suitable categories, with names in the languages of the existing shops.
    mutating func openShops(_ count: Int, using random: inout some RandomNumberGenerator) {
        let languages = self.occupantName
        let categories: Set<String?> = [
            "unspecified", "foodservice", "room", "office", "lounge", "unenclosedarea", "lobby", "classroom",
        ]
        let units = self.indices { feature in
            feature.type == .unit && categories.contains(feature["category"]?.string) && !feature.geometry.isNull
        }
        guard !units.isEmpty else { return }
        var fresh = FreshIDs(for: self)
        for _ in 0..<count {
            let unit = self.features[random.element(of: units)]
            guard let point = random.point(in: unit.geometry) else { continue }
            let anchor = SampleFeature(
                id: fresh.next(using: &random), type: .anchor,
                geometry: ["coordinates": point.position, "type": "Point"],
                properties: ["address_id": .null, "unit_id": unit.id.value])
            let shop = random.shop()
            let occupant = SampleFeature(
                id: fresh.next(using: &random), type: .occupant, geometry: .null,
                properties: [
                    "anchor_id": anchor.id.value, "category": .string(shop.category), "correlation_id": .null,
                    "hours": .string(shop.hours), "name": shop.name.inLanguages(of: languages),
                    "phone": .string(shop.phone), "validity": .null, "website": .string(shop.website),
                ])
            self.features += [anchor, occupant]
        }
    }

    /// The name of one tenant, for its languages; English and Japanese if there is no tenant.
    private var occupantName: JSONValue {
        let names = self.indices { $0.type == .occupant && $0["name"]?.object != nil }
        return names.first.flatMap { self.features[$0]["name"] } ?? ["en": "", "ja": ""]
    }

    /// Closes shops. Only tenants that no feature refers to are removed.
    mutating func closeShops(_ count: Int, using random: inout some RandomNumberGenerator) {
        let indices = self.indicesByID()
        let ids = Set(indices.keys)
        var uses: [FeatureID: Int] = [:]
        for feature in self.features {
            for reference in feature.references(among: ids) { uses[reference.target, default: 0] += 1 }
        }
        let free = self.indices { $0.type == .occupant && uses[$0.id] == nil }
        var gone: Set<FeatureID> = []
        for index in random.sample(count, of: free) {
            let occupant = self.features[index]
            gone.insert(occupant.id)
            guard let anchor = self.target(of: "anchor_id", of: occupant, in: indices), anchor.type == .anchor
            else { continue }
            uses[anchor.id, default: 1] -= 1
            if uses[anchor.id] == 0 { gone.insert(anchor.id) }
        }
        self.remove(gone)
    }
}
