/// A point of a ``LocalFrame`` in whole millimeters.
///
/// The coordinates of a frame are below 2^25 (33 km), so differences are below 2^26, and every product and sum in ``cross(_:_:)``
/// is a whole number below 2^53. That is exact in 64-bit integers, and in the doubles of JavaScript as well. A point takes 8 bytes, because
/// a mesh has thousands of them.
struct GridPoint: Hashable, Comparable, Sendable {
    private let storedX: Int32
    private let storedY: Int32

    @inline(__always)
    init(x: Int, y: Int) {
        self.storedX = Int32(truncatingIfNeeded: x)
        self.storedY = Int32(truncatingIfNeeded: y)
    }

    @inline(__always)
    var x: Int { Int(self.storedX) }

    @inline(__always)
    var y: Int { Int(self.storedY) }

    static func - (left: GridPoint, right: GridPoint) -> GridPoint {
        GridPoint(x: left.x - right.x, y: left.y - right.y)
    }

    static func < (left: GridPoint, right: GridPoint) -> Bool {
        left.x == right.x ? left.y < right.y : left.x < right.x
    }

    /// The cross product of two vectors: positive if the second one points to the left of the first one.
    @inline(__always)
    static func cross(_ one: GridPoint, _ other: GridPoint) -> Int {
        one.x &* other.y &- one.y &* other.x
    }

    /// Positive if `point` is to the left of the line from `start` to `end`, zero if it is on it.
    @inline(__always)
    static func orientation(_ start: GridPoint, _ end: GridPoint, _ point: GridPoint) -> Int {
        (end.x &- start.x) &* (point.y &- start.y) &- (end.y &- start.y) &* (point.x &- start.x)
    }

    func distance(to other: GridPoint) -> Double {
        let x = Double(other.x - self.x)
        let y = Double(other.y - self.y)
        return (x * x + y * y).squareRoot()
    }
}

/// A position of a frame that is not on the grid, such as the place where a path passes a door.
struct FramePosition: Hashable, Sendable {
    var x: Double
    var y: Double

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(_ point: GridPoint) {
        self.init(x: Double(point.x), y: Double(point.y))
    }

    func distance(to other: FramePosition) -> Double {
        let x = other.x - self.x
        let y = other.y - self.y
        return (x * x + y * y).squareRoot()
    }

    /// The nearest grid point.
    var rounded: GridPoint { GridPoint(x: Self.rounded(self.x), y: Self.rounded(self.y)) }

    /// Rounds halves up, as `Math.floor(value + 0.5)` does.
    static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// An axis-parallel rectangle of grid points.
struct GridBox: Hashable, Sendable {
    var left: Int
    var bottom: Int
    var right: Int
    var top: Int

    init(_ one: GridPoint, _ other: GridPoint) {
        self.left = min(one.x, other.x)
        self.right = max(one.x, other.x)
        self.bottom = min(one.y, other.y)
        self.top = max(one.y, other.y)
    }

    /// Nil for no points.
    init?(_ points: some Sequence<GridPoint>) {
        var box: GridBox?
        for point in points {
            let own = GridBox(point, point)
            box = box?.union(own) ?? own
        }
        guard let box else { return nil }
        self = box
    }

    func union(_ other: GridBox) -> GridBox {
        GridBox(
            GridPoint(x: min(self.left, other.left), y: min(self.bottom, other.bottom)),
            GridPoint(x: max(self.right, other.right), y: max(self.top, other.top)))
    }

    func expanded(by margin: Int) -> GridBox {
        GridBox(
            GridPoint(x: self.left - margin, y: self.bottom - margin),
            GridPoint(x: self.right + margin, y: self.top + margin))
    }

    @inline(__always)
    func intersects(_ other: GridBox) -> Bool {
        self.left <= other.right && other.left <= self.right && self.bottom <= other.top && other.bottom <= self.top
    }
}
