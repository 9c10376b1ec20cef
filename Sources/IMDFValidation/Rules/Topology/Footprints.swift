import IMDF

/// How footprints lie to each other and to the levels of their buildings.
enum Footprints {
    private static let mostNeighbours = 16

    static func contained(_ site: Site, _ inspection: inout Inspection) {
        self.forEachPair(site, &inspection) { footprint, other, inspection in
            guard footprint.feature.text("category") != "subterranean",
                let (outer, inner) = try Self.nesting(footprint, other, &inspection)
            else { return false }
            let isSame = outer.box == inner.box
            inspection.remarks.add(
                isSame
                    ? "The footprint covers the same as footprint \(inner.feature.id)."
                    : "The footprint contains footprint \(inner.feature.id).",
                about: outer.feature, path: "/geometry", at: try site.position(inner.shape.pointInside()))
            return true
        }
    }

    static func overlapping(_ site: Site, _ inspection: inout Inspection) {
        self.forEachPair(site, &inspection) { footprint, other, inspection in
            guard let overlap = try site.overlap(footprint, other, in: &inspection) else { return false }
            // That one contains the other is told by the rule about that.
            if footprint.feature.text("category") != "subterranean",
                try Self.nesting(footprint, other, &inspection) != nil
            {
                return false
            }
            inspection.tell(
                "Footprint overlaps footprint \(other.feature.id) by \(Measure.squareMetres(overlap.area)).", overlap,
                of: footprint.feature, on: site)
            return true
        }
    }

    private static func nesting(
        _ one: PlacedFeature, _ other: PlacedFeature, _ inspection: inout Inspection
    ) throws -> (outer: PlacedFeature, inner: PlacedFeature)? {
        if try one.shape.covers(other.shape) { return (one, other) }
        return try other.shape.covers(one.shape) ? (other, one) : nil
    }

    /// Visits footprints of one category that lie near each other, until one has enough neighbours of which there is
    /// something to tell.
    private static func forEachPair(
        _ site: Site, _ inspection: inout Inspection,
        _ visit: (PlacedFeature, PlacedFeature, inout Inspection) throws -> Bool
    ) {
        for category in ["ground", "aerial", "subterranean"] {
            let layer = LevelPlan.Layer(site.footprints.filter { $0.feature.text("category") == category })
            inspection.forEach(layer.parcels) { footprint, inspection in
                var told = 0
                for other in try layer.parcels(near: footprint.box, in: &inspection) {
                    if other.feature.id >= footprint.feature.id || told == Self.mostNeighbours { break }
                    if try visit(footprint, other, &inspection) { told += 1 }
                }
            }
        }
    }

    static func stacked(_ site: Site, _ inspection: inout Inspection) {
        inspection.forEach(site.footprints) { footprint, inspection in
            let buildings = footprint.feature.ids("building_ids")
            switch footprint.feature.text("category") {
            case "ground":
                let aerial = site.footprints(of: buildings, "aerial")
                guard !aerial.isEmpty else { return }
                if aerial.count == 1 {
                    guard let excess = try site.excess(of: footprint, outside: aerial[0], in: &inspection) else {
                        return
                    }
                    return inspection.tell(
                        excess, of: footprint.feature, outside: "the aerial footprint of its building", on: site)
                }
                let union = try site.union(of: aerial, in: &inspection)
                guard try !union.covers(footprint.shape),
                    let excess = try site.excess(of: footprint.shape, outside: union)
                else { return }
                inspection.tell(
                    excess, of: footprint.feature, outside: "the aerial footprints of its building", on: site)
            case "subterranean":
                let ground = site.footprints(of: buildings, "ground")
                var distance = Double.infinity
                for other in ground {
                    distance = min(distance, try footprint.shape.distance(to: other.shape))
                }
                guard !ground.isEmpty, distance > 0 else { return }
                let at = try footprint.shape.pointInside()
                inspection.tell(
                    "Footprint lies \(Measure.metres(distance)) away from the ground footprint of its building.",
                    Excess(depth: distance, at: at), of: footprint.feature, path: "/geometry", on: site)
            default: return
            }
        }
    }

    static func ofSameBuilding(_ site: Site, _ inspection: inout Inspection) {
        let index = LevelPlan.Layer(site.footprints)
        inspection.forEach(site.levels) { level, inspection in
            let buildings = Set(level.feature.ids("building_ids"))
            guard level.feature["outdoor"]?.bool != true, !buildings.isEmpty else { return }
            for footprint in try index.parcels(near: level.box, in: &inspection) {
                let others = footprint.feature.ids("building_ids")
                guard level.lies(in: footprint.feature.text("category")), !others.isEmpty,
                    buildings.isDisjoint(with: others),
                    let overlap = try site.overlap(level, footprint, in: &inspection)
                else { continue }
                inspection.tell(
                    "Level overlaps footprint \(footprint.feature.id) of another building by "
                        + "\(Measure.squareMetres(overlap.area)).", overlap, of: level.feature, on: site)
            }
        }
    }

    static func outdoorLevels(_ site: Site, _ inspection: inout Inspection) {
        let index = LevelPlan.Layer(site.footprints.filter { $0.feature.text("category") == "ground" })
        inspection.forEach(site.levels) { level, inspection in
            guard level.feature["outdoor"]?.bool == true, level.feature["ordinal"]?.number == 0 else { return }
            for footprint in try index.parcels(near: level.box, in: &inspection) {
                guard let overlap = try site.overlap(level, footprint, in: &inspection) else { continue }
                inspection.tell(
                    "The outdoor level overlaps ground footprint \(footprint.feature.id) by "
                        + "\(Measure.squareMetres(overlap.area)).", overlap, of: level.feature, on: site)
            }
        }
    }
}

extension PlacedFeature {
    /// Whether a level is among those that a footprint of the category stands for.
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
