/// A rectangle of longitudes and latitudes in degrees. If it crosses the antimeridian, its east is more than 180°.
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
        // The longitudes from 0° to 360°, of which a rectangle across the antimeridian is made.
        var (least, greatest) = (Self.movedEast(first.longitude), Self.movedEast(first.longitude))
        while let position = positions.next() {
            self.west = min(self.west, position.longitude)
            self.east = max(self.east, position.longitude)
            self.south = min(self.south, position.latitude)
            self.north = max(self.north, position.latitude)
            let moved = Self.movedEast(position.longitude)
            (least, greatest) = (min(least, moved), max(greatest, moved))
        }
        // What is wider than half the world, but not on the other side of it, crosses the antimeridian. A rectangle around the world
        // has no width there.
        let isCrossing = self.east - self.west > 180 && greatest - least < 180 && greatest > least
        if isCrossing { (self.west, self.east) = (least, greatest) }
    }

    private static func movedEast(_ longitude: Double) -> Double { longitude < 0 ? longitude + 360 : longitude }

    /// Whether it is on both sides of the antimeridian.
    public var crossesAntimeridian: Bool { self.east > 180 }

    /// The rectangle with longitudes from -180° to 180°: one around the world if it crosses the antimeridian.
    package var uncrossed: BoundingBox {
        self.crossesAntimeridian ? BoundingBox(west: -180, south: self.south, east: 180, north: self.north) : self
    }

    /// The smallest rectangle around both.
    public func union(_ other: BoundingBox) -> BoundingBox {
        var union = self
        union.south = min(self.south, other.south)
        union.north = max(self.north, other.north)
        // Either may be a turn farther west than the other.
        let candidates = [0.0, 360, -360].map { turn in
            (west: min(self.west, other.west + turn), east: max(self.east, other.east + turn))
        }
        let (west, east) = candidates.dropFirst().reduce(candidates[0]) { narrowest, each in
            narrowest.east - narrowest.west > 180 && each.east - each.west < 180 ? each : narrowest
        }
        (union.west, union.east) = west < -180 ? (west + 360, east + 360) : (west, east)
        return union
    }

    /// Whether a position is inside or on the border.
    public func contains(_ position: Position) -> Bool {
        position.latitude >= self.south && position.latitude <= self.north
            && (self.west...self.east ~= position.longitude
                || self.crossesAntimeridian && position.longitude + 360 <= self.east)
    }

    /// Whether two rectangles have a position in common, if only on the border.
    public func intersects(_ other: BoundingBox) -> Bool {
        guard self.south <= other.north, other.south <= self.north else { return false }
        return [0.0, 360, -360].contains { self.west <= other.east + $0 && other.west + $0 <= self.east }
    }
}
