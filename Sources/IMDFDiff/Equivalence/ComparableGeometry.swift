import IMDF

/// A geometry prepared for comparison: rings without the repeated position, and bounding boxes of all paths.
struct ComparableGeometry {
    /// A sequence of vertices: a point, a line or a ring.
    struct Path {
        /// The indices of its vertices; the repeated last vertex of a ring is omitted.
        var vertices: Range<Int>
        /// Whether this is a closed ring, which may start at any vertex.
        var isCycle: Bool
        var box: CoordinateBox
    }

    let kind: GeoJSONGeometry.Kind
    /// Numbers per vertex.
    let dimension: Int
    private(set) var ordinates: [Double] = []
    private(set) var paths: [Path] = []
    /// The paths of each part: one for a point or a line; for a polygon the exterior ring, then the holes.
    private(set) var parts: [Range<Int>] = []

    /// Nil for a collection, for an empty geometry, for one that cannot be read, and if positions differ in the number of
    /// their ordinates. Open rings and positions outside the globe are accepted.
    init?(_ geometry: JSONObject) {
        var reader = GeoJSONReader()
        guard let geometry = reader.read(.object(geometry)), geometry.hasUniformDimension else { return nil }
        self.kind = geometry.kind
        self.dimension = geometry.dimension
        self.parts = geometry.parts
        self.ordinates.reserveCapacity(geometry.ordinates.count)
        self.paths.reserveCapacity(geometry.paths.count)
        for path in geometry.paths { self.append(path, of: geometry) }
    }

    private mutating func append(_ path: Range<Int>, of geometry: GeoJSONGeometry) {
        let dimension = geometry.dimension
        let isCycle =
            geometry.kind == .polygons && path.count > 1
            && (0..<dimension).allSatisfy {
                geometry.ordinates[path.lowerBound * dimension + $0]
                    == geometry.ordinates[(path.upperBound - 1) * dimension + $0]
            }
        let vertices = isCycle ? path.dropLast() : path
        var box = CoordinateBox(
            x: geometry.ordinates[path.lowerBound * dimension], y: geometry.ordinates[path.lowerBound * dimension + 1])
        for vertex in vertices.dropFirst() {
            box.extend(x: geometry.ordinates[vertex * dimension], y: geometry.ordinates[vertex * dimension + 1])
        }
        let first = self.vertexCount
        self.ordinates.append(
            contentsOf: geometry.ordinates[vertices.lowerBound * dimension..<vertices.upperBound * dimension])
        self.paths.append(Path(vertices: first..<self.vertexCount, isCycle: isCycle, box: box))
    }

    /// The bounding box; nil for a geometry without paths.
    var box: CoordinateBox? {
        guard var box = self.paths.first?.box else { return nil }
        for path in self.paths.dropFirst() { box.formUnion(path.box) }
        return box
    }

    /// Whether this is a single point.
    var isPoint: Bool { self.kind == .points && self.parts.count == 1 }

    var vertexCount: Int { self.ordinates.count / max(self.dimension, 1) }

    /// The geometry translated so that a point becomes the origin, then scaled.
    func moved(from point: [Double], scale: Double) -> ComparableGeometry {
        var moved = self
        for index in self.ordinates.indices {
            moved.ordinates[index] = (self.ordinates[index] - point[index % self.dimension]) * scale
        }
        for index in self.paths.indices {
            let vertices = self.paths[index].vertices
            var box = CoordinateBox(
                x: moved.ordinates[vertices.lowerBound * self.dimension],
                y: moved.ordinates[vertices.lowerBound * self.dimension + 1])
            for vertex in vertices {
                box.extend(
                    x: moved.ordinates[vertex * self.dimension], y: moved.ordinates[vertex * self.dimension + 1])
            }
            moved.paths[index].box = box
        }
        return moved
    }

    /// The mean of the vertices.
    var mean: [Double] {
        var sums = Array(repeating: 0.0, count: self.dimension)
        for (index, ordinate) in self.ordinates.enumerated() { sums[index % self.dimension] += ordinate }
        return sums.map { $0 / Double(max(self.vertexCount, 1)) }
    }
}

/// A bounding box. If vertices move by the tolerance at most, so do its sides.
struct CoordinateBox {
    private(set) var minX: Double
    private(set) var minY: Double
    private(set) var maxX: Double
    private(set) var maxY: Double

    init(x: Double, y: Double) {
        (self.minX, self.minY, self.maxX, self.maxY) = (x, y, x, y)
    }

    mutating func extend(x: Double, y: Double) {
        self.minX = min(self.minX, x)
        self.minY = min(self.minY, y)
        self.maxX = max(self.maxX, x)
        self.maxY = max(self.maxY, y)
    }

    mutating func formUnion(_ other: CoordinateBox) {
        self.extend(x: other.minX, y: other.minY)
        self.extend(x: other.maxX, y: other.maxY)
    }

    func meets(_ other: CoordinateBox) -> Bool {
        self.minX <= other.maxX && other.minX <= self.maxX && self.minY <= other.maxY && other.minY <= self.maxY
    }

    func isNear(_ other: CoordinateBox) -> Bool {
        Tolerance.near(self.minX, other.minX) && Tolerance.near(self.minY, other.minY)
            && Tolerance.near(self.maxX, other.maxX) && Tolerance.near(self.maxY, other.maxY)
    }
}
