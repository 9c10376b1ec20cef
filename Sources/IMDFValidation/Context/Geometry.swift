package import IMDF

/// Longitude and latitude in degrees (WGS 84).
package typealias Position = GeoJSONGeometry.Position

/// A geometry without defects: every position is two finite numbers on the globe, every line has two positions, every ring is
/// closed and has four. It may still be invalid: rings may cross themselves.
package enum Geometry: Hashable, Sendable {
    case points([Position], isMulti: Bool)
    case lines([[Position]], isMulti: Bool)
    case polygons([Polygon], isMulti: Bool)

    package struct Polygon: Hashable, Sendable {
        /// The exterior, then the holes, each closed.
        package var rings: [[Position]]

        package var exterior: [Position] { self.rings[0] }
        package var holes: ArraySlice<[Position]> { self.rings.dropFirst() }

        package init(rings: [[Position]]) {
            self.rings = rings
        }
    }

    /// The GeoJSON type.
    package var kind: String {
        switch self {
        case .points(_, let isMulti): isMulti ? "MultiPoint" : "Point"
        case .lines(_, let isMulti): isMulti ? "MultiLineString" : "LineString"
        case .polygons(_, let isMulti): isMulti ? "MultiPolygon" : "Polygon"
        }
    }

    /// Whether the GeoJSON type is a Multi* type. It may still have one part only.
    package var isMulti: Bool {
        switch self {
        case .points(_, let isMulti), .lines(_, let isMulti), .polygons(_, let isMulti): isMulti
        }
    }

    package var parts: Int {
        switch self {
        case .points(let points, _): points.count
        case .lines(let lines, _): lines.count
        case .polygons(let polygons, _): polygons.count
        }
    }

    /// Every position, in the order in which they are written.
    package func forEachPosition(_ body: (Position) -> Void) {
        switch self {
        case .points(let points, _): points.forEach(body)
        case .lines(let lines, _): lines.forEach { $0.forEach(body) }
        case .polygons(let polygons, _): polygons.forEach { $0.rings.forEach { $0.forEach(body) } }
        }
    }

    func mapPositions(_ transform: (Position) -> Position) -> Geometry {
        switch self {
        case .points(let points, let isMulti): .points(points.map(transform), isMulti: isMulti)
        case .lines(let lines, let isMulti): .lines(lines.map { $0.map(transform) }, isMulti: isMulti)
        case .polygons(let polygons, let isMulti):
            .polygons(polygons.map { Polygon(rings: $0.rings.map { $0.map(transform) }) }, isMulti: isMulti)
        }
    }

    /// A point to show on a map: the middle of the bounding box of the first part.
    package var middle: Position {
        var positions: [Position] =
            switch self {
            case .points(let points, _): points
            case .lines(let lines, _): lines[0]
            case .polygons(let polygons, _): polygons[0].exterior
            }
        if case .points = self { positions = [positions[0]] }
        var (west, south, east, north) = (180.0, 90.0, -180.0, -90.0)
        for position in positions {
            west = min(west, position.longitude)
            east = max(east, position.longitude)
            south = min(south, position.latitude)
            north = max(north, position.latitude)
        }
        return Position(longitude: (west + east) / 2, latitude: (south + north) / 2)
    }
}

extension Geometry {
    /// - Precondition: the geometry was read without defects.
    init(_ geometry: GeoJSONGeometry) {
        let paths = geometry.paths.indices.map(geometry.positions(ofPath:))
        self =
            switch geometry.kind {
            case .points: .points(paths.flatMap(\.self), isMulti: geometry.isMulti)
            case .lines: .lines(paths, isMulti: geometry.isMulti)
            case .polygons:
                .polygons(geometry.parts.map { Polygon(rings: Array(paths[$0])) }, isMulti: geometry.isMulti)
            }
    }
}
