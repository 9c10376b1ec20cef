import IMDF

/// What has to lie within what.
enum Containment {
    static func venueCoversAll(_ parcel: PlacedFeature, _ site: Site, _ inspection: inout Inspection) throws {
        guard let venue = site.venue, parcel !== venue else { return }
        guard let excess = try site.excess(of: parcel, outside: venue, in: &inspection) else { return }
        inspection.tell(excess, of: parcel.feature, outside: "the venue", on: site)
    }

    static func levelCoversAll(_ plan: LevelPlan, _ inspection: inout Inspection) {
        guard let level = plan.parcel else { return }
        for type in FeatureType.onLevel {
            var inside = 0
            inspection.forEach(plan[type].parcels) { parcel, inspection in
                guard let excess = try plan.site.excess(of: parcel, outside: level, in: &inspection) else {
                    inside += 1
                    return
                }
                inspection.tell(excess, of: parcel.feature, outside: "its level", on: plan.site)
            }
            if type == .unit { plan.unitsAreInside = inside == plan[type].parcels.count }
        }
    }

    static func unitCoversAnchor(_ plan: LevelPlan, _ inspection: inout Inspection) {
        inspection.forEach(plan[.anchor].parcels) { anchor, inspection in
            guard let unit = anchor.feature.id("unit_id").flatMap({ plan[.unit][$0] }),
                let excess = try plan.site.excess(of: anchor, outside: unit, in: &inspection)
            else { return }
            inspection.tell(excess, of: anchor.feature, outside: "its unit", on: plan.site)
        }
    }

    /// One of its units is enough; of an amenity on several levels, one on each.
    static func unitCoversAmenity(_ plan: LevelPlan, _ inspection: inout Inspection) {
        inspection.forEach(plan[.amenity].parcels) { amenity, inspection in
            var least: Excess?
            for id in amenity.feature.ids("unit_ids") {
                guard let unit = plan[.unit][id] else { continue }
                guard let excess = try plan.site.excess(of: amenity, outside: unit, in: &inspection) else { return }
                if excess.depth < least?.depth ?? .infinity { least = excess }
            }
            guard let least else { return }
            let units = amenity.feature.ids("unit_ids").count == 1 ? "its unit" : "all of its units"
            inspection.tell(least, of: amenity.feature, outside: units, on: plan.site)
        }
    }

    static func someUnitCovers(_ plan: LevelPlan, _ inspection: inout Inspection) {
        for type in [FeatureType.fixture, .kiosk] {
            inspection.forEach(plan[type].parcels) { parcel, inspection in
                var least: Excess?
                for unit in try plan[.unit].parcels(near: parcel.box, in: &inspection) {
                    guard let excess = try plan.site.excess(of: parcel, outside: unit, in: &inspection) else { return }
                    if excess.depth < least?.depth ?? .infinity { least = excess }
                }
                if let least {
                    inspection.tell(
                        least, of: parcel.feature, outside: "the unit that covers most of it", on: plan.site)
                } else {
                    inspection.remarks.add(
                        "\(type.heading) lies in no unit.", about: parcel.feature, path: "/geometry")
                }
            }
        }
    }

    static func geofenceWithinItsPlaces(_ parcel: PlacedFeature, _ site: Site, _ inspection: inout Inspection) throws {
        guard parcel.feature.type == .geofence else { return }
        for level in Set(parcel.feature.ids("level_ids")).sorted() {
            guard let level = site.levelsByID[level],
                let excess = try site.excess(of: parcel, outside: level, in: &inspection)
            else { continue }
            inspection.tell(excess, of: parcel.feature, outside: "a level that it names", on: site)
        }
        let footprints = site.footprints(of: parcel.feature.ids("building_ids"))
        guard !footprints.isEmpty else { return }
        let union = try site.union(of: footprints, in: &inspection)
        guard try !union.covers(parcel.shape), let excess = try site.excess(of: parcel.shape, outside: union),
            excess.depth > site.tolerance
        else { return }
        inspection.tell(
            excess, of: parcel.feature, outside: "the footprints of its building", severity: .info, on: site)
    }

    static func unitsCoverLevel(_ plan: LevelPlan, _ inspection: inout Inspection) throws {
        guard let level = plan.parcel, !plan[.unit].parcels.isEmpty else { return }
        if plan.unitsAreInside, plan.unitsAreDisjoint {
            // Then what they leave is the difference of the areas, and most of the time that is nothing.
            let bare = try plan[.unit].parcels.reduce(level.shape.area()) { try $0 - $1.shape.area() }
            if bare < Site.noise { return }
        }
        let union = try plan.site.union(of: plan[.unit].parcels, in: &inspection)
        guard let gap = try plan.site.measure(level.shape.subtracting(union)) else { return }
        inspection.tell(
            "Units leave \(Measure.squareMetres(gap.area)) of the level uncovered.", gap, of: plan.level, on: plan.site)
    }

    static func anchorOfFixtureOrKiosk(_ parcel: PlacedFeature, _ site: Site, _ inspection: inout Inspection) throws {
        guard parcel.feature.type == .fixture || parcel.feature.type == .kiosk,
            let anchor = site.examination.feature(parcel.feature.id("anchor_id"), .anchor),
            let excess = try site.excess(of: anchor, outside: parcel, in: &inspection)
        else { return }
        inspection.tell(
            "\(parcel.feature.type.heading) does not contain its anchor, which is \(Measure.metres(excess.depth)) away.",
            excess, of: parcel.feature, path: "/properties/anchor_id", on: site)
    }
}

// MARK: - Label positions

extension Containment {
    /// How far from its line an opening's label may stand, in metres.
    private static let openingMargin = 1.0

    static func displayPoint(_ parcel: PlacedFeature, _ site: Site, _ inspection: inout Inspection) throws {
        let type = parcel.feature.type
        guard type == .opening || type != .footprint && parcel.dimension == .areas && type.isStandard,
            let label = parcel.feature.displayPoint
        else { return }
        let at = site.projection.point(label)
        let point = try site.plane.point(at)
        let margin = type == .opening ? Self.openingMargin : 0
        guard try margin > 0 || !parcel.shape.covers(point) else { return }
        let distance = try parcel.shape.distance(to: point)
        guard distance > margin else { return }
        let place = type == .opening ? "from its opening" : "outside its \(type.rawValue)"
        let isNegligible = distance - margin <= site.tolerance
        inspection.remarks.add(
            "The label stands \(Measure.metres(distance)) \(place)." + (isNegligible ? Inspection.excuse : ""),
            about: parcel.feature, path: "/properties/display_point",
            severity: isNegligible ? .info : type == .venue ? .error : nil, at: label)
    }

    static func displayPointsOfBuildings(_ site: Site, _ inspection: inout Inspection) {
        inspection.forEach(site.examination.features(of: .building)) { building, inspection in
            let footprints = site.footprints(of: [building.id])
            guard let label = building.displayPoint, !footprints.isEmpty else { return }
            let point = try site.plane.point(site.projection.point(label))
            var distance = Double.infinity
            for footprint in footprints {
                distance = min(distance, try footprint.shape.distance(to: point))
            }
            guard distance > 0 else { return }
            let isNegligible = distance <= site.tolerance
            inspection.remarks.add(
                "The label stands \(Measure.metres(distance)) outside the building's footprints."
                    + (isNegligible ? Inspection.excuse : ""),
                about: building, path: "/properties/display_point", severity: isNegligible ? .info : nil, at: label)
        }
    }
}
