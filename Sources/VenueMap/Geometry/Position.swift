import Foundation

/// A WGS 84 position in degrees.
public struct Position: Hashable, Sendable {
    public let longitude: Double
    public let latitude: Double

    public init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The great-circle distance in meters on a sphere with a radius of 6 371 008.8 m.
    public func distance(to other: Position) -> Double {
        let degree = Double.pi / 180
        let northward = sin((other.latitude - self.latitude) * degree / 2)
        let eastward = sin((other.longitude - self.longitude) * degree / 2)
        let chord =
            northward * northward + cos(self.latitude * degree) * cos(other.latitude * degree) * eastward * eastward
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}
