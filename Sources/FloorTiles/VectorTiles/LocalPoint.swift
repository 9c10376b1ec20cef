/// A point in units of a tile's grid, before it is rounded.
package struct LocalPoint {
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

    var rounded: TilePoint {
        // Points are near the tile; the limits leave room for differences of coordinates.
        func integer(_ value: Double) -> Int32 { value.isNaN ? 0 : Int32(min(max(value.rounded(), -1e9), 1e9)) }
        return TilePoint(x: integer(self.x), y: integer(self.y))
    }

    /// The part of a segment that is in the buffered tile (Liang–Barsky).
    static func clipped(_ start: LocalPoint, _ end: LocalPoint) -> [LocalPoint]? {
        var (first, last) = (0.0, 1.0)
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        for (delta, from) in [(dx, start.x), (dy, start.y)] {
            if delta == 0 {
                guard self.range.contains(from) else { return nil }
                continue
            }
            let (one, other) = ((self.range.lowerBound - from) / delta, (self.range.upperBound - from) / delta)
            first = max(first, min(one, other))
            last = min(last, max(one, other))
        }
        guard first < last else { return nil }
        func point(_ share: Double) -> LocalPoint {
            share == 0 ? start : share == 1 ? end : LocalPoint(x: start.x + share * dx, y: start.y + share * dy)
        }
        return [point(first), point(last)]
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

    /// Whether all are on the far side of one border of the buffered tile.
    var areBesideTile: Bool {
        let range = LocalPoint.range
        return self.allSatisfy { $0.x < range.lowerBound } || self.allSatisfy { $0.x > range.upperBound }
            || self.allSatisfy { $0.y < range.lowerBound } || self.allSatisfy { $0.y > range.upperBound }
    }
}

extension [TilePoint] {
    /// Appends a point unless it is the last one.
    package mutating func append(distinct point: TilePoint) {
        if self.last != point { self.append(point) }
    }
}
