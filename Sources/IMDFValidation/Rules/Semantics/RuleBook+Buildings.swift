import IMDF

extension RuleBook {
    /// SE-07 to SE-09, and SE-12.
    static let buildingRules: [Rule] = [
        .whole(
            "SE-07", .warning, "A building has a name of its own, an address and a display point.",
            source:
                "BuildingHasNoName, BuildingHasNoAddress, BuildingHasNoDisplayPoint, BuildingNameIsNotDistinct, BuildingAltNameShouldBeDistinct, BuildingNameMatchesOccupantName",
            of: [.building], needs: .properties
        ) { examination, remarks in
            var repetitions = Repetitions()
            var alternatives = Repetitions()
            let buildings = examination.features(of: .building, meeting: .properties)
            for building in buildings {
                for property in ["name", "address_id", "display_point"] where building[property] == nil {
                    remarks.add("The building has no \(property).", about: building, path: "/properties")
                }
                if let other = repetitions.earlier(building.labelSet("name"), of: building) {
                    remarks.add(
                        "Building \(other.id) has the same name.", about: building, path: "/properties/name")
                }
                if let other = alternatives.earlier(building.labelSet("alt_name"), of: building) {
                    remarks.add(
                        "Building \(other.id) has the same alt_name.", about: building, path: "/properties/alt_name")
                }
            }
            let names = Dictionary(uniqueKeysWithValues: buildings.map { ($0.id, $0.labelSet("name")) })
            var namesByLevel: [FeatureID: Set<String>] = [:]
            for occupant in examination.features(of: .occupant, meeting: .properties) {
                guard let level = examination.level(of: occupant) else { continue }
                let taken =
                    namesByLevel[level.id]
                    ?? level.ids("building_ids").reduce(into: []) { $0.formUnion(names[$1] ?? []) }
                namesByLevel[level.id] = taken
                guard !taken.isDisjoint(with: occupant.labelSet("name")) else { continue }
                remarks.add("Its building has the name of this occupant.", about: occupant, path: "/properties/name")
            }
        },
        .each(
            "SE-08", .warning, "A building has a ground and an aerial footprint, and one below when it goes below.",
            source: "BuildingHasNoGroundFootprint, BuildingHasNoAerialFootprint, BuildingHasNoSubterraneanFootprint",
            of: [.building]
        ) { building, examination, remarks in
            let categories = Set(
                examination.referrers(to: building, of: .footprint, as: .buildings).compactMap(\.category))
            let isDeep = examination.levels(ofBuilding: building).contains { $0.ordinal ?? 0 < 0 }
            for category in ["ground", "aerial"] + (isDeep ? ["subterranean"] : []) where !categories.contains(category)
            {
                remarks.add("The building has no \(category) footprint.", about: building)
            }
        },
        .whole(
            "SE-09", .warning, "A building has an address of its own, for all of it.",
            source:
                "BuildingReferencesUnitQualifiedAddress, BuildingsHaveSameAddress, BuildingAddressResolvesToVenueAddress",
            of: [.building], needs: .properties
        ) { examination, remarks in
            var seen: [FeatureID: Subject] = [:]
            let venueAddress = examination.venue?.id("address_id")
            for building in examination.features(of: .building, meeting: .properties) {
                guard let address = examination.address(of: building) else { continue }
                let path = "/properties/address_id"
                if address["unit"] != nil {
                    remarks.add("The building's address is that of a unit.", about: building, path: path)
                }
                if let other = seen[address.id] {
                    remarks.add("Building \(other.id) has the same address.", about: building, path: path)
                } else {
                    seen[address.id] = building
                }
                if address.id == venueAddress {
                    remarks.add("The building has the venue's address.", about: building, path: path, severity: .info)
                }
            }
        },
        .each(
            "SE-12", .warning, "What is for parking is so throughout.",
            source:
                "BuildingCategoryShouldBeParking, ParkingBuildingReferencingNonParkingLevel, ParkingLevelShouldContainParkingUnit, ParkingLevelShouldHaveAutomobileOpening, ParkingUnitShouldBeContainedByParkingLevel, ParkingUnitIsNotContainedByParkingLevel",
            of: [.building, .level]
        ) { feature, examination, remarks in
            if feature.type == .building {
                Parking.check(building: feature, examination, &remarks)
            } else {
                Parking.check(level: feature, examination, &remarks)
            }
        },
    ]
}

private enum Parking {
    static func check(building: Subject, _ examination: ValidationContext, _ remarks: inout FindingCollector) {
        let levels = examination.levels(ofBuilding: building)
        let isParking = building.category == "parking"
        if !isParking, !levels.isEmpty, levels.allSatisfy({ $0.category == "parking" }) {
            remarks.add(
                "All levels of the building are for parking, and its category is another.", about: building,
                path: "/properties/category")
        }
        guard isParking else { return }
        for level in levels where level.category != "parking" {
            remarks.add(
                "The building \(building.id) is for parking, and this level of it is not.", about: level,
                path: "/properties/category")
        }
    }

    static func check(level: Subject, _ examination: ValidationContext, _ remarks: inout FindingCollector) {
        let units = examination.features(of: .unit, on: level)
        let parking = units.filter { $0.category == "parking" }
        if level.category == "parking" {
            if parking.isEmpty { remarks.add("The level is for parking and has no parking unit.", about: level) }
            let openings = examination.features(of: .opening, on: level)
            if !openings.contains(where: { $0.category == "automobile" }) {
                remarks.add("The level is for parking and has no opening for automobiles.", about: level)
            }
            return
        }
        guard !parking.isEmpty else { return }
        if units.allSatisfy({ $0.category == "parking" || UnitKind.isStructural($0) }) {
            remarks.add(
                "All units of the level are for parking, and its category is another.", about: level,
                path: "/properties/category")
        } else {
            for unit in parking {
                remarks.add(
                    "The unit is for parking, and its level is not.", about: unit, path: "/properties/category",
                    severity: .info)
            }
        }
    }
}
