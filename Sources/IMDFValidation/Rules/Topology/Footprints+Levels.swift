import IMDF

extension Footprints {
    /// The levels and footprints of buildings that share some of them: they can only be compared together.
    private struct Complex {
        var levels: [PlacedFeature] = []
        var footprints: [PlacedFeature] = []
    }

    static func madeUpOfLevels(_ site: Site, _ inspection: inout Inspection) {
        for category in ["ground", "aerial", "subterranean"] {
            inspection.forEach(self.complexes(of: category, on: site)) { complex, inspection in
                let levels = try site.union(of: complex.levels, in: &inspection)
                let footprints = try site.union(of: complex.footprints, in: &inspection)
                let feature = complex.footprints[0].feature
                if let beyond = try site.measure(levels.subtracting(footprints)) {
                    inspection.tell(
                        "\(Measure.squareMetres(beyond.area)) of the building's levels lie outside its \(category) "
                            + "footprint.", beyond, of: feature, on: site)
                }
                if let bare = try site.measure(footprints.subtracting(levels)) {
                    inspection.tell(
                        "On \(Measure.squareMetres(bare.area)) of the \(category) footprint there is no level of the "
                            + "building.", bare, of: feature, on: site)
                }
            }
        }
    }

    /// Those that have both, by the ids of their first footprints.
    private static func complexes(of category: String, on site: Site) -> [Complex] {
        let footprints = site.footprints.filter { $0.feature.text("category") == category }
        let levels = site.levels.filter { $0.feature["outdoor"]?.bool == false && $0.lies(in: category) }
        var groups = BuildingGroups()
        for parcel in footprints + levels { groups.join(parcel.feature.ids("building_ids")) }
        var complexes: [FeatureID: Complex] = [:]
        for footprint in footprints {
            guard let building = footprint.feature.ids("building_ids").first else { continue }
            complexes[groups.leader(of: building), default: Complex()].footprints.append(footprint)
        }
        for level in levels {
            guard let building = level.feature.ids("building_ids").first else { continue }
            complexes[groups.leader(of: building), default: Complex()].levels.append(level)
        }
        return complexes.values.filter { !$0.levels.isEmpty && !$0.footprints.isEmpty }
            .sorted { $0.footprints[0].feature.id < $1.footprints[0].feature.id }
    }
}

/// Buildings that are named together, directly or by way of others.
struct BuildingGroups {
    private var leaders: [FeatureID: FeatureID] = [:]

    mutating func leader(of building: FeatureID) -> FeatureID {
        var leader = building
        while let next = self.leaders[leader], next != leader { leader = next }
        // So that the next search is shorter.
        var member = building
        while let next = self.leaders[member], next != leader {
            self.leaders[member] = leader
            member = next
        }
        return leader
    }

    mutating func join(_ buildings: [FeatureID]) {
        guard let first = buildings.first else { return }
        for other in buildings.dropFirst() {
            let (one, two) = (self.leader(of: first), self.leader(of: other))
            // The smallest id leads, whatever the order.
            if one != two { self.leaders[max(one, two)] = min(one, two) }
        }
    }
}
