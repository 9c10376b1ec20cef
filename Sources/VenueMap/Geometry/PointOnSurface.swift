import Foundation

extension Shape {
    /// A position strictly inside the largest polygon, even if that is concave or has holes; nil if there is no area.
    ///
    /// Horizontal lines halfway between the latitudes of consecutive vertices cross the polygon without touching a vertex. The result
    /// is the midpoint of the inner segment with the most space, where the space is the smaller of the segment's length and the
    /// distance between the two latitudes. The result is deterministic.
    ///
    /// - Complexity: O(*n* log *n*) in the number of positions.
    var pointOnSurface: Position? {
        guard case .polygons(let polygons) = self else { return nil }
        // The first one of several of equal area.
        var largest: (area: Double, polygon: Polygon)?
        for polygon in polygons where polygon.area > largest?.area ?? 0 { largest = (polygon.area, polygon) }
        return largest?.polygon.pointInside
    }
}

extension Shape.Polygon {
    /// Further lines rarely give a better position.
    private static let maximumLines = 32
    /// Bounds the time for a degenerate polygon in which no line gives a position.
    private static let maximumLinesWithoutResult = 1_024

    fileprivate var pointInside: Position? {
        let latitudes = Set(self.joined().map(\.latitude)).sorted()
        let gaps = zip(latitudes, latitudes.dropFirst()).map { (south: $0, height: $1 - $0) }
            .sorted { $0.height != $1.height ? $0.height > $1.height : $0.south < $1.south }
        var best: (space: Double, position: Position)?
        for (index, gap) in gaps.enumerated() {
            if index >= (best == nil ? Self.maximumLinesWithoutResult : Self.maximumLines) { break }
            let latitude = gap.south + gap.height / 2
            // There is no number between adjacent doubles.
            guard latitude > gap.south, latitude < gap.south + gap.height else { continue }
            let narrowing = cos(latitude * .pi / 180)
            for segment in self.segments(at: latitude) {
                let space = Swift.min(gap.height, (segment.east - segment.west) * narrowing)
                let longitude = segment.west + (segment.east - segment.west) / 2
                guard space > best?.space ?? 0, longitude > segment.west, longitude < segment.east else { continue }
                best = (space, Position(longitude: longitude, latitude: latitude))
            }
        }
        return best?.position
    }

    /// The inner segments of a horizontal line that touches no vertex.
    private func segments(at latitude: Double) -> [(west: Double, east: Double)] {
        var crossings: [Double] = []
        for ring in self {
            for (start, end) in zip(ring, ring.dropFirst())
            where (start.latitude > latitude) != (end.latitude > latitude) {
                crossings.append(start.longitude(at: latitude, to: end))
            }
        }
        crossings.sort()
        return stride(from: 0, to: crossings.count - 1, by: 2).map { (crossings[$0], crossings[$0 + 1]) }
    }
}
