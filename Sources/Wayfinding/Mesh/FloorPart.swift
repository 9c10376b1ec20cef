/// A polygon of a unit.
struct FloorPart: Sendable {
    /// An index in the spaces of the floor.
    let space: Int
    let level: Int
    let rings: [[GridPoint]]
    let box: GridBox

    var positionCount: Int { self.rings.reduce(0) { $0 + $1.count } }

    /// Whether a point is within an odd number of rings; points on a ring may be either.
    func contains(_ point: GridPoint) -> Bool {
        guard point.x >= self.box.left, point.x <= self.box.right, point.y >= self.box.bottom, point.y <= self.box.top
        else { return false }
        var isInside = false
        for ring in self.rings {
            var start = ring[ring.count - 1]
            for end in ring {
                if (start.y > point.y) != (end.y > point.y) {
                    let side = GridPoint.orientation(start, end, point)
                    if (side > 0) == (end.y > start.y) { isInside.toggle() }
                }
                start = end
            }
        }
        return isInside
    }

    func isOnRing(_ point: GridPoint) -> Bool {
        let box = GridBox(point, point)
        return self.rings.contains { ring in
            var start = ring[ring.count - 1]
            return ring.contains { end in
                defer { start = end }
                return GridPoint.orientation(start, end, point) == 0 && GridBox(start, end).intersects(box)
            }
        }
    }

    /// Twice the area, in square millimeters.
    var doubleArea: Double {
        var area = 0.0
        for (index, ring) in self.rings.enumerated() {
            var sum = 0.0
            let origin = ring[0]
            for position in 1..<(ring.count - 1) {
                sum += Double(GridPoint.orientation(origin, ring[position], ring[position + 1]))
            }
            area += index == 0 ? sum.magnitude : -sum.magnitude
        }
        return area
    }
}

/// An edge of a ring.
struct Wall: Sendable {
    let part: Int
    let ring: Int
    let index: Int
    let start: GridPoint
    let end: GridPoint
}

/// A stretch of an opening with what is on its left and on its right.
struct PortalPlan: Sendable {
    enum Side: Hashable, Sendable {
        /// A wall that ends at the opening, by its index.
        case wall(Int)
        /// The inside of a part in which the opening lies, by its index.
        case interior(Int)
    }

    /// An index in the doorways of the floor; nil between parts of a unit.
    let doorway: Int?
    let start: GridPoint
    let end: GridPoint
    /// In millimeters.
    var width: Double
    var left: Side?
    var right: Side?
}

/// The half-edges on both sides of a portal, or the one of a portal with one side.
struct PortalEdges: RandomAccessCollection, Hashable, Sendable {
    private let one: Int32
    private let other: Int32

    /// One of them may be -1.
    init(_ left: Int32, _ right: Int32) {
        (self.one, self.other) = left < 0 ? (right, -1) : (left, right)
    }

    var startIndex: Int { 0 }

    @inline(__always)
    var endIndex: Int { self.other < 0 ? 1 : 2 }

    @inline(__always)
    subscript(position: Int) -> Int32 { position == 0 ? self.one : self.other }

    /// The half-edge on the other side of one of them, or -1.
    @inline(__always)
    func across(_ edge: Int32) -> Int32 { edge == self.one ? self.other : self.one }

    func moved(by offset: Int32) -> PortalEdges {
        PortalEdges(self.one + offset, self.other < 0 ? -1 : self.other + offset)
    }
}
