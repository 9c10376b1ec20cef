/// A point in units of a tile's grid, before it is rounded.
package struct LocalPoint: BitwiseCopyable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
    }

    /// The coordinates of the buffered tile.
    package static let range = -TileClipper.buffer...(Double(VectorTileLayer.extent) + TileClipper.buffer)

    package static func isInside(_ point: LocalPoint) -> Bool {
        self.range.contains(point.x) && self.range.contains(point.y)
    }

    /// Half units are rounded away from zero.
    @inline(__always)
    var rounded: TilePoint { TilePoint(x: Self.rounded(self.x), y: Self.rounded(self.y)) }

    /// As `rounded()`, which calls a function of the system.
    @inline(__always)
    private static func rounded(_ value: Double) -> Int32 {
        // Points are near the tile; the limits leave room for differences of coordinates.
        guard abs(value) < 1e9 else { return value.isNaN ? 0 : value < 0 ? -1_000_000_000 : 1_000_000_000 }
        let half = 0.5.nextDown
        return Int32(truncatingIfNeeded: Int(value + (value < 0 ? -half : half)))
    }

    /// The part of a segment that is in the buffered tile (Liang–Barsky).
    static func clipped(_ start: LocalPoint, _ end: LocalPoint) -> (start: LocalPoint, end: LocalPoint)? {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        guard let columns = self.shares(of: dx, from: start.x), let rows = self.shares(of: dy, from: start.y) else {
            return nil
        }
        let first = max(max(0, columns.first), rows.first)
        let last = min(min(1, columns.last), rows.last)
        guard first < last else { return nil }
        func point(_ share: Double) -> LocalPoint {
            share == 0 ? start : share == 1 ? end : LocalPoint(x: start.x + share * dx, y: start.y + share * dy)
        }
        return (point(first), point(last))
    }

    /// Where a segment enters and leaves the range in one direction, as shares of its length; nil if it is beside it.
    @inline(__always)
    private static func shares(of delta: Double, from start: Double) -> (first: Double, last: Double)? {
        if delta == 0 { return self.range.contains(start) ? (0, 1) : nil }
        let (one, other) = ((self.range.lowerBound - start) / delta, (self.range.upperBound - start) / delta)
        return (min(one, other), max(one, other))
    }
}

extension [LocalPoint] {
    /// Rounded points without repetitions.
    var rounded: [TilePoint] {
        var rounded: [TilePoint] = []
        rounded.reserveCapacity(self.count)
        for point in self { rounded.append(distinct: point.rounded) }
        return rounded
    }
}

extension [TilePoint] {
    /// Appends a point unless it is the last one.
    package mutating func append(distinct point: TilePoint) {
        if self.last != point { self.append(point) }
    }
}

extension ScratchBuffer<TilePoint> {
    /// Appends a point, for which there is room, unless it is the last one.
    @inline(__always)
    mutating func append(distinct point: TilePoint) {
        if self.isEmpty || self.elements[self.count - 1] != point { self.append(point) }
    }
}
