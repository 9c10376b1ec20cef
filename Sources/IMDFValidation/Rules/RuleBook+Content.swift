import IMDF

extension RuleBook {
    /// Required content by type.
    static let content: [Rule] = ownContent + requiredReferences + referredTo + levelsAndBuildings

    private static let ownContent: [Rule] = [
        .each(
            "RQ-01", .error, "What has categories has one.", source: "{T}MustHaveCategory",
            of: FeatureType.standard.filter { CategoryList.byType[$0] != nil }
        ) { feature, _, remarks in
            guard feature["category"] == nil else { return }
            remarks.add("The \(feature.type.noun) has no category.", about: feature, path: "/properties")
        },
        .each(
            "RQ-02", .error, "A category is one of the type's list.", source: "{T}CategoryMustBeValid",
            of: FeatureType.standard.filter { CategoryList.byType[$0] != nil }
        ) { feature, examination, remarks in
            guard let list = CategoryList.byType[feature.type], let category = feature["category"],
                category.string.map(list.contains) != true
            else { return }
            remarks.add(
                "\(category.string.map { Shown.quoted($0) } ?? "What stands there") is no category of \(feature.type.article).",
                about: feature, path: "/properties/category",
                // An extension may have more of them, and does not say which.
                severity: examination.hasExtension && category.string != nil ? .warning : .error)
        },
        .each(
            "RQ-03", .error, "Levels, occupants and the venue have a name.",
            source: "LevelMustHaveName, OccupantMustHaveName, VenueMustHaveName", of: [.level, .occupant, .venue]
        ) { feature, _, remarks in
            Content.require("name", of: feature, &remarks)
        },
        .each(
            "RQ-04", .error, "A level has a short name and an ordinal.",
            source: "LevelMustHaveShortName, LevelMustHaveOrdinal", of: [.level]
        ) { feature, _, remarks in
            for property in ["short_name", "ordinal"] { Content.require(property, of: feature, &remarks) }
        },
    ]

    private static let requiredReferences: [Rule] = [
        .each(
            "RQ-05", .error, "What lies on a level names it.", source: "{T}MustReferenceLevel",
            of: [.section, .unit, .kiosk, .fixture, .detail, .opening]
        ) { feature, _, remarks in
            Content.require("level_id", of: feature, &remarks)
        },
        .each(
            "RQ-06", .error, "An amenity names its units, an anchor its unit.",
            source: "AmenityMustReferenceUnit, AnchorMustReferenceUnit", of: [.anchor, .amenity]
        ) { feature, _, remarks in
            Content.require(feature.type == .anchor ? "unit_id" : "unit_ids", of: feature, &remarks)
        },
        .each("RQ-07", .error, "An occupant names its anchor.", source: "OccupantMustReferenceAnchor", of: [.occupant])
        {
            feature, _, remarks in
            Content.require("anchor_id", of: feature, &remarks)
        },
        .each(
            "RQ-08", .error, "A footprint names its buildings.", source: "FootprintMustReferenceBuilding",
            of: [.footprint]
        ) { feature, _, remarks in
            Content.require("building_ids", of: feature, &remarks)
        },
        .each(
            "RQ-09", .error, "A geofence names levels or buildings.",
            source: "GeofenceMustHaveLevelOrBuildingReference", of: [.geofence]
        ) { feature, _, remarks in
            guard Content.isMissing("level_ids", of: feature), Content.isMissing("building_ids", of: feature)
            else { return }
            remarks.add("The geofence names neither a level nor a building.", about: feature, path: "/properties")
        },
        .each(
            "RQ-10", .error, "An address has a line, a locality and a country, and a province where there are some.",
            source:
                "AddressMustHaveAddressLine, AddressMustHaveLocality, AddressMustHaveCountryCode, AddressMustHaveProvinceCode",
            of: [.address]
        ) { feature, _, remarks in
            for property in ["address", "locality", "country"] { Content.require(property, of: feature, &remarks) }
            guard feature["province"] == nil, let country = feature.text("country"), Subdivision.exist(in: country)
            else { return }
            remarks.add(
                "There is no province, and \(country) has some.", about: feature, path: "/properties")
        },
        .each("RQ-11", .error, "The venue names its address.", source: "VenueMustHaveAddress", of: [.venue]) {
            feature, _, remarks in
            Content.require("address_id", of: feature, &remarks)
        },
        .each("RQ-12", .warning, "The venue has a display point.", source: "VenueHasNoDisplayPoint", of: [.venue]) {
            feature, _, remarks in
            Content.require("display_point", of: feature, &remarks)
        },
    ]

    private static let referredTo: [Rule] = [
        .whole("RQ-13", .error, "There is a building.", source: "VenueMustHaveAtLeastOneBuilding") {
            examination, remarks in
            if examination.count(of: .building) == 0 { remarks.add("There is no building.") }
        },
        .each(
            "RQ-14", .error, "A building has a level and a footprint.",
            source: "BuildingHasNoLevel, BuildingMustHaveAtLeastOneFootprint", of: [.building]
        ) { feature, examination, remarks in
            for type in [FeatureType.level, .footprint] {
                guard !examination.isReferredTo(feature, by: type, as: .buildings) else { continue }
                remarks.add("No \(type.noun) names the building.", about: feature)
            }
        },
        .each("RQ-15", .error, "A level has a unit.", source: "LevelMustBeReferencedByUnit", of: [.level]) {
            feature, examination, remarks in
            guard !examination.isReferredTo(feature, by: .unit, as: .level) else { return }
            remarks.add("No unit names the level.", about: feature)
        },
        .each("RQ-16", .error, "An address is somebody's.", source: "AddressMustBeReferenced", of: [.address]) {
            feature, examination, remarks in
            guard !examination.isReferredTo(feature, as: .address) else { return }
            remarks.add("Nothing names the address.", about: feature)
        },
    ]

    private static let levelsAndBuildings: [Rule] = [
        .each(
            "RQ-17", .warning, "An indoor level names a building.", source: "IndoorLevelMustHaveBuildingReference",
            of: [.level]
        ) { feature, _, remarks in
            guard feature["outdoor"]?.bool == false, Content.isMissing("building_ids", of: feature) else { return }
            remarks.add("The level is indoors and names no building.", about: feature, path: "/properties")
        },
        .each(
            "RQ-18", .warning, "An outdoor level names a building, unless it lies on the ground.",
            source: "OutdoorLevelShouldReferenceBuilding, OutdoorLevelHasBuildingReference", of: [.level]
        ) { feature, _, remarks in
            guard feature["outdoor"]?.bool == true, let ordinal = feature["ordinal"]?.number else { return }
            let hasNone = Content.isMissing("building_ids", of: feature)
            if ordinal != 0, hasNone {
                remarks.add(
                    "The level lies outdoors, but not on the ground, and names no building.", about: feature,
                    path: "/properties")
            } else if ordinal == 0, !hasNone {
                remarks.add(
                    "The level lies outdoors on the ground, and names a building.", about: feature,
                    path: "/properties/building_ids", severity: .info)
            }
        },
    ]
}

private enum Content {
    /// Whether a property is absent, null, or says nothing: an empty text, list or object.
    static func isMissing(_ property: String, of feature: Subject) -> Bool {
        switch feature[property] {
        case nil: true
        case .string(let text): text.isBlank
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }

    static func require(_ property: String, of feature: Subject, _ remarks: inout FindingCollector) {
        guard self.isMissing(property, of: feature) else { return }
        remarks.add("The \(feature.type.noun) has no \(property).", about: feature, path: "/properties")
    }
}
