import IMDF

extension RuleBook {
    /// SE-07 to SE-09, and SE-12.
    static let buildingRules: [Rule] = [
        .whole(
            "SE-07", .warning, "A building has a unique name, an address and a display point.",
            source:
                "BuildingHasNoName, BuildingHasNoAddress, BuildingHasNoDisplayPoint, BuildingNameIsNotDistinct, BuildingAltNameShouldBeDistinct, BuildingNameMatchesOccupantName",
            of: [.building], needs: .properties
        ) { context, run in
            var duplicates = DuplicateFinder()
            var alternatives = DuplicateFinder()
            let buildings = context.features(of: .building, meeting: .properties)
            for building in buildings {
                for property in ["name", "address_id", "display_point"] where building[property] == nil {
                    run.add("The building has no \(property).", about: building, path: "/properties")
                }
                if let other = duplicates.earlier(building.labelSet("name"), of: building) {
                    run.add(
                        "Building \(other.id) has the same name.", about: building, path: "/properties/name")
                }
                if let other = alternatives.earlier(building.labelSet("alt_name"), of: building) {
                    run.add(
                        "Building \(other.id) has the same alt_name.", about: building, path: "/properties/alt_name")
                }
            }
            let names = Dictionary(uniqueKeysWithValues: buildings.map { ($0.id, $0.labelSet("name")) })
            var namesByLevel: [FeatureID: Set<String>] = [:]
            for occupant in context.features(of: .occupant, meeting: .properties) {
                guard let level = context.level(of: occupant) else { continue }
                if namesByLevel[level.id] == nil {
                    try run.spend(reading: level)
                    var ofBuildings: Set<String> = []
                    for building in level.ids("building_ids").compactMap({ context.feature($0, .building) }) {
                        try run.spend(reading: building)
                        ofBuildings.formUnion(names[building.id] ?? [])
                    }
                    namesByLevel[level.id] = ofBuildings
                }
                guard namesByLevel[level.id]?.isDisjoint(with: occupant.labelSet("name")) == false else { continue }
                run.add("The building has the same name as this occupant.", about: occupant, path: "/properties/name")
            }
        },
        .each(
            "SE-08", .warning,
            "A building has a ground and an aerial footprint and, if it has levels below ground, a subterranean one.",
            source: "BuildingHasNoGroundFootprint, BuildingHasNoAerialFootprint, BuildingHasNoSubterraneanFootprint",
            of: [.building]
        ) { building, context, run in
            let categories = Set(
                try context.referrers(to: building, of: .footprint, as: .buildings, in: run).compactMap(\.category))
            let isDeep = try context.levels(ofBuilding: building, in: run).contains { $0.ordinal ?? 0 < 0 }
            for category in ["ground", "aerial"] + (isDeep ? ["subterranean"] : []) where !categories.contains(category)
            {
                run.add("The building has no \(category) footprint.", about: building)
            }
        },
        .whole(
            "SE-09", .warning, "A building has a unique address without a unit.",
            source:
                "BuildingReferencesUnitQualifiedAddress, BuildingsHaveSameAddress, BuildingAddressResolvesToVenueAddress",
            of: [.building], needs: .properties
        ) { context, run in
            var seen: [FeatureID: ValidationFeature] = [:]
            let venueAddress = context.venue?.id("address_id")
            for building in context.features(of: .building, meeting: .properties) {
                guard let address = context.address(of: building) else { continue }
                let path = "/properties/address_id"
                if address["unit"] != nil {
                    run.add("The building's address has a unit.", about: building, path: path)
                }
                if let other = seen[address.id] {
                    run.add("Building \(other.id) has the same address.", about: building, path: path)
                } else {
                    seen[address.id] = building
                }
                if address.id == venueAddress {
                    run.add(
                        "The building has the same address as the venue.", about: building, path: path, severity: .info)
                }
            }
        },
        .each(
            "SE-12", .warning, "Parking buildings consist of parking levels, and parking levels of parking units.",
            source:
                "BuildingCategoryShouldBeParking, ParkingBuildingReferencingNonParkingLevel, ParkingLevelShouldContainParkingUnit, ParkingLevelShouldHaveAutomobileOpening, ParkingUnitShouldBeContainedByParkingLevel, ParkingUnitIsNotContainedByParkingLevel",
            of: [.building, .level]
        ) { feature, context, run in
            if feature.type == .building {
                try Parking.check(building: feature, context, &run)
            } else {
                try Parking.check(level: feature, context, &run)
            }
        },
    ]
}

private enum Parking {
    static func check(building: ValidationFeature, _ context: ValidationContext, _ run: inout RuleRun) throws {
        let levels = try context.levels(ofBuilding: building, in: run)
        let isParking = building.category == "parking"
        if !isParking, !levels.isEmpty, levels.allSatisfy({ $0.category == "parking" }) {
            run.add(
                "All levels of the building have the category parking; the building does not.", about: building,
                path: "/properties/category")
        }
        guard isParking else { return }
        for level in levels where level.category != "parking" {
            run.add(
                "Building \(building.id) has the category parking; this level of it does not.", about: level,
                path: "/properties/category")
        }
    }

    static func check(level: ValidationFeature, _ context: ValidationContext, _ run: inout RuleRun) throws {
        let units = try context.features(of: .unit, on: level, in: run)
        let parking = units.filter { $0.category == "parking" }
        if level.category == "parking" {
            if parking.isEmpty { run.add("The level has the category parking and no parking unit.", about: level) }
            let openings = try context.features(of: .opening, on: level, in: run)
            if !openings.contains(where: { $0.category == "automobile" }) {
                run.add("The level has the category parking and no opening of category automobile.", about: level)
            }
            return
        }
        guard !parking.isEmpty else { return }
        if units.allSatisfy({ $0.category == "parking" || UnitKind.isStructural($0) }) {
            run.add(
                "All units of the level have the category parking; the level does not.", about: level,
                path: "/properties/category")
        } else {
            for unit in parking {
                run.add(
                    "The unit has the category parking; its level does not.", about: unit, path: "/properties/category",
                    severity: .info)
            }
        }
    }
}
