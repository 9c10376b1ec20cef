import IMDF

extension SampleVenue {
    /// Moves features by a few meters. Points stay in their unit, fixtures and kiosks in a unit of their level, and units in the
    /// bounding box of their level.
    mutating func move(_ count: Int, using random: inout some RandomNumberGenerator) {
        let indices = self.indicesByID()
        let referenced = self.targets(of: ["unit_id", "unit_ids", "anchor_id", "origin", "intermediary", "destination"])
        let movable = self.indices { feature in
            switch feature.type {
            case .anchor, .amenity: true
            case .fixture, .kiosk: (feature["anchor_id"] ?? .null).isNull
            // A moved unit would no longer contain the features that refer to it.
            case .unit: !referenced.contains(feature.id)
            default: false
            }
        }
        var left = count
        for index in random.sample(movable.count, of: movable) where left > 0 {
            let containers = self.containers(for: self.features[index], in: indices)
            if self.shift(index, within: containers, using: &random) { left -= 1 }
        }
    }

    /// Polygons, one of which has to contain the feature.
    private func containers(for feature: SampleFeature, in indices: [FeatureID: Int]) -> [JSONValue] {
        switch feature.type {
        case .anchor:
            return self.target(of: "unit_id", of: feature, in: indices).map { [$0.geometry] } ?? []
        case .amenity:
            let unit = feature["unit_ids"]?.array?.first?.string.flatMap(FeatureID.init)
            return unit.flatMap { indices[$0] }.map { [self.features[$0].geometry] } ?? []
        case .unit:
            return self.target(of: "level_id", of: feature, in: indices).map { [$0.geometry] } ?? []
        default:
            let level = feature["level_id"]
            return self.features.filter { $0.type == .unit && $0["level_id"] == level }.map(\.geometry)
        }
    }

    /// Moves a feature by one to six meters, if it then still is in one of the containers.
    private mutating func shift(
        _ index: Int, within containers: [JSONValue], using random: inout some RandomNumberGenerator
    ) -> Bool {
        let feature = self.features[index]
        let isPoint = feature.geometry.pointPosition != nil
        let outline = feature.geometry.positions
        guard !outline.isEmpty else { return false }
        for attempt in 0..<24 {
            // Shorter with every attempt. The unit is 10⁻⁷ degrees, about a centimetre.
            let reach = 600 - 20 * attempt
            let east = random.number(in: -reach...reach)
            let north = random.number(in: -reach...reach)
            guard max(abs(east), abs(north)) >= 100 else { continue }
            let fits = containers.contains { container in
                let moved = outline.map { $0.shifted(by: (east, north)) }
                // A fixture at a wall has corners on the wall, so polygons are compared with bounding boxes.
                if isPoint { return moved.allSatisfy(container.encloses) }
                guard let box = GeoBox(container.positions) else { return false }
                return moved.allSatisfy(box.contains)
            }
            guard fits else { continue }
            self.features[index].geometry = feature.geometry.mappingPositions { $0.shifted(by: (east, north)) }
            if let point = feature["display_point"], !point.isNull {
                self.features[index]["display_point"] = point.mappingPositions { $0.shifted(by: (east, north)) }
            }
            return true
        }
        return false
    }

    /// The features that others refer to in any of these members.
    private func targets(of members: [String]) -> Set<FeatureID> {
        let ids = Set(self.features.map(\.id))
        var found: Set<FeatureID> = []
        for feature in self.features {
            let kept = JSONObject(feature.properties.members.filter { members.contains($0.key) })
            let reduced = SampleFeature(id: feature.id, type: feature.type, geometry: .null, properties: kept)
            for reference in reduced.references(among: ids) { found.insert(reference.target) }
        }
        return found
    }

    /// Moves units to another level of their building, or to any other level if the building has only one.
    mutating func relevel(_ count: Int, using random: inout some RandomNumberGenerator) {
        let indices = self.indicesByID()
        let levels = self.indices { $0.type == .level }.map { self.features[$0] }
        let fixed: Set<String?> = [
            "walkway", "opentobelow", "elevator", "escalator", "stairs", "structure", "column", "movingwalkway", "ramp",
        ]
        let units = self.indices { feature in
            feature.type == .unit && !fixed.contains(feature["category"]?.string)
                && self.target(of: "level_id", of: feature, in: indices)?.type == .level
        }
        for index in random.sample(count, of: units) {
            guard let level = self.target(of: "level_id", of: self.features[index], in: indices) else { continue }
            let others = levels.filter { $0.id != level.id }
            let sameBuilding = others.filter { ($0["building_ids"] ?? .null) == (level["building_ids"] ?? .null) }
            let choice = sameBuilding.isEmpty ? others : sameBuilding
            guard !choice.isEmpty else { return }
            self.features[index]["level_id"] = random.element(of: choice).id.value
        }
    }
}
