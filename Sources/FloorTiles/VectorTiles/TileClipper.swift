import CGEOS

/// Cuts geometry at the buffered border of a tile and rounds it to the tile's grid. Polygons are valid afterwards.
///
/// It is used by one task only.
final class TileClipper {
    /// How far geometry reaches beyond the tile, in units of the grid, so that lines along the border are not visible.
    static let buffer = 64.0
    /// An invalid polygon with more points is left out of vector tiles, because the time to repair it is at least quadratic. Images
    /// show it by the even-odd rule.
    private static let maximumRepairedPoints = 300

    private let geos: OpaquePointer
    private let tile: TileAddress
    private let scale: Double

    private struct Point {
        var x: Double
        var y: Double
    }

    init(tile: TileAddress) {
        self.geos = GEOS_init_r()
        self.tile = tile
        self.scale = Double(1 << tile.zoom)
    }

    deinit {
        GEOS_finish_r(self.geos)
    }

    /// Nil if nothing of the geometry is in the buffered tile.
    func clipped(_ shape: WorldShape) -> TileGeometry? {
        switch shape {
        case .points(let points):
            let rounded = points.map(self.local).filter(self.isInside).map(self.rounded)
            return rounded.isEmpty ? nil : TileGeometry(points: rounded)
        case .lines(let lines):
            let pieces = lines.flatMap { self.clipped(line: $0.map(self.local)) }
            return pieces.isEmpty ? nil : TileGeometry(lines: pieces)
        case .polygons(let polygons):
            let pieces = polygons.flatMap { self.clipped(polygon: $0.map { $0.map(self.local) }) }
            return pieces.isEmpty ? nil : TileGeometry(polygons: pieces)
        }
    }

    /// A point of the tile itself; nil if it is outside. A point on a border belongs to the eastern or southern tile.
    func point(_ point: WorldPoint) -> TileGeometry? {
        let local = self.local(point)
        let range = 0..<Double(VectorTileLayer.extent)
        guard range.contains(local.x), range.contains(local.y) else { return nil }
        return TileGeometry(points: [self.rounded(local)])
    }

    // MARK: - Points

    private func local(_ point: WorldPoint) -> Point {
        let extent = Double(VectorTileLayer.extent)
        return Point(
            x: (point.x * self.scale - Double(self.tile.x)) * extent,
            y: (point.y * self.scale - Double(self.tile.y)) * extent)
    }

    private func isInside(_ point: Point) -> Bool {
        let range = -Self.buffer...(Double(VectorTileLayer.extent) + Self.buffer)
        return range.contains(point.x) && range.contains(point.y)
    }

    private func rounded(_ point: Point) -> TilePoint {
        // Points are near the tile; the limits leave room for differences of coordinates.
        func integer(_ value: Double) -> Int32 { value.isNaN ? 0 : Int32(min(max(value.rounded(), -1e9), 1e9)) }
        return TilePoint(x: integer(point.x), y: integer(point.y))
    }

    /// Rounded points without repetitions.
    private func rounded(path: [Point]) -> [TilePoint] {
        var rounded: [TilePoint] = []
        for point in path {
            let next = self.rounded(point)
            if rounded.last != next { rounded.append(next) }
        }
        return rounded
    }

    // MARK: - Lines and polygons

    private func clipped(line: [Point]) -> [[TilePoint]] {
        if line.allSatisfy(self.isInside) { return [self.rounded(path: line)].filter { $0.count >= 2 } }
        return self.withGeometry(GEOSGeom_createLineString_r(self.geos, self.sequence(line))) { geometry in
            self.withGeometry(self.cut(geometry)) { cut in
                self.parts(of: cut).map { self.rounded(path: self.points(of: $0)) }.filter { $0.count >= 2 }
            }
        }
    }

    private func clipped(polygon: [[Point]]) -> [[[TilePoint]]] {
        let isWhole = polygon.allSatisfy { $0.allSatisfy(self.isInside) }
        if isWhole, let rounded = self.rounded(polygon: polygon), self.isValid(rounded) { return [rounded] }
        return self.withGeometry(self.geometry(of: polygon)) { geometry in
            guard GEOSisValid_r(self.geos, geometry) != 1 else { return self.cutAndRounded(geometry) }
            guard polygon.reduce(0, { $0 + $1.count }) <= Self.maximumRepairedPoints else { return [] }
            return self.withGeometry(self.repaired(geometry)) { self.cutAndRounded($0) }
        }
    }

    private func repaired(_ geometry: OpaquePointer) -> OpaquePointer? {
        guard let parameters = GEOSMakeValidParams_create_r(self.geos) else { return nil }
        defer { GEOSMakeValidParams_destroy_r(self.geos, parameters) }
        guard GEOSMakeValidParams_setMethod_r(self.geos, parameters, GEOS_MAKE_VALID_STRUCTURE) == 1 else { return nil }
        return GEOSMakeValidWithParams_r(self.geos, geometry, parameters)
    }

