import IMDF

/// Where a route begins or ends.
struct RouteEnd {
    let point: GridPoint
    let triangles: [Int32]
    let spaces: [Int]
    let ordinal: Int
    /// The feature that was asked for.
    let feature: FeatureID?
    /// The spaces in which this feature is, which can be restricted; positions and openings name none.
    let named: [Int]
}

extension WayfindingMap {
    /// Positions up to this distance from a unit are taken to be in it, in millimeters.
    private static let reach = 1_000

    func end(_ place: Place) -> Result<RouteEnd, RouteFailure> {
        switch place {
        case .position(let longitude, let latitude, let ordinal):
            guard let point = self.plan.frame.point(longitude: longitude, latitude: latitude),
                let end = self.end(at: point, ordinal: ordinal, feature: nil)
            else { return .failure(self.failure(outsideUnits: nil, on: ordinal)) }
            return .success(end)
        case .feature(let id):
            guard let feature = self.features[id] else {
                return .failure(RouteFailure(code: "unknown-feature", feature: id))
            }
            if let end = self.end(of: feature) { return .success(end) }
            return .failure(self.failure(outsideUnits: id, on: nil))
        }
    }

    /// A place that is in no unit may be in one of its floor, if that is too complex.
    private func failure(outsideUnits feature: FeatureID?, on ordinal: Int?) -> RouteFailure {
        let complex = self.mesh.tooComplexOrdinals
        let isUncertain = ordinal.map { complex.contains($0) } ?? !complex.isEmpty
        return isUncertain ? .tooFar : RouteFailure(code: "outside-units", feature: feature)
    }

    private func end(of feature: WayfindingFeature) -> RouteEnd? {
        switch feature.type {
        case .unit: return self.indexOfSpace[feature.id].flatMap { self.end(in: $0, at: nil, feature: feature.id) }
        case .opening:
            guard
                let portal = self.mesh.portals.first(where: { portal in
                    portal.doorway.map { self.plan.doorways[$0].id == feature.id } ?? false
                })
            else { return nil }
            let triangles = portal.edges.map { $0 / 3 }
            let spaces = triangles.map { self.mesh.space(of: $0) }
            return RouteEnd(
                point: portal.middle, triangles: triangles, spaces: spaces,
                ordinal: self.plan.spaces[spaces[0]].ordinal,
                feature: feature.id, named: [])
        case .occupant:
            guard let anchor = feature.id("anchor_id").flatMap({ self.features[$0] }), anchor.type == .anchor else {
                return nil
            }
            return self.end(at: anchor, [anchor.id("unit_id")], feature: feature.id)
        case .anchor: return self.end(at: feature, [feature.id("unit_id")], feature: feature.id)
        case .amenity: return self.end(at: feature, feature.ids("unit_ids"), feature: feature.id)
        default:
            if let anchor = feature.id("anchor_id").flatMap({ self.features[$0] }), anchor.type == .anchor,
                let end = self.end(at: anchor, [anchor.id("unit_id")], feature: feature.id)
            {
                return end
            }
            guard
                let ordinal = feature.id("level_id").flatMap({ id in self.plan.levels.first { $0.id == id } })?.ordinal
            else { return nil }
            let outline = feature.geometry.polygonCoordinates.flatMap { $0.first ?? [] }.compactMap {
                self.plan.frame.point(longitude: $0.longitude, latitude: $0.latitude)
            }
            // Tools convert outlines and display points separately: one that is elsewhere would send people there.
            let area = GridBox(outline)?.expanded(by: Self.reach)
            let own = self.plan.point(feature.properties["display_point"]).flatMap { point in
                area?.intersects(GridBox(point, point)) ?? true ? point : nil
            }
            return [own, outline.first].compactMap(\.self).lazy
                .compactMap { self.end(at: $0, ordinal: ordinal, feature: feature.id) }.first
        }
    }

    /// At a feature with a point and the units in which it should be.
    private func end(at feature: WayfindingFeature, _ units: [FeatureID?], feature id: FeatureID) -> RouteEnd? {
        let spaces = units.compactMap { $0.flatMap { self.indexOfSpace[$0] } }
        let point = self.plan.point(feature.geometry)
        if let point, let space = spaces.first(where: { !self.mesh.triangles(of: $0, at: point).isEmpty }) {
            return self.end(in: space, at: point, feature: id)
        }
        guard let space = spaces.first else { return nil }
        // What lies on its unit may have been cut out of it.
        let ordinal = self.plan.spaces[space].ordinal
        if let point, let end = self.end(at: point, ordinal: ordinal, feature: id) { return end }
        return self.end(in: space, at: nil, feature: id)
    }

    private func end(in space: Int, at point: GridPoint?, feature: FeatureID) -> RouteEnd? {
        guard let point = point ?? self.plan.center(of: space, self.mesh) else { return nil }
        return RouteEnd(
            point: point, triangles: self.mesh.triangles(of: space, at: point), spaces: [space],
            ordinal: self.plan.spaces[space].ordinal, feature: feature, named: [space])
    }

    /// In all units at a point, or else at the nearest point of a unit.
    private func end(at point: GridPoint, ordinal: Int, feature: FeatureID?) -> RouteEnd? {
        let near = self.spaceTree.indices(intersecting: GridBox(point, point).expanded(by: Self.reach))
            .filter { self.plan.spaces[$0].ordinal == ordinal }
        let holders = near.map { (space: $0, triangles: self.mesh.triangles(of: $0, at: point)) }
            .filter { !$0.triangles.isEmpty }
        if !holders.isEmpty {
            let spaces = holders.map(\.space)
            return RouteEnd(
                point: point, triangles: holders.flatMap(\.triangles), spaces: spaces, ordinal: ordinal,
                feature: feature, named: self.named(spaces, feature))
        }
        var best: (point: GridPoint, distance: Double, space: Int)?
        for space in near {
            for triangle in self.mesh.trianglesOfSpace[space] {
                let (nearest, distance) = self.mesh.nearest(to: point, in: triangle)
                guard distance <= Double(Self.reach), distance < best?.distance ?? .infinity else { continue }
                best = (nearest, distance, space)
            }
        }
        guard let best else { return nil }
        return RouteEnd(
            point: best.point, triangles: self.mesh.triangles(of: best.space, at: best.point), spaces: [best.space],
            ordinal: ordinal, feature: feature, named: self.named([best.space], feature))
    }

    /// A feature at a place is in a restricted unit if there is no other one.
    private func named(_ spaces: [Int], _ feature: FeatureID?) -> [Int] {
        feature != nil && spaces.allSatisfy { self.plan.spaces[$0].isRestricted } ? spaces : []
    }
}

/// Why a route cannot be searched.
struct RouteFailure: Error {
    let code: String
    let feature: FeatureID?

    /// The search was given up.
    static let tooFar = RouteFailure(code: "too-far", feature: nil)
}
