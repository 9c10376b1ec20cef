import IMDF

extension Site {
    /// The valid footprints that name one of the buildings, by id.
    func footprints(of buildings: [FeatureID], _ category: String? = nil) -> [PlacedFeature] {
        Set(buildings.flatMap { self.footprintsByBuilding[$0] ?? [] }).sorted().map { self.footprints[$0] }
            .filter { category == nil || $0.feature.text("category") == category }
    }

    /// What any of the geometries covers.
    func union(of parcels: [PlacedFeature], in inspection: inout Inspection) throws -> PlaneGeometry {
        // Where areas lie across each other there are more corners than they have themselves, and memory is taken for each.
        let index = BoxIndex(parcels.map(\.box))
        var crossings = 0
        var vertices = 0
        for (place, parcel) in parcels.enumerated() {
            vertices += parcel.vertices
            try inspection.spend(100 + 40 * parcel.vertices)
            index.search(parcel.box) { other in
                if other < place, parcels[other].box.overlaps(parcel.box) {
                    crossings += Self.crossings(parcel, parcels[other])
                }
                return crossings < PlaneGeometry.mostCrossings
            }
        }
        try inspection.spend(8 * crossings)
        guard crossings < PlaneGeometry.mostCrossings else { throw Plane.Failure.tooIntricate }
        return try self.plane.union(parcels.map(\.shape))
    }

    /// How many crossings two outlines have at most.
    private static func crossings(_ one: PlacedFeature, _ other: PlacedFeature) -> Int {
        let pairs = one.vertices * other.vertices
        guard pairs > 256 else { return pairs }
        return one.shape.closePairs(with: other.shape)
    }

    /// How far a point feature lies outside of an area; nil when it is inside, or has no geometry.
    func excess(of point: Subject, outside area: PlacedFeature, in inspection: inout Inspection) throws -> Excess? {
        guard case .points(let points, _) = point.geometry, let first = points.first else { return nil }
        let at = self.projection.point(first)
        let point = try self.plane.point(at)
        guard try !area.shape.covers(point) else { return nil }
        return Excess(depth: try area.shape.distance(to: point), at: at)
    }
}
