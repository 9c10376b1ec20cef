extension [TilePoint] {
    /// As of the same points in a buffer.
    package var isSimple: Bool? { self.withUnsafeBufferPointer { $0.isSimple } }

    /// As of the same points in a buffer.
    var doubleArea: Int64 { self.withUnsafeBufferPointer { $0.doubleArea } }
}

/// Rings of whole numbers that do not repeat their first point.
extension UnsafeBufferPointer<TilePoint> {
    /// Twice the area, with a sign.
    var doubleArea: Int64 {
        guard var last = self.last else { return 0 }
        var area: Int64 = 0
        for point in self {
            area += Int64(last.x) * Int64(point.y) - Int64(point.x) * Int64(last.y)
            last = point
        }
        return area
    }

    /// The most points for which every edge is compared with every other one.
    private static var comparedPoints: Int { 32 }

    /// Whether no two edges of the ring touch, except at the point that neighbours share. Nil for many points that are not convex.
    var isSimple: Bool? {
        if self.count < 3 { return false }
        if self.isConvex { return true }
        guard self.count <= Self.comparedPoints else { return nil }
        return self.hasSeparateEdges
    }

    /// Whether the ring turns in one direction only, once around.
    private var isConvex: Bool {
        var (sign, reversals): (Int64, Int) = (0, 0)
        // The directions to the east or west of the first and of the last edge that has one.
        var (firstX, lastX): (Int64, Int64) = (0, 0)
        var (previous, current) = (self[self.count - 2], self[self.count - 1])
        for next in self {
            let (ax, ay) = (Int64(current.x) - Int64(previous.x), Int64(current.y) - Int64(previous.y))
            let (bx, by) = (Int64(next.x) - Int64(current.x), Int64(next.y) - Int64(current.y))
            let turn = (ax * by - ay * bx).signum()
            if turn == 0 {
                // Straight on, or back on itself.
                if ax * bx + ay * by <= 0 { return false }
            } else {
                if sign != 0, turn != sign { return false }
                sign = turn
            }
            if bx != 0 {
                if lastX != 0, bx.signum() != lastX { reversals += 1 }
                lastX = bx.signum()
                if firstX == 0 { firstX = lastX }
            }
            (previous, current) = (current, next)
        }
        if firstX != lastX { reversals += 1 }
        // A ring that winds twice goes east and west twice.
        return sign != 0 && reversals <= 2
    }

    private var hasSeparateEdges: Bool {
        let count = self.count
        for first in 0..<count {
            let (a, b) = (self[first], self[first + 1 < count ? first + 1 : 0])
            // The next edge begins where this one ends.
            let next = self[(first + 2) % count]
            if TilePoint.turn(a, b, next) == 0, TilePoint.isBetween(next, a, b) || TilePoint.isBetween(a, b, next) {
                return false
            }
            guard first + 2 < count else { continue }
            // The last edge ends where the first one begins.
            for second in first + 2..<(first == 0 ? count - 1 : count) {
                if TilePoint.touch(a, b, self[second], self[second + 1 < count ? second + 1 : 0]) { return false }
            }
        }
        return true
    }
}

extension TilePoint {
    /// The direction in which the path from `a` over `b` to `c` turns: 1, -1, or 0 on a line.
    fileprivate static func turn(_ a: TilePoint, _ b: TilePoint, _ c: TilePoint) -> Int64 {
        ((Int64(b.x) - Int64(a.x)) * (Int64(c.y) - Int64(a.y)) - (Int64(b.y) - Int64(a.y)) * (Int64(c.x) - Int64(a.x)))
            .signum()
    }

    /// Whether a point on the line through two others is between them.
    fileprivate static func isBetween(_ point: TilePoint, _ a: TilePoint, _ b: TilePoint) -> Bool {
        min(a.x, b.x) <= point.x && point.x <= max(a.x, b.x) && min(a.y, b.y) <= point.y && point.y <= max(a.y, b.y)
    }

    /// Whether two edges have a point in common.
    fileprivate static func touch(_ a: TilePoint, _ b: TilePoint, _ c: TilePoint, _ d: TilePoint) -> Bool {
        guard min(a.x, b.x) <= max(c.x, d.x), min(c.x, d.x) <= max(a.x, b.x), min(a.y, b.y) <= max(c.y, d.y),
            min(c.y, d.y) <= max(a.y, b.y)
        else { return false }
        let (first, second) = (self.turn(a, b, c), self.turn(a, b, d))
        let (third, fourth) = (self.turn(c, d, a), self.turn(c, d, b))
        // The boxes overlap, so edges on one line have a point in common, too.
        return first * second <= 0 && third * fourth <= 0
    }
}
