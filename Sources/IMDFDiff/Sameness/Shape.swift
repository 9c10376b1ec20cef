import IMDF

/// A GeoJSON geometry taken apart, the single kinds as a Multi* of one part.
struct Shape {
    enum Kind {
        case points, lines, polygons
    }

    /// A row of vertices: a point, a line or a ring.
    struct Path {
        /// Where its vertices stand in ``Shape/ordinates``; a ring's repeated last vertex is left out.
        var vertices: Range<Int>
        /// A ring whose last vertex is its first: it has no beginning.
        var isCycle: Bool
        var box: Box
    }

    let kind: Kind
    /// Numbers per vertex.
    private(set) var dimension = 0
    private(set) var ordinates: [Double] = []
    private(set) var paths: [Path] = []
    /// Where the paths of each part stand: one for a point or a line; of a polygon the outer ring, then the holes.
    private(set) var parts: [Range<Int>] = []

    /// Nil for a collection, for an empty geometry and for whatever is not built as its type says.
    init?(_ geometry: JSONObject) {
        guard let type = geometry["type"]?.string, let coordinates = geometry["coordinates"]?.array else { return nil }
        let isMulti: Bool
        switch type {
        case "Point": (self.kind, isMulti) = (.points, false)
        case "MultiPoint": (self.kind, isMulti) = (.points, true)
        case "LineString": (self.kind, isMulti) = (.lines, false)
        case "MultiLineString": (self.kind, isMulti) = (.lines, true)
        case "Polygon": (self.kind, isMulti) = (.polygons, false)
        case "MultiPolygon": (self.kind, isMulti) = (.polygons, true)
        default: return nil
        }
        guard isMulti else {
            guard self.appendPart(coordinates) else { return nil }
            return
        }
        for part in coordinates {
            guard let part = part.array, self.appendPart(part) else { return nil }
        }
        guard !self.parts.isEmpty else { return nil }
    }

    /// What all of it spans; nil for a shape without paths.
    var box: Box? {
        guard var box = self.paths.first?.box else { return nil }
        for path in self.paths.dropFirst() { box.formUnion(path.box) }
        return box
    }

    /// Whether this is one point.
    var isPoint: Bool { self.kind == .points && self.parts.count == 1 }

    var vertexCount: Int { self.ordinates.count / max(self.dimension, 1) }

    /// The shape moved as a whole by what takes one point to the origin, and shrunk.
    func moved(from point: [Double], scale: Double) -> Shape {
        var moved = self
        for index in self.ordinates.indices {
            moved.ordinates[index] = (self.ordinates[index] - point[index % self.dimension]) * scale
        }
        for index in self.paths.indices {
            let vertices = self.paths[index].vertices
            var box = Box(
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

    private mutating func appendPart(_ coordinates: [JSONValue]) -> Bool {
        let first = self.paths.count
        switch self.kind {
        case .points:
            guard self.appendVertex(coordinates) else { return false }
            self.closePath(from: self.vertexCount - 1, isRing: false)
        case .lines:
            guard self.appendPath(coordinates, isRing: false) else { return false }
        case .polygons:
            for ring in coordinates {
                guard let ring = ring.array, self.appendPath(ring, isRing: true) else { return false }
            }
        }
        guard self.paths.count > first else { return false }
        self.parts.append(first..<self.paths.count)
        return true
    }

    private mutating func appendPath(_ vertices: [JSONValue], isRing: Bool) -> Bool {
        let first = self.vertexCount
        for vertex in vertices {
            guard let vertex = vertex.array, self.appendVertex(vertex) else { return false }
        }
        guard self.vertexCount > first else { return false }
        self.closePath(from: first, isRing: isRing)
        return true
    }

    private mutating func appendVertex(_ vertex: [JSONValue]) -> Bool {
        if self.dimension == 0 { self.dimension = vertex.count }
        guard vertex.count == self.dimension, vertex.count >= 2 else { return false }
        for ordinate in vertex {
            guard let ordinate = ordinate.number else { return false }
            self.ordinates.append(ordinate)
        }
        return true
    }

    private mutating func closePath(from first: Int, isRing: Bool) {
        let end = self.vertexCount
        var box = Box(x: self.ordinates[first * self.dimension], y: self.ordinates[first * self.dimension + 1])
        for vertex in first..<end {
            box.extend(x: self.ordinates[vertex * self.dimension], y: self.ordinates[vertex * self.dimension + 1])
        }
        let isCycle = isRing && end - first > 1 && self.repeats(first, at: end - 1)
        if isCycle { self.ordinates.removeLast(self.dimension) }
        self.paths.append(Path(vertices: first..<self.vertexCount, isCycle: isCycle, box: box))
    }

    private func repeats(_ vertex: Int, at other: Int) -> Bool {
        (0..<self.dimension).allSatisfy {
            self.ordinates[vertex * self.dimension + $0] == self.ordinates[other * self.dimension + $0]
        }
    }
}

/// What a path spans. Vertices that stray by the tolerance move its sides by no more, whatever their order.
struct Box {
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

    mutating func formUnion(_ other: Box) {
        self.extend(x: other.minX, y: other.minY)
        self.extend(x: other.maxX, y: other.maxY)
    }

    func meets(_ other: Box) -> Bool {
        self.minX <= other.maxX && other.minX <= self.maxX && self.minY <= other.maxY && other.minY <= self.maxY
    }

    func isNear(_ other: Box) -> Bool {
        Tolerance.near(self.minX, other.minX) && Tolerance.near(self.minY, other.minY)
            && Tolerance.near(self.maxX, other.maxX) && Tolerance.near(self.maxY, other.maxY)
    }
}
