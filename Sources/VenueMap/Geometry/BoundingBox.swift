/// The smallest enclosing rectangle, in degrees.
public struct BoundingBox: Hashable, Sendable {
    public private(set) var west: Double
    public private(set) var south: Double
    public private(set) var east: Double
    public private(set) var north: Double

    /// Nil if there are no positions.
    init?(_ positions: some Sequence<Position>) {
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

    public func intersects(_ other: BoundingBox) -> Bool {
        self.west <= other.east && other.west <= self.east && self.south <= other.north && other.south <= self.north
    }
}
