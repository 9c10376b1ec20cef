/// A rectangle of longitudes and latitudes in degrees. It may be unbounded in the west or in the east.
package struct GeographicBox: Hashable, Sendable {
    package var west: Double
    package var south: Double
    package var east: Double
    package var north: Double

    package init(west: Double, south: Double, east: Double, north: Double) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// Of nothing: it intersects no other box, and the union with another box is that box.
    static let empty = GeographicBox(west: .infinity, south: .infinity, east: -.infinity, north: -.infinity)

    func intersects(_ other: GeographicBox) -> Bool {
        self.west <= other.east && other.west <= self.east && self.south <= other.north && other.south <= self.north
    }

    func contains(_ other: GeographicBox) -> Bool {
        self.west <= other.west && other.east <= self.east && self.south <= other.south && other.north <= self.north
    }

    func contains(x: Double, y: Double) -> Bool {
        self.west <= x && x <= self.east && self.south <= y && y <= self.north
    }

    mutating func extend(x: Double, y: Double) {
        self.west = min(self.west, x)
        self.south = min(self.south, y)
        self.east = max(self.east, x)
        self.north = max(self.north, y)
    }

    func union(_ other: GeographicBox) -> GeographicBox {
        GeographicBox(
            west: min(self.west, other.west), south: min(self.south, other.south), east: max(self.east, other.east),
            north: max(self.north, other.north))
    }

    /// Whether a segment has a position in common with the box, by the algorithm of Liang and Barsky.
    func intersectsSegment(fromX x: Double, y: Double, toX endX: Double, y endY: Double) -> Bool {
        let (dx, dy) = (endX - x, endY - y)
        var (first, last) = (0.0, 1.0)
        func clips(_ direction: Double, _ distance: Double) -> Bool {
            if direction == 0 { return distance >= 0 }
            let parameter = distance / direction
            if direction < 0 { first = max(first, parameter) } else { last = min(last, parameter) }
            return first <= last
        }
        return clips(-dx, x - self.west) && clips(dx, self.east - x) && clips(-dy, y - self.south)
            && clips(dy, self.north - y)
    }
}
