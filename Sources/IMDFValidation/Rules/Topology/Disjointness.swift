import IMDF

/// Features that have to be disjoint.
///
/// A pair is reported once, for the feature with the greater id. The number of reported neighbors of a feature is bounded, so
/// that a thousand copies of one feature make some thousand findings and not half a million.
enum Disjointness {
    private static let mostNeighbours = 16

    static func units(_ plan: LevelPlan, _ run: inout RuleRun) {
        let failures = run.failures
        let areDisjoint = self.overlaps(of: .unit, on: plan, &run)
        plan.unitsAreDisjoint = areDisjoint && !run.hasEnded && run.failures == failures
    }

    /// Reports overlaps between areas of one type, or of one type with another.
    ///
    /// - Returns: whether there are none.
    @discardableResult
    static func overlaps(
        of type: FeatureType, with other: FeatureType? = nil, on plan: LevelPlan, _ run: inout RuleRun
    ) -> Bool {
        var areDisjoint = true
        run.forEach(plan[type].features) { placed, run in
            var reported = 0
            for neighbour in try plan[other ?? type].features(near: placed.box, in: &run) {
                if other == nil, neighbour.feature.id >= placed.feature.id { break }
                guard try type != .geofence || Self.isFirstSharedLevel(placed, neighbour, on: plan, &run) else {
                    continue
                }
                guard try Self.report(placed, neighbour, on: plan.venuePlan, &run) else { continue }
                areDisjoint = false
                reported += 1
                if reported == Self.mostNeighbours { break }
            }
        }
        return areDisjoint
    }

    /// Whether this is the first of the levels that two features share, on which they are compared.
    private static func isFirstSharedLevel(
        _ one: PlacedFeature, _ other: PlacedFeature, on plan: LevelPlan, _ run: inout RuleRun
    ) throws -> Bool {
        let context = plan.venuePlan.context
        let (ones, others) = (context.planLevels(of: one.feature), context.planLevels(of: other.feature))
        // Each may have as many as the venue has levels.
        try run.spend(4 * (ones.count + others.count))
        let levels = Set(others)
        return ones.first(where: levels.contains) == plan.level.id
    }

    /// Reports an overlap; false if there is none.
    private static func report(
        _ one: PlacedFeature, _ other: PlacedFeature, on venuePlan: VenuePlan, _ run: inout RuleRun
    ) throws -> Bool {
        guard let overlap = try venuePlan.overlap(one, other, in: &run) else { return false }
        let types = [one.feature.type, other.feature.type]
        // These are remarks anyway, so they are not reported within the tolerance.
        if overlap.isNegligible, types == [.section, .section] || types == [.geofence, .geofence] { return false }
        let name = "\(other.feature.type.rawValue) \(other.feature.id)"
        let message =
            try one.box == other.box && one.shape.equals(other.shape)
            ? "\(one.feature.type.heading) covers the same area as \(name)."
            : "\(one.feature.type.heading) overlaps \(name) by \(Measure.squareMetres(overlap.area))."
        run.report(message, overlap, of: one.feature, on: venuePlan)
        return true
    }

    static func fixturesAndKiosks(_ plan: LevelPlan, _ run: inout RuleRun) {
        for type in [FeatureType.fixture, .kiosk] {
            self.overlaps(of: type, on: plan, &run)
            run.forEach(plan[type].features) { placed, run in
                for unit in try plan[.unit].features(near: placed.box, in: &run) where unit.box == placed.box {
                    guard try unit.shape.equals(placed.shape) else { continue }
                    return run.add(
                        "\(type.heading) covers the same area as unit \(unit.feature.id).", about: placed.feature,
                        path: "/geometry")
                }
            }
        }
    }

    static func levels(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        let floors = Dictionary(grouping: venuePlan.levels) { $0.feature["ordinal"]?.number }
        for ordinal in floors.keys.compactMap({ $0 }).sorted() {
            let floor = LevelPlan.Layer(floors[ordinal] ?? [])
            run.forEach(floor.features) { level, run in
                var reported = 0
                for other in try floor.features(near: level.box, in: &run) {
                    if other.feature.id >= level.feature.id || reported == Self.mostNeighbours { break }
                    if try Self.report(level, other, on: venuePlan, &run) { reported += 1 }
                }
            }
        }
    }

    static func coincidences(_ plan: LevelPlan, _ run: inout RuleRun) {
        for type in [FeatureType.amenity, .anchor] {
            var first: [PlanarPoint: PlacedFeature] = [:]
            run.forEach(plan[type].features) { placed, run in
                guard let point = placed.paths.first?.first else { return }
                guard let other = first[point] else {
                    first[point] = placed
                    return
                }
                guard try type != .amenity || Self.isFirstSharedLevel(placed, other, on: plan, &run) else { return }
                run.add(
                    "\(type.heading) has the same position as \(type.rawValue) \(other.feature.id).",
                    about: placed.feature,
                    path: "/geometry")
            }
        }
    }
}
