import IMDF

/// What must not have anything in common.
///
/// A pair is told once, of the feature that comes later by id. Of one feature no more than so many neighbours are told: a
/// thousand copies in one place are a thousand findings, not half a million.
enum Disjointness {
    private static let mostNeighbours = 16

    static func units(_ plan: LevelPlan, _ inspection: inout Inspection) {
        let failures = inspection.failures
        let areDisjoint = self.overlaps(of: .unit, on: plan, &inspection)
        plan.unitsAreDisjoint = areDisjoint && !inspection.isExhausted && inspection.failures == failures
    }

    /// Interiors of areas of one type that meet, or of one type with those of another.
    ///
    /// - Returns: whether none do.
    @discardableResult
    static func overlaps(
        of type: FeatureType, with other: FeatureType? = nil, on plan: LevelPlan, _ inspection: inout Inspection
    ) -> Bool {
        var areDisjoint = true
        inspection.forEach(plan[type].parcels) { parcel, inspection in
            var told = 0
            for neighbour in try plan[other ?? type].parcels(near: parcel.box, in: &inspection) {
                if other == nil, neighbour.feature.id >= parcel.feature.id { break }
                guard try type != .geofence || Self.meetFirst(parcel, neighbour, on: plan, &inspection) else {
                    continue
                }
                guard try Self.tell(parcel, neighbour, on: plan.site, &inspection) else { continue }
                areDisjoint = false
                told += 1
                if told == Self.mostNeighbours { break }
            }
        }
        return areDisjoint
    }

    /// Geofences may share several levels; they are compared on the first of these.
    private static func meetFirst(
        _ one: PlacedFeature, _ other: PlacedFeature, on plan: LevelPlan, _ inspection: inout Inspection
    ) throws -> Bool {
        let examination = plan.site.examination
        let (ones, others) = (examination.planes(of: one.feature), examination.planes(of: other.feature))
        // There may be as many as there are levels.
        try inspection.spend(4 * (ones.count + others.count))
        let levels = Set(others)
        return ones.first(where: levels.contains) == plan.level.id
    }

    /// Tells an overlap; false when there is none.
    private static func tell(
        _ one: PlacedFeature, _ other: PlacedFeature, on site: Site, _ inspection: inout Inspection
    ) throws -> Bool {
        guard let overlap = try site.overlap(one, other, in: &inspection) else { return false }
        let types = [one.feature.type, other.feature.type]
        // What is no more than a remark anyway is none within the tolerance.
        if overlap.isNegligible, types == [.section, .section] || types == [.geofence, .geofence] { return false }
        let name = "\(other.feature.type.rawValue) \(other.feature.id)"
        let message =
            try one.box == other.box && one.shape.equals(other.shape)
            ? "\(one.feature.type.heading) covers the same as \(name)."
            : "\(one.feature.type.heading) overlaps \(name) by \(Measure.squareMetres(overlap.area))."
        inspection.tell(message, overlap, of: one.feature, on: site)
        return true
    }

    static func fixturesAndKiosks(_ plan: LevelPlan, _ inspection: inout Inspection) {
        for type in [FeatureType.fixture, .kiosk] {
            self.overlaps(of: type, on: plan, &inspection)
            inspection.forEach(plan[type].parcels) { parcel, inspection in
                for unit in try plan[.unit].parcels(near: parcel.box, in: &inspection) where unit.box == parcel.box {
                    guard try unit.shape.equals(parcel.shape) else { continue }
                    return inspection.remarks.add(
                        "\(type.heading) covers the same as unit \(unit.feature.id).", about: parcel.feature,
                        path: "/geometry")
                }
            }
        }
    }

    static func levels(_ site: Site, _ inspection: inout Inspection) {
        let floors = Dictionary(grouping: site.levels) { $0.feature["ordinal"]?.number }
        for ordinal in floors.keys.compactMap({ $0 }).sorted() {
            let floor = LevelPlan.Layer(floors[ordinal] ?? [])
            inspection.forEach(floor.parcels) { level, inspection in
                var told = 0
                for other in try floor.parcels(near: level.box, in: &inspection) {
                    if other.feature.id >= level.feature.id || told == Self.mostNeighbours { break }
                    if try Self.tell(level, other, on: site, &inspection) { told += 1 }
                }
            }
        }
    }

    static func coincidences(_ plan: LevelPlan, _ inspection: inout Inspection) {
        for type in [FeatureType.amenity, .anchor] {
            var first: [PlanePoint: PlacedFeature] = [:]
            inspection.forEach(plan[type].parcels) { parcel, inspection in
                guard let point = parcel.paths.first?.first else { return }
                guard let other = first[point] else {
                    first[point] = parcel
                    return
                }
                guard try type != .amenity || Self.meetFirst(parcel, other, on: plan, &inspection) else { return }
                inspection.remarks.add(
                    "\(type.heading) stands where \(type.rawValue) \(other.feature.id) stands.", about: parcel.feature,
                    path: "/geometry")
            }
        }
    }
}
