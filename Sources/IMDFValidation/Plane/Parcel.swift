/// A feature's geometry on the plane, valid and ready to be asked.
final class Parcel {
    let feature: Subject
    let shape: PlaneGeometry
    let dimension: Plane.Dimension
    let box: Box
    let vertices: Int
    /// How many edges a line across it meets, on average: two where it is convex, as many as there are edges at worst.
    let layers: Double
    /// The vertices of points and lines, which are asked for one by one.
    let paths: [[PlanePoint]]
    private let projection: Projection
    private var madeSegments: Segments?
    private var madeBoundary: PlaneGeometry?

    init(_ feature: Subject, _ shape: PlaneGeometry, _ dimension: Plane.Dimension, _ sketch: Sketch) {
        self.feature = feature
        self.shape = shape
        self.dimension = dimension
        self.box = sketch.box
        self.vertices = sketch.vertices
        self.layers = sketch.layers
        self.paths = dimension == .areas ? [] : sketch.paths
        self.projection = sketch.projection
    }

    /// The edges, projected anew: only very large geometries are asked for them.
    func segments() -> Segments {
        if let made = self.madeSegments { return made }
        let made = Segments(self.feature.geometry.map { Sketch($0, self.projection).paths } ?? [])
        self.madeSegments = made
        return made
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
    let projection: Projection
    /// Rings, lines or points.
    private(set) var paths: [[PlanePoint]] = []
    private(set) var box: Box
    private(set) var vertices = 0
    private(set) var layers = 0.0

    init(_ geometry: Geometry, _ projection: Projection) {
        self.projection = projection
        switch geometry {
        case .points(let points, _): self.paths = points.map { [projection.point($0)] }
        case .lines(let lines, _): self.paths = lines.map { $0.map(projection.point) }
        case .polygons(let polygons, _): self.paths = polygons.flatMap { $0.rings.map { $0.map(projection.point) } }
        }
        self.box = Box(self.paths[0][0])
        var (dx, dy) = (0.0, 0.0)
        for path in self.paths {
            self.vertices += path.count
            var last = path[0]
            for point in path {
                self.box.extend(to: point)
                dx += abs(point.x - last.x)
                dy += abs(point.y - last.y)
                last = point
            }
        }
        if self.box.width > 0 { self.layers = dx / self.box.width }
        if self.box.height > 0 { self.layers = max(self.layers, dy / self.box.height) }
    }
}
