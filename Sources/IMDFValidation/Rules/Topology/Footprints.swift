import IMDF

/// Relations between footprints, and between footprints and levels.
enum Footprints {
    private static let mostNeighbours = 16

    static func contained(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        self.forEachPair(venuePlan, &run) { footprint, other, run in
            guard footprint.feature.text("category") != "subterranean",
                let (outer, inner) = try Self.nesting(footprint, other, &run)
            else { return false }
            let isSame = outer.box == inner.box
            run.add(
                isSame
                    ? "The footprint covers the same area as footprint \(inner.feature.id)."
                    : "The footprint contains footprint \(inner.feature.id).",
                about: outer.feature, path: "/geometry", at: try venuePlan.position(inner.shape.pointInside()))
            return true
        }
    }

    static func overlapping(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        self.forEachPair(venuePlan, &run) { footprint, other, run in
            guard let overlap = try venuePlan.overlap(footprint, other, in: &run) else { return false }
            // Another rule reports that one contains the other.
            if footprint.feature.text("category") != "subterranean",
                try Self.nesting(footprint, other, &run) != nil
            {
                return false
            }
            run.report(
                "Footprint overlaps footprint \(other.feature.id) by \(Measure.squareMetres(overlap.area)).", overlap,
                of: footprint.feature, on: venuePlan)
            return true
        }
    }

    private static func nesting(
        _ one: PlacedFeature, _ other: PlacedFeature, _ run: inout RuleRun
    ) throws -> (outer: PlacedFeature, inner: PlacedFeature)? {
        if try one.shape.covers(other.shape) { return (one, other) }
        return try other.shape.covers(one.shape) ? (other, one) : nil
    }

    /// Visits pairs of footprints of one category whose boxes intersect, until enough neighbors of one were reported.
    private static func forEachPair(
        _ venuePlan: VenuePlan, _ run: inout RuleRun,
        _ visit: (PlacedFeature, PlacedFeature, inout RuleRun) throws -> Bool
    ) {
        for category in ["ground", "aerial", "subterranean"] {
            let layer = LevelPlan.Layer(venuePlan.footprints.filter { $0.feature.text("category") == category })
            run.forEach(layer.features) { footprint, run in
                var reported = 0
                for other in try layer.features(near: footprint.box, in: &run) {
                    if other.feature.id >= footprint.feature.id || reported == Self.mostNeighbours { break }
                    if try visit(footprint, other, &run) { reported += 1 }
                }
            }
        }
    }

    static func stacked(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        run.forEach(venuePlan.footprints) { footprint, run in
            let buildings = footprint.feature.ids("building_ids")
            switch footprint.feature.text("category") {
            case "ground":
                let aerial = venuePlan.footprints(of: buildings, "aerial")
                guard !aerial.isEmpty else { return }
                if aerial.count == 1 {
                    guard let excess = try venuePlan.excess(of: footprint, outside: aerial[0], in: &run) else {
                        return
                    }
                    return run.report(
                        excess, of: footprint.feature, outside: "the aerial footprint of its building", on: venuePlan)
                }
                let union = try venuePlan.union(of: aerial, in: &run)
                guard try !union.covers(footprint.shape),
                    let excess = try venuePlan.excess(of: footprint.shape, outside: union)
                else { return }
                run.report(
                    excess, of: footprint.feature, outside: "the aerial footprints of its building", on: venuePlan)
            case "subterranean":
                let ground = venuePlan.footprints(of: buildings, "ground")
                var distance = Double.infinity
                for other in ground {
                    distance = min(distance, try footprint.shape.distance(to: other.shape))
                }
                guard !ground.isEmpty, distance > 0 else { return }
                let at = try footprint.shape.pointInside()
                run.report(
                    "Footprint lies \(Measure.metres(distance)) away from the ground footprint of its building.",
                    Excess(depth: distance, at: at), of: footprint.feature, path: "/geometry", on: venuePlan)
            default: return
            }
        }
    }

    static func ofSameBuilding(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        let index = LevelPlan.Layer(venuePlan.footprints)
        run.forEach(venuePlan.levels) { level, run in
            let buildings = Set(level.feature.ids("building_ids"))
            guard level.feature["outdoor"]?.bool != true, !buildings.isEmpty else { return }
            for footprint in try index.features(near: level.box, in: &run) {
                let others = footprint.feature.ids("building_ids")
                guard level.lies(in: footprint.feature.text("category")), !others.isEmpty,
                    buildings.isDisjoint(with: others),
                    let overlap = try venuePlan.overlap(level, footprint, in: &run)
                else { continue }
                run.report(
                    "Level overlaps footprint \(footprint.feature.id) of another building by "
                        + "\(Measure.squareMetres(overlap.area)).", overlap, of: level.feature, on: venuePlan)
            }
        }
    }

    static func outdoorLevels(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        let index = LevelPlan.Layer(venuePlan.footprints.filter { $0.feature.text("category") == "ground" })
        run.forEach(venuePlan.levels) { level, run in
            guard level.feature["outdoor"]?.bool == true, level.feature["ordinal"]?.number == 0 else { return }
            for footprint in try index.features(near: level.box, in: &run) {
                guard let overlap = try venuePlan.overlap(level, footprint, in: &run) else { continue }
                run.report(
                    "The outdoor level overlaps ground footprint \(footprint.feature.id) by "
                        + "\(Measure.squareMetres(overlap.area)).", overlap, of: level.feature, on: venuePlan)
            }
        }
    }
}

extension PlacedFeature {
    /// Whether a footprint of the category represents a level.
    func lies(in category: String?) -> Bool {
        guard let ordinal = self.feature["ordinal"]?.number else { return false }
        return switch category {
        case "ground": ordinal == 0
        case "aerial": ordinal >= 0
        case "subterranean": ordinal < 0
        default: false
        }
    }
}
