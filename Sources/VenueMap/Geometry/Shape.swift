import IMDF

/// A GeoJSON geometry; single and multiple geometries have the same representation.
enum Shape: Hashable, Sendable {
    typealias Ring = [Position]
    /// The outer ring, then the holes.
    typealias Polygon = [Ring]

    case none
    case points([Position])
    case lines([[Position]])
    case polygons([Polygon])

    /// Reads a `geometry`; an invalid geometry becomes ``none``.
    init(_ value: JSONValue?) {
        guard let geometry = value.flatMap(GeoJSONGeometry.init(strict:)) else {
            self = .none
            return
        }
        let paths = geometry.paths.map { path in
            path.map { index in
                Position(
                    longitude: geometry.ordinates[index * geometry.dimension],
                    latitude: geometry.ordinates[index * geometry.dimension + 1])
            }
        }
        switch geometry.kind {
        case .points: self = .points(paths.flatMap(\.self))
        case .lines: self = .lines(paths)
        case .polygons: self = .polygons(geometry.parts.map { Array(paths[$0]) })
        }
    }

    var box: BoundingBox? {
        switch self {
        case .none: nil
        case .points(let points): BoundingBox(points)
        case .lines(let lines): BoundingBox(lines.joined())
        // Holes are inside the outer ring.
        case .polygons(let polygons): BoundingBox(polygons.lazy.compactMap(\.first).joined())
        }
    }

    /// Whether a position is in a polygon and in none of its holes. Borders, including those of holes, belong to the polygon.
    func contains(_ position: Position) -> Bool {
        guard case .polygons(let polygons) = self else { return false }
        return polygons.contains { $0.contains(position) }
    }

    /// The area of polygons in square degrees; only for comparison.
    var area: Double {
        guard case .polygons(let polygons) = self else { return 0 }
        return polygons.reduce(0) { $0 + $1.area }
    }
}

extension Shape.Polygon {
    /// The area of the outer ring without the holes.
    var area: Double {
        guard let outer = self.first else { return 0 }
        return self.dropFirst().reduce(outer.area) { $0 - $1.area }
    }

    fileprivate func contains(_ position: Position) -> Bool {
        var isInside = false
        for ring in self {
            for (start, end) in zip(ring, ring.dropFirst()) {
                if position.isOnSegment(start, end) { return true }
                if position.eastRayCrosses(start, end) { isInside.toggle() }
            }
        }
        return isInside
    }
}

extension Shape.Ring {
    var area: Double {
        guard let origin = self.first else { return 0 }
        // Coordinates relative to a vertex keep the products small, which keeps their precision.
        var double = 0.0
        for (start, end) in zip(self, self.dropFirst()) {
            double +=
                (start.longitude - origin.longitude) * (end.latitude - origin.latitude)
                - (end.longitude - origin.longitude) * (start.latitude - origin.latitude)
        }
        return abs(double) / 2
    }
}

extension Position {
    /// Whether a segment crosses the ray from here to the east.
    fileprivate func eastRayCrosses(_ start: Position, _ end: Position) -> Bool {
        guard (start.latitude > self.latitude) != (end.latitude > self.latitude) else { return false }
        return self.longitude < start.longitude(at: self.latitude, to: end)
    }

    fileprivate func isOnSegment(_ start: Position, _ end: Position) -> Bool {
        guard self.longitude >= min(start.longitude, end.longitude),
            self.longitude <= max(start.longitude, end.longitude),
            self.latitude >= min(start.latitude, end.latitude), self.latitude <= max(start.latitude, end.latitude)
        else { return false }
        return (end.longitude - start.longitude) * (self.latitude - start.latitude)
            == (self.longitude - start.longitude) * (end.latitude - start.latitude)
    }

    /// The longitude of the segment from here to `end` at a latitude between both.
    func longitude(at latitude: Double, to end: Position) -> Double {
        self.longitude
            + (latitude - self.latitude) / (end.latitude - self.latitude) * (end.longitude - self.longitude)
    }
}
