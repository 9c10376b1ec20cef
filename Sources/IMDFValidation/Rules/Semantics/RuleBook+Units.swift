import IMDF

extension RuleBook {
    /// SE-13 to SE-16: what units and kiosks may contain.
    static let unitRules: [Rule] = [
        .whole(
            "SE-13", .warning, "Structural units and units open to below contain nothing.",
            source: "OpenToBelowUnitMustNotContain{T}, StructuralUnitMustNotContain{T}",
            of: [.unit, .anchor, .amenity, .kiosk, .fixture], needs: .properties
        ) { context, run in
            let shapes = [FeatureType.kiosk, .fixture].flatMap { context.features(of: $0, meeting: .geometry) }
            let points = try PointIndex(shapes, in: context, run)
            for unit in context.features(of: .unit, meeting: .properties) {
                guard unit.category == "opentobelow" || UnitKind.isStructural(unit) else { continue }
                let contained =
                    try context.referrers(to: unit, of: .anchor, as: .unit, in: run)
                    + context.referrers(to: unit, of: .amenity, as: .units, in: run)
                    + (unit.isLocated ? points.features(within: unit, in: context, run) : [])
                for feature in contained {
                    run.add(
                        "The \(feature.type.noun) is in unit \(unit.id), whose category is \(DisplayText.quoted(unit.category ?? "")).",
                        about: feature)
                }
            }
        },
        .whole(
            "SE-14", .warning, "Lifts, stairs, restrooms and kiosks contain only amenities that belong there.",
            source:
                "{Elevator,Escalator,MovingWalkway,Stairs}UnitMayOnlyContain…, StepsUnitMustNotContainAmenity, RestroomUnitMayOnlyContainAmenityFromRestroomHierarchy, KioskMustNotContainAmenityCategory",
            of: [.unit, .amenity, .kiosk], needs: .properties
        ) { context, run in
            for unit in context.features(of: .unit, meeting: .properties) {
                for amenity in try context.referrers(to: unit, of: .amenity, as: .units, in: run) {
                    // The category of the unit is read again for each amenity.
                    try run.spend(reading: unit)
                    guard let category = amenity.category, !UnitKind.admits(category, in: unit) else { continue }
                    run.add(
                        "\(DisplayText.quoted(category)) does not belong in a unit of category \(DisplayText.quoted(unit.category ?? "")).",
                        about: amenity, path: "/properties/unit_ids")
                }
            }
            let movers = context.features(of: .amenity, meeting: .geometry).filter {
                UnitKind.moving.contains($0.category ?? "")
            }
            let points = try PointIndex(movers, in: context, run)
            for kiosk in context.features(of: .kiosk, meeting: .geometry) {
                for amenity in try points.features(within: kiosk, in: context, run) {
                    run.add(
                        "\(DisplayText.quoted(amenity.category ?? "")) does not belong in kiosk \(kiosk.id).",
                        about: amenity)
                }
            }
        },
        .each(
            "SE-15", .warning, "The restroom amenities of a restroom are for the same people.",
            source:
                "FemaleRestroomUnit…, MaleRestroomUnit…, RestroomUnitCategoryShouldNotContainRestroomAmenityCategory, GenericRestroomUnitCategoryContainsSpecificRestroomAmenityCategory",
            of: [.unit]
        ) { unit, context, run in
            guard unit.hasCategory("restroom") else { return }
            let users = UnitKind.users(of: unit)
            for amenity in try context.referrers(to: unit, of: .amenity, as: .units, in: run)
            where amenity.hasCategory("restroom") {
                guard let other = UnitKind.users(of: amenity), other != users else { continue }
                run.add(
                    "The restroom for \(DisplayText.quoted(other)) is in a unit \(users.map { "for \(DisplayText.quoted($0))" } ?? "of the general category restroom").",
                    about: amenity, path: "/properties/category", severity: users == nil ? .info : .warning)
            }
        },
        .whole(
            "SE-16", .warning, "A kiosk has an anchor or contains an amenity.",
            source: "KioskShouldHaveAnchorOrContainAmenity", of: [.kiosk], needs: [.properties, .geometry]
        ) { context, run in
            let kiosks = context.features(of: .kiosk, meeting: [.properties, .geometry])
                .filter { $0["anchor_id"] == nil }
            guard !kiosks.isEmpty else { return }
            let points = try PointIndex(context.features(of: .amenity, meeting: .geometry), in: context, run)
            for kiosk in kiosks where try points.features(within: kiosk, in: context, run).isEmpty {
                run.add("The kiosk has no anchor and contains no amenity.", about: kiosk)
            }
        },
    ]
}

enum UnitKind {
    private static let structural: Set<String> = [
        "brick", "column", "concrete", "drywall", "glass", "structure", "wood",
    ]

    /// Categories of units and amenities that carry people.
    static let moving: Set<String> = ["elevator", "escalator", "movingwalkway", "stairs"]

    /// Whether a unit is a part of the building's structure, such as a wall.
    static func isStructural(_ unit: ValidationFeature) -> Bool { self.structural.contains(unit.category ?? "") }

    /// Whether an amenity of a category may be in a unit.
    static func admits(_ category: String, in unit: ValidationFeature) -> Bool {
        if unit.hasCategory("restroom") { return category == "restroom" || category.hasPrefix("restroom.") }
        if unit.category == "steps" { return false }
        return !self.moving.contains(unit.category ?? "") || unit.category == category
    }

    /// The users of a restroom: the second part of its category, except `wheelchair`.
    static func users(of feature: ValidationFeature) -> String? {
        let parts = (feature.category ?? "").split(separator: ".")
        return parts.count > 1 && parts[1] != "wheelchair" ? String(parts[1]) : nil
    }
}
