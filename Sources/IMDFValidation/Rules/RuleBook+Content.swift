import IMDF

extension RuleBook {
    /// Required content by type.
    static let content: [Rule] = ownContent + requiredReferences + referredTo + levelsAndBuildings

    private static let ownContent: [Rule] = [
        .each(
            "RQ-01", .error, "A feature of a type with categories has one.", source: "{T}MustHaveCategory",
            of: FeatureType.standard.filter { CategoryList.byType[$0] != nil }
        ) { feature, _, run in
            guard feature["category"] == nil else { return }
            run.add("The \(feature.type.noun) has no category.", about: feature, path: "/properties")
        },
        .each(
            "RQ-02", .error, "A category is listed for its type.", source: "{T}CategoryMustBeValid",
            of: FeatureType.standard.filter { CategoryList.byType[$0] != nil }
        ) { feature, context, run in
            guard let list = CategoryList.byType[feature.type], let category = feature["category"],
                category.string.map(list.contains) != true
            else { return }
            run.add(
                "\(category.string.map { DisplayText.quoted($0) } ?? "The value") is not a category of \(feature.type.article).",
                about: feature, path: "/properties/category",
                // An extension may define more categories and does not list them.
                severity: context.hasExtension && category.string != nil ? .warning : .error)
        },
        .each(
            "RQ-03", .error, "Levels, occupants and the venue have a name.",
            source: "LevelMustHaveName, OccupantMustHaveName, VenueMustHaveName", of: [.level, .occupant, .venue]
        ) { feature, _, run in
            Content.require("name", of: feature, &run)
        },
        .each(
            "RQ-04", .error, "A level has a short name and an ordinal.",
            source: "LevelMustHaveShortName, LevelMustHaveOrdinal", of: [.level]
        ) { feature, _, run in
            for property in ["short_name", "ordinal"] { Content.require(property, of: feature, &run) }
        },
    ]

    private static let requiredReferences: [Rule] = [
        .each(
            "RQ-05", .error, "A section, unit, kiosk, fixture, detail or opening refers to a level.",
            source: "{T}MustReferenceLevel",
            of: [.section, .unit, .kiosk, .fixture, .detail, .opening]
        ) { feature, _, run in
            Content.require("level_id", of: feature, &run)
        },
        .each(
            "RQ-06", .error, "An amenity refers to units, an anchor to a unit.",
            source: "AmenityMustReferenceUnit, AnchorMustReferenceUnit", of: [.anchor, .amenity]
        ) { feature, _, run in
            Content.require(feature.type == .anchor ? "unit_id" : "unit_ids", of: feature, &run)
        },
        .each(
            "RQ-07", .error, "An occupant refers to an anchor.", source: "OccupantMustReferenceAnchor", of: [.occupant]
        ) {
            feature, _, run in
            Content.require("anchor_id", of: feature, &run)
        },
        .each(
            "RQ-08", .error, "A footprint refers to buildings.", source: "FootprintMustReferenceBuilding",
            of: [.footprint]
        ) { feature, _, run in
            Content.require("building_ids", of: feature, &run)
        },
        .each(
            "RQ-09", .error, "A geofence refers to levels or buildings.",
            source: "GeofenceMustHaveLevelOrBuildingReference", of: [.geofence]
        ) { feature, _, run in
            guard Content.isMissing("level_ids", of: feature), Content.isMissing("building_ids", of: feature)
            else { return }
            run.add("The geofence refers neither to a level nor to a building.", about: feature, path: "/properties")
        },
        .each(
            "RQ-10", .error,
            "An address has an address line, a locality, a country and, if the country has provinces, a province.",
            source:
                "AddressMustHaveAddressLine, AddressMustHaveLocality, AddressMustHaveCountryCode, AddressMustHaveProvinceCode",
            of: [.address]
        ) { feature, _, run in
            for property in ["address", "locality", "country"] { Content.require(property, of: feature, &run) }
            guard feature["province"] == nil, let country = feature.text("country"), Subdivision.exist(in: country)
            else { return }
            run.add(
                "The address has no province, although \(country) has provinces.", about: feature, path: "/properties")
        },
        .each("RQ-11", .error, "The venue refers to an address.", source: "VenueMustHaveAddress", of: [.venue]) {
            feature, _, run in
            Content.require("address_id", of: feature, &run)
        },
        .each("RQ-12", .warning, "The venue has a display point.", source: "VenueHasNoDisplayPoint", of: [.venue]) {
            feature, _, run in
            Content.require("display_point", of: feature, &run)
        },
    ]

    private static let referredTo: [Rule] = [
        .whole("RQ-13", .error, "The archive has a building.", source: "VenueMustHaveAtLeastOneBuilding") {
            context, run in
            if context.count(of: .building) == 0 { run.add("The archive has no building.") }
        },
        .each(
            "RQ-14", .error, "A building has a level and a footprint.",
            source: "BuildingHasNoLevel, BuildingMustHaveAtLeastOneFootprint", of: [.building]
        ) { feature, context, run in
            for type in [FeatureType.level, .footprint] {
                guard !context.isReferenced(feature, by: type, as: .buildings) else { continue }
                run.add("No \(type.noun) refers to the building.", about: feature)
            }
        },
        .each("RQ-15", .error, "A level has a unit.", source: "LevelMustBeReferencedByUnit", of: [.level]) {
            feature, context, run in
            guard !context.isReferenced(feature, by: .unit, as: .level) else { return }
            run.add("No unit refers to the level.", about: feature)
        },
        .each("RQ-16", .error, "A feature refers to the address.", source: "AddressMustBeReferenced", of: [.address]) {
            feature, context, run in
            guard !context.isReferenced(feature, as: .address) else { return }
            run.add("No feature refers to the address.", about: feature)
        },
    ]

    private static let levelsAndBuildings: [Rule] = [
        .each(
            "RQ-17", .warning, "An indoor level refers to a building.", source: "IndoorLevelMustHaveBuildingReference",
            of: [.level]
        ) { feature, _, run in
            guard feature["outdoor"]?.bool == false, Content.isMissing("building_ids", of: feature) else { return }
            run.add("The level is indoors and refers to no building.", about: feature, path: "/properties")
        },
        .each(
            "RQ-18", .warning, "An outdoor level refers to a building unless its ordinal is 0.",
            source: "OutdoorLevelShouldReferenceBuilding, OutdoorLevelHasBuildingReference", of: [.level]
        ) { feature, _, run in
            guard feature["outdoor"]?.bool == true, let ordinal = feature["ordinal"]?.number else { return }
            let hasNone = Content.isMissing("building_ids", of: feature)
            if ordinal != 0, hasNone {
                run.add(
                    "The level is outdoors, its ordinal is not 0, and it refers to no building.", about: feature,
                    path: "/properties")
            } else if ordinal == 0, !hasNone {
                run.add(
                    "The level is outdoors, its ordinal is 0, and it refers to a building.", about: feature,
                    path: "/properties/building_ids", severity: .info)
            }
        },
    ]
}

private enum Content {
    /// Whether a property is absent, null or empty: a blank string, an empty array or object.
    static func isMissing(_ property: String, of feature: ValidationFeature) -> Bool {
        switch feature[property] {
        case nil: true
        case .string(let text): text.isBlank
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }

    static func require(_ property: String, of feature: ValidationFeature, _ run: inout RuleRun) {
        guard self.isMissing(property, of: feature) else { return }
        run.add("The \(feature.type.noun) has no \(property).", about: feature, path: "/properties")
    }
}
