import IMDF

/// Features that have to lie within others.
enum Containment {
    static func venueCoversAll(_ placed: PlacedFeature, _ venuePlan: VenuePlan, _ run: inout RuleRun) throws {
        guard let venue = venuePlan.venue, placed !== venue else { return }
        guard let excess = try venuePlan.excess(of: placed, outside: venue, in: &run) else { return }
        run.report(excess, of: placed.feature, outside: "the venue", on: venuePlan)
    }

    static func levelCoversAll(_ plan: LevelPlan, _ run: inout RuleRun) {
        guard let level = plan.placedLevel else { return }
        for type in FeatureType.onLevel {
            var inside = 0
            run.forEach(plan[type].features) { placed, run in
                guard let excess = try plan.venuePlan.excess(of: placed, outside: level, in: &run) else {
                    inside += 1
                    return
                }
                run.report(excess, of: placed.feature, outside: "its level", on: plan.venuePlan)
            }
            if type == .unit { plan.unitsAreInside = inside == plan[type].features.count }
        }
    }

    static func unitCoversAnchor(_ plan: LevelPlan, _ run: inout RuleRun) {
        run.forEach(plan[.anchor].features) { anchor, run in
            guard let unit = anchor.feature.id("unit_id").flatMap({ plan[.unit][$0] }),
                let excess = try plan.venuePlan.excess(of: anchor, outside: unit, in: &run)
            else { return }
            run.report(excess, of: anchor.feature, outside: "its unit", on: plan.venuePlan)
        }
    }

    /// One of its units is enough. An amenity on several levels needs one on each.
    static func unitCoversAmenity(_ plan: LevelPlan, _ run: inout RuleRun) {
        run.forEach(plan[.amenity].features) { amenity, run in
            var least: Excess?
            for id in amenity.feature.ids("unit_ids") {
                guard let unit = plan[.unit][id] else { continue }
                guard let excess = try plan.venuePlan.excess(of: amenity, outside: unit, in: &run) else { return }
                if excess.depth < least?.depth ?? .infinity { least = excess }
            }
            guard let least else { return }
            let units = amenity.feature.ids("unit_ids").count == 1 ? "its unit" : "all of its units"
            run.report(least, of: amenity.feature, outside: units, on: plan.venuePlan)
        }
    }

    static func someUnitCovers(_ plan: LevelPlan, _ run: inout RuleRun) {
        for type in [FeatureType.fixture, .kiosk] {
            run.forEach(plan[type].features) { placed, run in
                var least: Excess?
                for unit in try plan[.unit].features(near: placed.box, in: &run) {
                    guard let excess = try plan.venuePlan.excess(of: placed, outside: unit, in: &run) else { return }
                    if excess.depth < least?.depth ?? .infinity { least = excess }
                }
                if let least {
                    run.report(
                        least, of: placed.feature, outside: "the unit that covers most of it", on: plan.venuePlan)
                } else {
                    run.add(
                        "\(type.heading) lies in no unit.", about: placed.feature, path: "/geometry")
                }
            }
        }
    }

    static func geofenceWithinItsLevels(_ placed: PlacedFeature, _ venuePlan: VenuePlan, _ run: inout RuleRun) throws {
        guard placed.feature.type == .geofence else { return }
        for level in Set(placed.feature.ids("level_ids")).sorted() {
            guard let level = venuePlan.levelsByID[level],
                let excess = try venuePlan.excess(of: placed, outside: level, in: &run)
            else { continue }
            run.report(excess, of: placed.feature, outside: "a level that it refers to", on: venuePlan)
        }
        let footprints = venuePlan.footprints(of: placed.feature.ids("building_ids"))
        guard !footprints.isEmpty else { return }
        let union = try venuePlan.union(of: footprints, in: &run)
        guard try !union.covers(placed.shape), let excess = try venuePlan.excess(of: placed.shape, outside: union),
            excess.depth > venuePlan.tolerance
        else { return }
        run.report(
            excess, of: placed.feature, outside: "the footprints of its building", severity: .info, on: venuePlan)
    }

    static func unitsCoverLevel(_ plan: LevelPlan, _ run: inout RuleRun) throws {
        guard let level = plan.placedLevel, !plan[.unit].features.isEmpty else { return }
        if plan.unitsAreInside, plan.unitsAreDisjoint {
            // Then the uncovered area is the difference of the areas, which usually is zero.
            let uncovered = try plan[.unit].features.reduce(level.shape.area()) { try $0 - $1.shape.area() }
            if uncovered < VenuePlan.noise { return }
        }
        let union = try plan.venuePlan.union(of: plan[.unit].features, in: &run)
        guard let gap = try plan.venuePlan.measure(level.shape.subtracting(union)) else { return }
        run.report(
            "Units leave \(Measure.squareMetres(gap.area)) of the level uncovered.", gap, of: plan.level,
            on: plan.venuePlan)
    }

    static func anchorOfFixtureOrKiosk(_ placed: PlacedFeature, _ venuePlan: VenuePlan, _ run: inout RuleRun) throws {
        guard placed.feature.type == .fixture || placed.feature.type == .kiosk,
            let anchor = venuePlan.context.feature(placed.feature.id("anchor_id"), .anchor),
            let excess = try venuePlan.excess(of: anchor, outside: placed, in: &run)
        else { return }
        run.report(
            "\(placed.feature.type.heading) does not contain its anchor, which is \(Measure.metres(excess.depth)) away.",
            excess, of: placed.feature, path: "/properties/anchor_id", on: venuePlan)
    }
}

// MARK: - Display points

extension Containment {
    /// How far from its line the display point of an opening may lie, in meters.
    private static let openingMargin = 1.0

    static func displayPoint(_ placed: PlacedFeature, _ venuePlan: VenuePlan, _ run: inout RuleRun) throws {
        let type = placed.feature.type
        guard type == .opening || type != .footprint && placed.dimension == .areas && type.isStandard,
            let label = placed.feature.displayPoint
        else { return }
        let at = venuePlan.projection.point(label)
        let point = try venuePlan.geos.point(at)
        let margin = type == .opening ? Self.openingMargin : 0
        guard try margin > 0 || !placed.shape.covers(point) else { return }
        let distance = try placed.shape.distance(to: point)
        guard distance > margin else { return }
        let relation = type == .opening ? "from its opening" : "outside its \(type.rawValue)"
        let isNegligible = distance - margin <= venuePlan.tolerance
        run.add(
            "The display point lies \(Measure.metres(distance)) \(relation)."
                + (isNegligible ? RuleRun.toleranceNote : ""),
            about: placed.feature, path: "/properties/display_point",
            severity: isNegligible ? .info : type == .venue ? .error : nil, at: label)
    }

    static func displayPointsOfBuildings(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        run.forEach(venuePlan.context.features(of: .building)) { building, run in
            let footprints = venuePlan.footprints(of: [building.id])
            guard let label = building.displayPoint, !footprints.isEmpty else { return }
            let point = try venuePlan.geos.point(venuePlan.projection.point(label))
            var distance = Double.infinity
            for footprint in footprints {
                distance = min(distance, try footprint.shape.distance(to: point))
            }
            guard distance > 0 else { return }
            let isNegligible = distance <= venuePlan.tolerance
            run.add(
                "The display point lies \(Measure.metres(distance)) outside the building's footprints."
                    + (isNegligible ? RuleRun.toleranceNote : ""),
                about: building, path: "/properties/display_point", severity: isNegligible ? .info : nil, at: label)
        }
    }
}
