/// A ring that turns in one direction only.
package struct ConvexRing {
    private let points: [LocalPoint]

    /// Nil if the ring, which repeats its first point at the end, is not convex.
    package init?(_ ring: [LocalPoint]) {
        guard ring.count >= 4, let first = ring.first, let last = ring.last, first.x == last.x, first.y == last.y else {
            return nil
        }
        let points = Array(ring.dropLast())
        var (isLeft, isRight, reversals) = (false, false, 0)
        var (firstIsEast, lastIsEast): (Bool?, Bool?) = (nil, nil)
        var (previous, current) = (points[points.count - 2], points[points.count - 1])
        for next in points {
            let (ax, ay) = (current.x - previous.x, current.y - previous.y)
            let (bx, by) = (next.x - current.x, next.y - current.y)
            let turn = ax * by - ay * bx
            if turn == 0, ax * bx + ay * by < 0 { return nil }
            isLeft = isLeft || turn > 0
            isRight = isRight || turn < 0
            if bx != 0 {
                if let lastIsEast, lastIsEast != (bx > 0) { reversals += 1 }
                lastIsEast = bx > 0
                firstIsEast = firstIsEast ?? lastIsEast
            }
            (previous, current) = (current, next)
        }
        if firstIsEast != lastIsEast { reversals += 1 }
        // A ring that winds twice goes east and west twice. The comparison is false for infinite numbers, too.
        guard isLeft != isRight, reversals <= 2 else { return nil }
        self.points = points
    }

    /// The part in the buffered tile, without the first point at the end (Sutherland–Hodgman).
    package var clipped: [LocalPoint] {
        Self.cut(Self.cut(self.points).map(\.transposed)).map(\.transposed)
    }

    /// Cuts off what is east or west of the buffered tile.
    private static func cut(_ points: [LocalPoint]) -> [LocalPoint] {
        let range = LocalPoint.range
        if points.allSatisfy({ range.contains($0.x) }) { return points }
        let east = self.cut(points, at: range.lowerBound) { $0.x >= range.lowerBound }
        return self.cut(east, at: range.upperBound) { $0.x <= range.upperBound }
    }

    @inline(__always)
    private static func cut(_ points: [LocalPoint], at x: Double, keeps: (LocalPoint) -> Bool) -> [LocalPoint] {
        guard var last = points.last else { return [] }
        var kept: [LocalPoint] = []
        kept.reserveCapacity(points.count + 2)
        for point in points {
            if keeps(point) != keeps(last) {
                let share = (x - last.x) / (point.x - last.x)
                kept.append(LocalPoint(x: x, y: last.y + share * (point.y - last.y)))
            }
            if keeps(point) { kept.append(point) }
            last = point
        }
        return kept
    }
}

extension LocalPoint {
    fileprivate var transposed: LocalPoint { LocalPoint(x: self.y, y: self.x) }
}
