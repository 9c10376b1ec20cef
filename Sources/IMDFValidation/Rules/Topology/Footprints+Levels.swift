import IMDF

extension Footprints {
    /// The levels and footprints of buildings that share some of them, which can only be compared together.
    private struct Complex {
        var levels: [PlacedFeature] = []
        var footprints: [PlacedFeature] = []
    }

    static func madeUpOfLevels(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        for category in ["ground", "aerial", "subterranean"] {
            run.forEach(self.complexes(of: category, on: venuePlan)) { complex, run in
                let levels = try venuePlan.union(of: complex.levels, in: &run)
                let footprints = try venuePlan.union(of: complex.footprints, in: &run)
                let feature = complex.footprints[0].feature
                if let beyond = try venuePlan.measure(levels.subtracting(footprints)) {
                    run.report(
                        "\(Measure.squareMetres(beyond.area)) of the building's levels lie outside its \(category) "
                            + "footprint.", beyond, of: feature, on: venuePlan)
                }
                if let uncovered = try venuePlan.measure(footprints.subtracting(levels)) {
                    run.report(
                        "No level of the building covers \(Measure.squareMetres(uncovered.area)) of the \(category) "
                            + "footprint.", uncovered, of: feature, on: venuePlan)
                }
            }
        }
    }

    /// The groups with both, sorted by the id of the first footprint.
    private static func complexes(of category: String, on venuePlan: VenuePlan) -> [Complex] {
        let footprints = venuePlan.footprints.filter { $0.feature.text("category") == category }
        let levels = venuePlan.levels.filter { $0.feature["outdoor"]?.bool == false && $0.lies(in: category) }
        var groups = BuildingGroups()
        for placed in footprints + levels { groups.join(placed.feature.ids("building_ids")) }
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

/// Buildings that features refer to together, directly or by way of other buildings (a union–find structure).
struct BuildingGroups {
    private var leaders: [FeatureID: FeatureID] = [:]

    mutating func leader(of building: FeatureID) -> FeatureID {
        var leader = building
        while let next = self.leaders[leader], next != leader { leader = next }
        // Path compression makes the next search shorter.
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
            // The smallest id is the leader, so that the order does not matter.
            if one != two { self.leaders[max(one, two)] = min(one, two) }
        }
    }
}
