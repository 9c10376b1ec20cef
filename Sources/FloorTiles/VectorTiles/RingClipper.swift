/// Cuts rings at the buffered border of a tile.
package struct RingClipper: ~Copyable {
    /// The ring, which does not repeat its first point.
    package var ring = ScratchBuffer<LocalPoint>()
    private var cut = ScratchBuffer<LocalPoint>()

    package init() {}

    /// Whether the ring turns in one direction only, once around.
    package var isConvex: Bool {
        let points = self.ring.elements
        guard points.count >= 3 else { return false }
        var (isLeft, isRight, reversals) = (false, false, 0)
        // Whether the first and the last edge that is not vertical lead to the east.
        var (hasDirection, firstIsEast, lastIsEast) = (false, false, false)
        var (previous, current) = (points[points.count - 2], points[points.count - 1])
        for next in points {
            let (ax, ay) = (current.x - previous.x, current.y - previous.y)
            let (bx, by) = (next.x - current.x, next.y - current.y)
            let turn = ax * by - ay * bx
            if turn == 0, ax * bx + ay * by < 0 { return false }
            isLeft = isLeft || turn > 0
            isRight = isRight || turn < 0
            if bx != 0 {
                let isEast = bx > 0
                if !hasDirection {
                    (hasDirection, firstIsEast) = (true, isEast)
                } else if lastIsEast != isEast {
                    reversals += 1
                }
                lastIsEast = isEast
            }
            (previous, current) = (current, next)
        }
        if hasDirection, firstIsEast != lastIsEast { reversals += 1 }
        // A ring that winds twice goes east and west twice. The comparison is false for infinite numbers, too.
        return isLeft != isRight && reversals <= 2
    }

    /// Begins the ring with the point in the west, and of several ones with the northernmost, as GEOS does.
    package mutating func rotate() {
        let points = self.ring.elements
        guard let first = points.indices.min(by: { (points[$0].x, points[$0].y) < (points[$1].x, points[$1].y) }) else {
            return
        }
        self.cut.removeAll()
        self.cut.append(contentsOf: UnsafeBufferPointer(rebasing: points[first...]))
        self.cut.append(contentsOf: UnsafeBufferPointer(rebasing: points[..<first]))
        swap(&self.ring, &self.cut)
    }

    private enum Axis {
        case x, y
    }

    /// Reduces the ring to its part in the buffered tile (Sutherland–Hodgman). If a ring that is not convex has several parts there, edges
    /// along the border connect them, so that the result is not simple.
    package mutating func clip() {
        let range = LocalPoint.range
        self.cut(.x, at: range.lowerBound) { $0 >= range.lowerBound }
        self.cut(.x, at: range.upperBound) { $0 <= range.upperBound }
        self.cut(.y, at: range.lowerBound) { $0 >= range.lowerBound }
        self.cut(.y, at: range.upperBound) { $0 <= range.upperBound }
    }

    /// Cuts off what is on one side of a line.
    @inline(__always)
    private mutating func cut(_ axis: Axis, at limit: Double, keeps: (Double) -> Bool) {
        func coordinate(_ point: LocalPoint) -> Double { axis == .x ? point.x : point.y }
        let points = self.ring.elements
        guard var last = points.last, !points.allSatisfy({ keeps(coordinate($0)) }) else { return }
        self.cut.removeAll()
        self.cut.reserve(2 * points.count)
        for point in points {
            let (isKept, wasKept) = (keeps(coordinate(point)), keeps(coordinate(last)))
            if isKept != wasKept {
                let share = (limit - coordinate(last)) / (coordinate(point) - coordinate(last))
                self.cut.append(
                    axis == .x
                        ? LocalPoint(x: limit, y: last.y + share * (point.y - last.y))
                        : LocalPoint(x: last.x + share * (point.x - last.x), y: limit))
            }
            if isKept { self.cut.append(point) }
            last = point
        }
        swap(&self.ring, &self.cut)
    }
}
