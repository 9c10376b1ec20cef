import Foundation

extension Shape {
    /// A position strictly inside the largest polygon, also one that is concave and has holes; nil when it covers nothing.
    ///
    /// Lines from west to east, halfway between latitudes of vertices that follow each other, cross the polygon without
    /// touching a vertex. The result is the middle of the longest part of such a line that lies inside, where there is also room
    /// to the north and the south. The same polygon has the same point, bit by bit.
    ///
    /// - Complexity: O(*n* log *n*) in the number of positions.
    var pointOnSurface: Position? {
        guard case .polygons(let polygons) = self else { return nil }
        // Of several as large, the first.
        var largest: (area: Double, polygon: Polygon)?
        for polygon in polygons where polygon.area > largest?.area ?? 0 { largest = (polygon.area, polygon) }
        return largest?.polygon.pointInside
    }
}

extension Shape.Polygon {
    /// More lines than this find no better place.
    private static let maximumLines = 32
    /// Where so many found no place at all, the polygon is a sliver that was made to be slow.
    private static let maximumVainLines = 1_024

    fileprivate var pointInside: Position? {
        let latitudes = Set(self.joined().map(\.latitude)).sorted()
        let gaps = zip(latitudes, latitudes.dropFirst()).map { (south: $0, height: $1 - $0) }
            .sorted { $0.height != $1.height ? $0.height > $1.height : $0.south < $1.south }
        var best: (room: Double, position: Position)?
        for (index, gap) in gaps.enumerated() {
            if index >= (best == nil ? Self.maximumVainLines : Self.maximumLines) { break }
            let latitude = gap.south + gap.height / 2
            // Between doubles that are neighbours there is nothing.
            guard latitude > gap.south, latitude < gap.south + gap.height else { continue }
            let narrowing = cos(latitude * .pi / 180)
            for part in self.parts(at: latitude) {
                let room = Swift.min(gap.height, (part.east - part.west) * narrowing)
                let longitude = part.west + (part.east - part.west) / 2
                guard room > best?.room ?? 0, longitude > part.west, longitude < part.east else { continue }
                best = (room, Position(longitude: longitude, latitude: latitude))
            }
        }
        return best?.position
    }

    /// The parts of a line from west to east that lie inside, when it touches no vertex.
    private func parts(at latitude: Double) -> [(west: Double, east: Double)] {
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
