import IMDF

extension RuleBook {
    /// SE-13 to SE-16: what may stand where.
    static let unitRules: [Rule] = [
        .whole(
            "SE-13", .warning, "Nothing stands in the air or in a wall.",
            source: "OpenToBelowUnitMustNotContain{T}, StructuralUnitMustNotContain{T}",
            of: [.unit, .anchor, .amenity, .kiosk, .fixture], needs: .properties
        ) { examination, remarks in
            let shapes = [FeatureType.kiosk, .fixture].flatMap { examination.features(of: $0, meeting: .geometry) }
            var points = PointIndex(shapes, in: examination)
            for unit in examination.features(of: .unit, meeting: .properties) {
                guard unit.category == "opentobelow" || UnitKind.isStructural(unit) else { continue }
                let guests =
                    examination.referrers(to: unit, of: .anchor, as: .unit)
                    + examination.referrers(to: unit, of: .amenity, as: .units)
                    + (unit.isLocated ? points.features(within: unit, in: examination) : [])
                for guest in guests {
                    remarks.add(
                        "The \(guest.type.noun) stands in unit \(unit.id), which is \(Shown.quoted(unit.category ?? "")).",
                        about: guest)
                }
            }
            remarks.passOver(points.passedOver)
        },
        .whole(
            "SE-14", .warning, "Lifts, stairs and restrooms hold what belongs into them.",
            source:
                "{Elevator,Escalator,MovingWalkway,Stairs}UnitMayOnlyContain…, StepsUnitMustNotContainAmenity, RestroomUnitMayOnlyContainAmenityFromRestroomHierarchy, KioskMustNotContainAmenityCategory",
            of: [.unit, .amenity, .kiosk], needs: .properties
        ) { examination, remarks in
            for unit in examination.features(of: .unit, meeting: .properties) {
                for amenity in examination.referrers(to: unit, of: .amenity, as: .units) {
                    guard let category = amenity.category, !UnitKind.admits(category, in: unit) else { continue }
                    remarks.add(
                        "\(Shown.quoted(category)) does not belong into a unit that is \(Shown.quoted(unit.category ?? "")).",
                        about: amenity, path: "/properties/unit_ids")
                }
            }
            let movers = examination.features(of: .amenity, meeting: .geometry).filter {
                UnitKind.moving.contains($0.category ?? "")
            }
            var points = PointIndex(movers, in: examination)
            for kiosk in examination.features(of: .kiosk, meeting: .geometry) {
                for amenity in points.features(within: kiosk, in: examination) {
                    remarks.add(
                        "\(Shown.quoted(amenity.category ?? "")) does not belong into kiosk \(kiosk.id).",
                        about: amenity)
                }
            }
        },
        .each(
            "SE-15", .warning, "A restroom for some holds no restroom for others.",
            source:
                "FemaleRestroomUnit…, MaleRestroomUnit…, RestroomUnitCategoryShouldNotContainRestroomAmenityCategory, GenericRestroomUnitCategoryContainsSpecificRestroomAmenityCategory",
            of: [.unit]
        ) { unit, examination, remarks in
            guard unit.hasCategory("restroom") else { return }
            let whose = UnitKind.whose(unit)
            for amenity in examination.referrers(to: unit, of: .amenity, as: .units)
            where amenity.hasCategory("restroom") {
                guard let other = UnitKind.whose(amenity), other != whose else { continue }
                remarks.add(
                    "The restroom for \(Shown.quoted(other)) is in a unit \(whose.map { "for \(Shown.quoted($0))" } ?? "that does not say for whom").",
                    about: amenity, path: "/properties/category", severity: whose == nil ? .info : .warning)
            }
        },
        .whole(
            "SE-16", .warning, "A kiosk has an anchor, or an amenity stands in it.",
            source: "KioskShouldHaveAnchorOrContainAmenity", of: [.kiosk], needs: [.properties, .geometry]
        ) { examination, remarks in
            let kiosks = examination.features(of: .kiosk, meeting: [.properties, .geometry])
                .filter { $0["anchor_id"] == nil }
            guard !kiosks.isEmpty else { return }
            var points = PointIndex(examination.features(of: .amenity, meeting: .geometry), in: examination)
            for kiosk in kiosks where points.features(within: kiosk, in: examination).isEmpty && points.passedOver == 0
            {
                remarks.add("The kiosk has no anchor, and no amenity stands in it.", about: kiosk)
            }
            remarks.passOver(points.passedOver)
        },
    ]
}

enum UnitKind {
    private static let structural: Set<String> = [
        "brick", "column", "concrete", "drywall", "glass", "structure", "wood",
    ]

    /// What takes people to other places.
    static let moving: Set<String> = ["elevator", "escalator", "movingwalkway", "stairs"]

    /// Whether a unit is a wall or a pillar.
    static func isStructural(_ unit: Subject) -> Bool { self.structural.contains(unit.category ?? "") }

    /// Whether an amenity of a category may be in a unit.
    static func admits(_ category: String, in unit: Subject) -> Bool {
        if unit.hasCategory("restroom") { return category == "restroom" || category.hasPrefix("restroom.") }
        if unit.category == "steps" { return false }
        return !self.moving.contains(unit.category ?? "") || unit.category == category
    }

    /// For whom a restroom is: the second part of its category, unless that is about wheelchairs.
    static func whose(_ feature: Subject) -> String? {
        let parts = (feature.category ?? "").split(separator: ".")
        return parts.count > 1 && parts[1] != "wheelchair" ? String(parts[1]) : nil
    }
}
