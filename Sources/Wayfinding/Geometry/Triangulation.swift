/// A constrained triangulation of points and segments on the grid.
///
/// It works for any segments, also for those that cross, overlap or repeat: segments that cross get a common point, rounded to the grid.
/// All decisions about the structure are exact. The triangulation is Delaunay where no segment prevents it, except for rounding; that
/// affects only the shape of triangles.
///
/// A half-edge *h* belongs to the triangle *h* / 3, leads from `origins[h]` to the origin of the next half-edge of its triangle, and has
/// the triangle on its left.
struct Triangulation {
    /// What a segment separates, as bits.
    struct Mark: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        /// An even number of outer rings cancel each other, and so do inner rings.
        static let outerRing = Mark(rawValue: 1)
        static let innerRing = Mark(rawValue: 2)
        /// A segment that separates nothing, but is an edge.
        static let slit = Mark(rawValue: 4)
    }

    private(set) var points: [GridPoint]
    private(set) var origins: [Int32]
    private(set) var twins: [Int32]
    var marks: [UInt8]
    /// A half-edge that begins at each point.
    private(set) var edges: [Int32]
    private var last: Int32 = 0
    /// How many crossings of segments may still be resolved, and how many edges may still be examined for segments and for the shape of
    /// triangles.
    var crossingsLeft = 4_000
    var stepsLeft: Int
    /// How many triangles may still be visited to find those of points.
    private var visitsLeft: Int
    /// How many edges may still be looked at around points and along segments to find those of segments.
    var lookupsLeft: Int
    var isTooComplex = false

    /// Two triangles that contain a box.
    init(around box: GridBox, expecting count: Int) {
        let box = box.expanded(by: 1_000)
        self.points = [
            GridPoint(x: box.left, y: box.bottom), GridPoint(x: box.right, y: box.bottom),
            GridPoint(x: box.right, y: box.top), GridPoint(x: box.left, y: box.top),
        ]
        self.origins = [0, 1, 2, 0, 2, 3]
        self.twins = [-1, -1, 3, 2, -1, -1]
        self.marks = [0, 0, 0, 0, 0, 0]
        self.edges = [0, 1, 2, 5]
        self.stepsLeft = 1_000_000 + 64 * count
        self.visitsLeft = 100_000 + 512 * count
        self.lookupsLeft = 1_000_000 + 4_096 * count
        self.points.reserveCapacity(count + 4)
        self.origins.reserveCapacity(6 * count + 6)
        self.twins.reserveCapacity(6 * count + 6)
        self.marks.reserveCapacity(6 * count + 6)
    }

    var triangleCount: Int { self.origins.count / 3 }

    @inline(__always)
    static func next(_ edge: Int32) -> Int32 { edge % 3 == 2 ? edge - 2 : edge + 1 }

    @inline(__always)
    static func previous(_ edge: Int32) -> Int32 { edge % 3 == 0 ? edge + 2 : edge - 1 }

    @inline(__always)
    func point(_ edge: Int32) -> GridPoint { self.points[Int(self.origins[Int(edge)])] }

    /// The half-edge from one point to another, if it is an edge.
    func edge(from start: Int32, to end: Int32) -> Int32? {
        var lookups = 0
        return self.edge(from: start, to: end, counting: &lookups)
    }

    /// The same for segments, for which all lookups together are limited.
    mutating func edgeOfSegment(from start: Int32, to end: Int32) -> Int32? {
        var lookups = 0
        let edge = self.edge(from: start, to: end, counting: &lookups)
        self.lookupsLeft -= lookups
        return edge
    }

    private func edge(from start: Int32, to end: Int32, counting lookups: inout Int) -> Int32? {
        let first = self.edges[Int(start)]
        var edge = first
        repeat {
            lookups += 1
            if self.origins[Int(Self.next(edge))] == end { return edge }
            edge = self.twins[Int(Self.previous(edge))]
        } while edge != first && edge >= 0
        // Around a corner of the box there are triangles on the other side.
        edge = first
        while self.twins[Int(edge)] >= 0 {
            lookups += 1
            edge = Self.next(self.twins[Int(edge)])
            if edge == first { return nil }
            if self.origins[Int(Self.next(edge))] == end { return edge }
        }
        return nil
    }
}

// MARK: - Points

