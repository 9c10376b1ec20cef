import IMDF

extension VenuePlan {
    /// The valid footprints that refer to one of the buildings, by id.
    func footprints(of buildings: [FeatureID], _ category: String? = nil) -> [PlacedFeature] {
        Set(buildings.flatMap { self.footprintsByBuilding[$0] ?? [] }).sorted().map { self.footprints[$0] }
            .filter { category == nil || $0.feature.text("category") == category }
    }

    /// The union of the geometries.
    func union(of features: [PlacedFeature], in run: inout RuleRun) throws -> PlanarGeometry {
        // The union of areas that cross each other has more corners than they have, and each takes memory.
        let boxes = BoxIndex(features.map(\.box))
        var crossings = 0
        var vertices = 0
        for (index, placed) in features.enumerated() {
            vertices += placed.vertices
            try run.spend(100 + 40 * placed.vertices)
            boxes.search(placed.box) { other in
                if other < index, features[other].box.overlaps(placed.box) {
                    crossings += Self.crossings(placed, features[other])
                }
                return crossings < PlanarGeometry.mostCrossings
            }
        }
        try run.spend(8 * crossings)
        guard crossings < PlanarGeometry.mostCrossings else { throw ComputationFailure.tooIntricate }
        return try self.geos.union(features.map(\.shape))
    }

    /// An upper bound of the number of crossings of two outlines.
    private static func crossings(_ one: PlacedFeature, _ other: PlacedFeature) -> Int {
        let pairs = one.vertices * other.vertices
        guard pairs > 256 else { return pairs }
        return one.shape.closePairs(with: other.shape)
    }

    /// How far a point feature lies outside an area; nil if it lies inside or has no geometry.
    func excess(of point: ValidationFeature, outside area: PlacedFeature, in run: inout RuleRun) throws -> Excess? {
        guard case .points(let points, _) = point.geometry, let first = points.first else { return nil }
        let at = self.projection.point(first)
        let point = try self.geos.point(at)
        guard try !area.shape.covers(point) else { return nil }
        return Excess(depth: try area.shape.distance(to: point), at: at)
    }
}
