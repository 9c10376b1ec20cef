/// A rectangle of longitudes and latitudes in degrees. It does not cross the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    public private(set) var west: Double
    public private(set) var south: Double
    public private(set) var east: Double
    public private(set) var north: Double

    /// The rectangle between two longitudes and two latitudes, in either order.
    public init(west: Double, south: Double, east: Double, north: Double) {
        (self.west, self.east) = (min(west, east), max(west, east))
        (self.south, self.north) = (min(south, north), max(south, north))
    }

    /// The smallest enclosing rectangle; nil if there are no positions.
    public init?(_ positions: some Sequence<Position>) {
        var positions = positions.makeIterator()
        guard let first = positions.next() else { return nil }
        (self.west, self.east) = (first.longitude, first.longitude)
        (self.south, self.north) = (first.latitude, first.latitude)
        while let position = positions.next() {
            self.west = min(self.west, position.longitude)
            self.east = max(self.east, position.longitude)
            self.south = min(self.south, position.latitude)
            self.north = max(self.north, position.latitude)
        }
    }

    /// The smallest rectangle around both.
    public func union(_ other: BoundingBox) -> BoundingBox {
        var union = self
        union.west = min(self.west, other.west)
        union.south = min(self.south, other.south)
        union.east = max(self.east, other.east)
        union.north = max(self.north, other.north)
        return union
    }

    /// Whether a position is inside or on the border.
    public func contains(_ position: Position) -> Bool {
        position.longitude >= self.west && position.longitude <= self.east && position.latitude >= self.south
            && position.latitude <= self.north
    }

    /// Whether two rectangles have a position in common, if only on the border.
    public func intersects(_ other: BoundingBox) -> Bool {
        self.west <= other.east && other.west <= self.east && self.south <= other.north && other.south <= self.north
    }
}