extension Triangulation {
    /// Adds a point inside of the box and returns its index; that of the same point if it was added before, and any if that is too complex.
    mutating func add(_ point: GridPoint) -> Int32 {
        guard let (triangle, zero) = self.locate(point) else {
            self.isTooComplex = true
            return 0
        }
        for corner in triangle..<(triangle + 3) where self.point(corner) == point { return self.origins[Int(corner)] }
        let index = Int32(self.points.count)
        self.points.append(point)
        self.edges.append(-1)
        if zero >= 0 { self.split(edge: zero, at: index) } else { self.split(triangle: triangle, at: index) }
        return index
    }

    /// The first half-edge of the triangle that contains a point, and the half-edge on which it is, or -1; nil if too many were visited.
    private mutating func locate(_ point: GridPoint) -> (triangle: Int32, edge: Int32)? {
        var triangle = self.last
        // A walk can run in circles in triangulations that are not Delaunay, so its length is limited.
        var step = 0
        let limit = 64 + 3 * self.triangleCount
        walk: while step < limit {
            step += 1
            guard self.visitsLeft > 0 else { return nil }
            self.visitsLeft -= 1
            var zero: Int32 = -1
            for offset in 0..<3 {
                let edge = triangle + Int32((offset + step) % 3)
                let side = GridPoint.orientation(self.point(edge), self.point(Self.next(edge)), point)
                if side < 0 {
                    let twin = self.twins[Int(edge)]
                    triangle = twin - twin % 3
                    continue walk
                }
                if side == 0 { zero = edge }
            }
            self.last = triangle
            return (triangle, zero)
        }
        triangle = 0
        while true {
            guard self.visitsLeft > 0 else { return nil }
            self.visitsLeft -= 1
            var zero: Int32 = -1
            var isInside = true
            for edge in triangle..<(triangle + 3) {
                let side = GridPoint.orientation(self.point(edge), self.point(Self.next(edge)), point)
                if side < 0 { isInside = false }
                if side == 0 { zero = edge }
            }
            if isInside {
                self.last = triangle
                return (triangle, zero)
            }
            triangle += 3
        }
    }

    private mutating func addTriangle(_ one: Int32, _ two: Int32, _ three: Int32) -> Int32 {
        let triangle = Int32(self.origins.count)
        self.origins += [one, two, three]
        self.twins += [-1, -1, -1]
        self.marks += [0, 0, 0]
        return triangle
    }

    private mutating func set(_ triangle: Int32, _ one: Int32, _ two: Int32, _ three: Int32) {
        self.origins[Int(triangle)] = one
        self.origins[Int(triangle) + 1] = two
        self.origins[Int(triangle) + 2] = three
        self.edges[Int(one)] = triangle
        self.edges[Int(two)] = triangle + 1
        self.edges[Int(three)] = triangle + 2
    }

    private mutating func join(_ edge: Int32, _ twin: Int32, _ mark: UInt8) {
        self.twins[Int(edge)] = twin
        self.marks[Int(edge)] = mark
        guard twin >= 0 else { return }
        self.twins[Int(twin)] = edge
        self.marks[Int(twin)] = mark
    }

    private mutating func split(triangle: Int32, at point: Int32) {
        let corners = (0..<3).map { self.origins[Int(triangle) + $0] }
        let outer = (0..<3).map { (self.twins[Int(triangle) + $0], self.marks[Int(triangle) + $0]) }
        let second = self.addTriangle(0, 0, 0)
        let third = self.addTriangle(0, 0, 0)
        self.set(triangle, corners[0], corners[1], point)
        self.set(second, corners[1], corners[2], point)
        self.set(third, corners[2], corners[0], point)
        self.join(triangle, outer[0].0, outer[0].1)
        self.join(second, outer[1].0, outer[1].1)
        self.join(third, outer[2].0, outer[2].1)
        self.join(triangle + 1, second + 2, 0)
        self.join(second + 1, third + 2, 0)
        self.join(third + 1, triangle + 2, 0)
        self.legalize([triangle, second, third])
    }

