import Foundation
import IMDF

/// Meters east and north of the origin of a ``Projection``.
package struct PlanarPoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package func distance(to other: PlanarPoint) -> Double {
        let (dx, dy) = (other.x - self.x, other.y - self.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// Converts degrees to meters around an origin.
///
/// Longitude and latitude are scaled independently of each other. So geometry that is valid in degrees is valid in meters, equal
/// points stay equal, and walls along a meridian stay parallel to it. Within some kilometres, lengths are accurate to 1 in 10 000.
package struct Projection: Sendable {
    package let origin: Position
    /// The length of a degree at the origin, in meters.
    private let east: Double
    private let north: Double

    package init(origin: Position) {
        self.origin = origin
        let latitude = origin.latitude * .pi / 180
        // Series for the WGS 84 ellipsoid. At a pole a degree of longitude has no length; it must not become zero here.
        let east = 111_412.84 * cos(latitude) - 93.5 * cos(3 * latitude)
        self.east = max(east + 0.118 * cos(5 * latitude), 1)
        self.north = 111_132.92 - 559.82 * cos(2 * latitude) + 1.175 * cos(4 * latitude)
    }

    package func point(_ position: Position) -> PlanarPoint {
        PlanarPoint(
            x: (position.longitude - self.origin.longitude) * self.east,
            y: (position.latitude - self.origin.latitude) * self.north)
    }

    /// Rounded to seven decimals, about a centimetre, for display.
    package func position(_ point: PlanarPoint) -> Position {
        Position(
            longitude: Self.rounded(self.origin.longitude + point.x / self.east),
            latitude: Self.rounded(self.origin.latitude + point.y / self.north))
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
