/// A feature with its geometry in plane coordinates, which is valid.
final class PlacedFeature {
    let feature: ValidationFeature
    let shape: PlanarGeometry
    let dimension: GEOSContext.Dimension
    let box: Box
    let vertices: Int
    /// The vertices of points and lines; empty for areas.
    let paths: [[PlanarPoint]]
    private var cachedBoundary: PlanarGeometry?

    init(
        _ feature: ValidationFeature, _ shape: PlanarGeometry, _ dimension: GEOSContext.Dimension,
        _ projected: ProjectedGeometry
    ) {
        self.feature = feature
        self.shape = shape
        self.dimension = dimension
        self.box = projected.box
        self.vertices = projected.vertices
        self.paths = dimension == .areas ? [] : projected.paths
    }

    func boundary() throws(ComputationFailure) -> PlanarGeometry {
        if let boundary = self.cachedBoundary { return boundary }
        let boundary = try self.shape.boundary()
        self.cachedBoundary = boundary
        return boundary
    }
}

/// A geometry in plane coordinates, before it is passed to GEOS.
struct ProjectedGeometry {
    /// Rings, lines or points.
    private(set) var paths: [[PlanarPoint]] = []
    private(set) var box: Box
    private(set) var vertices = 0

    init(_ geometry: Geometry, _ projection: Projection) {
        switch geometry {
        case .points(let points, _): self.paths = points.map { [projection.point($0)] }
        case .lines(let lines, _): self.paths = lines.map { $0.map(projection.point) }
        case .polygons(let polygons, _): self.paths = polygons.flatMap { $0.rings.map { $0.map(projection.point) } }
        }
        self.box = Box(self.paths[0][0])
        for path in self.paths {
            self.vertices += path.count
            for point in path { self.box.extend(to: point) }
        }
    }
}
