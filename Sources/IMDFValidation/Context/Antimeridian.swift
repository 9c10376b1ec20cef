import IMDF

/// Venues at ±180° of longitude. RFC 7946 §3.1.9 cuts geometries there; tools that do not make a building as wide as the world.
enum Antimeridian {
    /// The features with a geometry that crosses the antimeridian without being cut; none if the venue lies elsewhere.
    static func uncut(_ features: [ValidationFeature]) -> [ValidationFeature] {
        let uncut = features.filter { $0.geometry.map(self.isUncut) ?? false }
        guard !uncut.isEmpty else { return [] }
        // A venue elsewhere may have a geometry around the world by another mistake.
        let distances = features.compactMap { $0.geometry?.first }.map { abs($0.longitude) }.sorted()
        return distances[distances.count / 2] > self.vicinity ? uncut : []
    }

    /// Longitudes of more than this are near the antimeridian.
    private static let vicinity = 170.0

    private static func isUncut(_ geometry: Geometry) -> Bool {
        let paths: [[Position]] =
            switch geometry {
            case .points: []
            case .lines(let lines, _): lines
            case .polygons(let polygons, _): polygons.map(\.exterior)
            }
        return paths.contains { path in
            let (west, east) = (path.contains { $0.longitude < 0 }, path.contains { $0.longitude > 0 })
            return west && east && path.allSatisfy { abs($0.longitude) > self.vicinity }
        }
    }

    /// The position with a longitude from 0° to 360°. A longitude of up to seven decimals keeps them.
    static func movedEast(_ position: Position) -> Position {
        guard position.longitude < 0 else { return position }
        return Position(longitude: self.rounded(position.longitude + 360), latitude: position.latitude)
    }

    /// The longitude from -180° to 180°.
    static func restored(_ longitude: Double) -> Double {
        longitude > 180 ? self.rounded(longitude - 360) : longitude
    }

    /// The longitude that is nearest to another one, around the world.
    static func nearest(_ longitude: Double, to other: Double) -> Double {
        longitude - other > 180 ? longitude - 360 : other - longitude > 180 ? longitude + 360 : longitude
    }

    /// Sums of decimals are rounded to nine decimals, a tenth of a millimeter, to be the decimals that they would be without computing.
    private static func rounded(_ longitude: Double) -> Double { (longitude * 1e9).rounded() / 1e9 }
}

extension Geometry {
    fileprivate var first: Position? {
        switch self {
        case .points(let points, _): points.first
        case .lines(let lines, _): lines.first?.first
        case .polygons(let polygons, _): polygons.first?.exterior.first
        }
    }
}
