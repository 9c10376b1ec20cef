/// The westernmost and the easternmost of some longitudes, in degrees. Both are known for longitudes from -180° and from 0° on, because what is
/// on both sides of the antimeridian is as wide as the world in the one and narrow in the other.
struct LongitudeSpan: Hashable, Sendable {
    private var (west, east) = (Double.infinity, -Double.infinity)
    /// The same of longitudes from 0° to 360°.
    private var (least, greatest) = (Double.infinity, -Double.infinity)

    mutating func extend(_ longitude: Double) {
        (self.west, self.east) = (min(self.west, longitude), max(self.east, longitude))
        let moved = longitude < 0 ? longitude + 360 : longitude
        (self.least, self.greatest) = (min(self.least, moved), max(self.greatest, moved))
    }

    mutating func formUnion(_ other: LongitudeSpan) {
        (self.west, self.east) = (min(self.west, other.west), max(self.east, other.east))
        (self.least, self.greatest) = (min(self.least, other.least), max(self.greatest, other.greatest))
    }

    /// West and east; nil of nothing. If it crosses the antimeridian, the west is greater than the east (RFC 7946 §5.2).
    var bounds: (west: Double, east: Double)? {
        guard self.west <= self.east else { return nil }
        // A span around the world has no width on the other side of it.
        let isCrossing =
            self.east - self.west > 180 && self.greatest - self.least < 180 && self.greatest > self.least
        return isCrossing ? (self.least, self.greatest - 360) : (self.west, self.east)
    }
}
