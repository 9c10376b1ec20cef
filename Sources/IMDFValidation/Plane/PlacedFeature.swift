/// A feature's geometry on the plane, valid and ready to be asked.
final class PlacedFeature {
    let feature: Subject
    let shape: PlaneGeometry
    let dimension: Plane.Dimension
    let box: Box
    let vertices: Int
    /// The vertices of points and lines, which are asked for one by one.
    let paths: [[PlanePoint]]
    private var madeBoundary: PlaneGeometry?

    init(_ feature: Subject, _ shape: PlaneGeometry, _ dimension: Plane.Dimension, _ sketch: Sketch) {
        self.feature = feature
        self.shape = shape
        self.dimension = dimension
        self.box = sketch.box
        self.vertices = sketch.vertices
        self.paths = dimension == .areas ? [] : sketch.paths
    }

    func boundary() throws(Plane.Failure) -> PlaneGeometry {
        if let made = self.madeBoundary { return made }
        let made = try self.shape.boundary()
        self.madeBoundary = made
        return made
    }

    /// Its area in square metres or its length in metres.
    func size() throws(Plane.Failure) -> Double {
        self.dimension == .areas ? try self.shape.area() : try self.shape.length()
    }
}

/// A geometry projected, before GEOS sees it.
struct Sketch {
    /// Rings, lines or points.
    private(set) var paths: [[PlanePoint]] = []
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
