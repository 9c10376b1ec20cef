import Foundation
package import IMDF

/// Metres east and north of the origin of a ``Projection``.
package struct PlanePoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package func distance(to other: PlanePoint) -> Double {
        let (dx, dy) = (other.x - self.x, other.y - self.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// Degrees as metres around one place.
///
/// Longitude and latitude are stretched each by itself, so what is planar in degrees is planar in metres, points that are one
/// stay one, and walls that run along a meridian still do. Lengths are right to 1 in 10 000 within some kilometres.
package struct Projection: Sendable {
    package let origin: Position
    /// The lengths of a degree at the origin.
    private let east: Double
    private let north: Double

    package init(origin: Position) {
        self.origin = origin
        let latitude = origin.latitude * .pi / 180
        // Series for the WGS 84 ellipsoid. At a pole a degree of longitude has no length, but must not vanish.
        let east = 111_412.84 * cos(latitude) - 93.5 * cos(3 * latitude)
        self.east = max(east + 0.118 * cos(5 * latitude), 1)
        self.north = 111_132.92 - 559.82 * cos(2 * latitude) + 1.175 * cos(4 * latitude)
    }

    package func point(_ position: Position) -> PlanePoint {
        PlanePoint(
            x: (position.longitude - self.origin.longitude) * self.east,
            y: (position.latitude - self.origin.latitude) * self.north)
    }

    /// Rounded to seven decimals, which is a centimetre: it is to be looked at.
    package func position(_ point: PlanePoint) -> Position {
        Position(
            longitude: Self.rounded(self.origin.longitude + point.x / self.east),
            latitude: Self.rounded(self.origin.latitude + point.y / self.north))
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