    private func cutAndRounded(_ geometry: OpaquePointer) -> [[[TilePoint]]] {
        self.withGeometry(self.cut(geometry)) { cut in
            self.parts(of: cut).flatMap { part -> [[[TilePoint]]] in
                // GEOS_POLYGON
                guard GEOSGeomTypeId_r(self.geos, part) == 3 else { return [] }
                guard let rounded = self.rounded(polygon: self.rings(of: part)) else { return [] }
                if self.isValid(rounded) { return [rounded] }
                // Rounding made it invalid: overlay on the grid splits it into valid parts.
                return self.withGeometry(GEOSGeom_setPrecision_r(self.geos, part, 1, 0)) { snapped in
                    self.parts(of: snapped).compactMap { self.rounded(polygon: self.rings(of: $0)) }
                }
            }
        }
    }

    /// Rings with an area; nil if the outer one has none.
    private func rounded(polygon: [[Point]]) -> [[TilePoint]]? {
        var rings: [[TilePoint]] = []
        for (index, ring) in polygon.enumerated() {
            var rounded = self.rounded(path: ring)
            while rounded.count > 1, rounded.first == rounded.last { rounded.removeLast() }
            guard rounded.count >= 3, rounded.doubleArea != 0 else {
                if index == 0 { return nil }
                continue
            }
            rings.append(rounded)
        }
        return rings.isEmpty ? nil : rings
    }

    private func isValid(_ polygon: [[TilePoint]]) -> Bool {
        let rings = polygon.map { ring in (ring + ring.prefix(1)).map { Point(x: Double($0.x), y: Double($0.y)) } }
        return self.withGeometry(self.geometry(of: rings)) { [GEOSisValid_r(self.geos, $0) == 1] }.first ?? false
    }

    // MARK: - GEOS

    private func cut(_ geometry: OpaquePointer) -> OpaquePointer? {
        let (low, high) = (-Self.buffer, Double(VectorTileLayer.extent) + Self.buffer)
        return GEOSClipByRect_r(self.geos, geometry, low, low, high, high)
    }

    /// Passes a geometry on and frees it. Nothing results from a failure.
    private func withGeometry<Result>(_ geometry: OpaquePointer?, _ body: (OpaquePointer) -> [Result]) -> [Result] {
        guard let geometry else { return [] }
        defer { GEOSGeom_destroy_r(self.geos, geometry) }
        return body(geometry)
    }

    private func sequence(_ points: [Point]) -> OpaquePointer? {
        var ordinates: [Double] = []
        ordinates.reserveCapacity(2 * points.count)
        for point in points { ordinates += [point.x, point.y] }
        return GEOSCoordSeq_copyFromBuffer_r(self.geos, ordinates, UInt32(points.count), 0, 0)
    }

    private func geometry(of polygon: [[Point]]) -> OpaquePointer? {
        var rings: [OpaquePointer?] = []
        for ring in polygon {
            guard let linear = GEOSGeom_createLinearRing_r(self.geos, self.sequence(ring)) else {
                for ring in rings { GEOSGeom_destroy_r(self.geos, ring) }
                return nil
            }
            rings.append(linear)
        }
        guard let shell = rings.first else { return nil }
        var holes = Array(rings.dropFirst())
        return GEOSGeom_createPolygon_r(self.geos, shell, &holes, UInt32(holes.count))
    }

    /// The geometry itself, or the members of a collection.
    private func parts(of geometry: OpaquePointer) -> [OpaquePointer] {
        (0..<max(0, GEOSGetNumGeometries_r(self.geos, geometry))).compactMap {
            GEOSGetGeometryN_r(self.geos, geometry, $0)
        }.filter { GEOSisEmpty_r(self.geos, $0) == 0 }
    }

    private func rings(of polygon: OpaquePointer) -> [[Point]] {
        guard GEOSGeomTypeId_r(self.geos, polygon) == 3, let shell = GEOSGetExteriorRing_r(self.geos, polygon) else {
            return []
        }
        let holes = (0..<max(0, GEOSGetNumInteriorRings_r(self.geos, polygon))).compactMap {
            GEOSGetInteriorRingN_r(self.geos, polygon, $0)
        }
        return ([shell] + holes).map(self.points)
    }

    private func points(of line: OpaquePointer) -> [Point] {
        guard let sequence = GEOSGeom_getCoordSeq_r(self.geos, line) else { return [] }
        var count: UInt32 = 0
        guard GEOSCoordSeq_getSize_r(self.geos, sequence, &count) == 1, count > 0 else { return [] }
        var ordinates = [Double](repeating: 0, count: 2 * Int(count))
        guard GEOSCoordSeq_copyToBuffer_r(self.geos, sequence, &ordinates, 0, 0) == 1 else { return [] }
        return (0..<Int(count)).map { Point(x: ordinates[2 * $0], y: ordinates[2 * $0 + 1]) }
    }
}