    private mutating func split(edge: Int32, at point: Int32) {
        let twin = self.twins[Int(edge)]
        let mark = self.marks[Int(edge)]
        let (a, b) = (self.origins[Int(edge)], self.origins[Int(twin)])
        let (next, previous) = (Self.next(edge), Self.previous(edge))
        let (twinNext, twinPrevious) = (Self.next(twin), Self.previous(twin))
        let (c, d) = (self.origins[Int(previous)], self.origins[Int(twinPrevious)])
        let sides = [next, previous, twinNext, twinPrevious].map { (self.twins[Int($0)], self.marks[Int($0)]) }
        let (one, two) = (edge - edge % 3, twin - twin % 3)
        let three = self.addTriangle(0, 0, 0)
        let four = self.addTriangle(0, 0, 0)
        self.set(one, b, c, point)
        self.set(three, c, a, point)
        self.set(two, a, d, point)
        self.set(four, d, b, point)
        self.join(one, sides[0].0, sides[0].1)
        self.join(three, sides[1].0, sides[1].1)
        self.join(two, sides[2].0, sides[2].1)
        self.join(four, sides[3].0, sides[3].1)
        self.join(one + 1, three + 2, 0)
        self.join(two + 1, four + 2, 0)
        self.join(three + 1, two + 2, mark)
        self.join(four + 1, one + 2, mark)
        self.legalize([one, three, two, four])
    }

    /// Replaces the diagonal of the two triangles at an edge.
    mutating func flip(_ edge: Int32) {
        let twin = self.twins[Int(edge)]
        let (next, previous) = (Self.next(edge), Self.previous(edge))
        let (twinNext, twinPrevious) = (Self.next(twin), Self.previous(twin))
        let (a, b) = (self.origins[Int(edge)], self.origins[Int(twin)])
        let (c, d) = (self.origins[Int(previous)], self.origins[Int(twinPrevious)])
        let sides = (
            (self.twins[Int(next)], self.marks[Int(next)]), (self.twins[Int(previous)], self.marks[Int(previous)]),
            (self.twins[Int(twinNext)], self.marks[Int(twinNext)]),
            (self.twins[Int(twinPrevious)], self.marks[Int(twinPrevious)])
        )
        let (one, two) = (edge - edge % 3, twin - twin % 3)
        self.set(one, a, d, c)
        self.set(two, b, c, d)
        self.join(one, sides.2.0, sides.2.1)
        self.join(one + 2, sides.1.0, sides.1.1)
        self.join(two, sides.0.0, sides.0.1)
        self.join(two + 2, sides.3.0, sides.3.1)
        self.join(one + 1, two + 1, 0)
    }

    /// Flips edges opposite to a new point until they are Delaunay. Each flip adds an edge to the point, so this ends whatever the
    /// rounding errors are.
    private mutating func legalize(_ edges: [Int32]) {
        var stack = edges
        while let edge = stack.popLast() {
            let twin = self.twins[Int(edge)]
            guard twin >= 0, self.marks[Int(edge)] == 0, self.shouldFlip(edge) else { continue }
            self.stepsLeft -= 1
            self.flip(edge)
            // The triangles are now (a, far, new) and (b, new, far).
            stack.append(edge - edge % 3)
            stack.append(twin - twin % 3 + 2)
        }
    }

    /// Whether the edge is certainly not Delaunay, and its triangles are a convex quadrilateral.
    func shouldFlip(_ edge: Int32) -> Bool {
        let twin = self.twins[Int(edge)]
        guard twin >= 0, self.stepsLeft > 0 else { return false }
        let (a, b) = (self.point(edge), self.point(twin))
        let (left, right) = (self.point(Self.previous(edge)), self.point(Self.previous(twin)))
        return GridPoint.orientation(left, a, right) > 0 && GridPoint.orientation(left, right, b) > 0
            && Self.isInCircle(a, b, left, right)
    }

    /// Whether a point is certainly in the circle through three others, which are in counterclockwise order.
    ///
    /// The factors are whole numbers below 2^53, so only their products and sums are rounded.
    private static func isInCircle(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint, _ point: GridPoint) -> Bool {
        let (ax, ay) = (Double(a.x - point.x), Double(a.y - point.y))
        let (bx, by) = (Double(b.x - point.x), Double(b.y - point.y))
        let (cx, cy) = (Double(c.x - point.x), Double(c.y - point.y))
        let first = (ax * ax + ay * ay) * (bx * cy - by * cx)
        let second = (bx * bx + by * by) * (ax * cy - ay * cx)
        let third = (cx * cx + cy * cy) * (ax * by - ay * bx)
        return first - second + third > 1e-15 * (first.magnitude + second.magnitude + third.magnitude)
    }
}
