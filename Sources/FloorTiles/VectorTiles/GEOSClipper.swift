import CGEOS

/// Cuts geometry of any kind with GEOS. Points are in units of a tile's grid.
///
/// It is used by one task only.
final class GEOSClipper {
    /// An invalid polygon with more points is left out of vector tiles, because the time to repair it is at least quadratic. Images
    /// show it by the even-odd rule.
    private static let maximumRepairedPoints = 300

    /// What polygons of one tile may take, roughly in microseconds. The time grows with the square of the number of points where all edges are
    /// near each other. What would take more is left out.
    private var budget = 2_000_000
    /// A repair takes as many times longer than a check.
    private static let repair = 10
    /// What one repair may take, in the unit of the budget, because GEOS does not call ``GEOSInterrupts`` during most of it.
    private static let maximumRepair = 200_000
    /// The most points of a polygon for which the budget is sufficient.
    private static let maximumPoints = 30_000
    /// The most points for which it is determined once for all tiles whether polygons are valid, because no budget bounds that.
    static let maximumKnownPoints = 5_000

    private let geos: OpaquePointer = GEOS_init_r()

    deinit {
        GEOS_finish_r(self.geos)
    }

    func clipped(line: [LocalPoint]) -> [[LocalPoint]] {
        self.withGeometry(GEOSGeom_createLineString_r(self.geos, self.sequence(line))) { geometry in
            self.withGeometry(self.cut(geometry)) { cut in self.parts(of: cut).map { self.points(of: $0) } }
        }
    }

    /// Valid polygons on the grid.
    ///
    /// - Parameter isKnownValid: Whether the polygon is known to be valid.
    func clipped(polygon: [[LocalPoint]], isKnownValid: Bool = false) -> [[[TilePoint]]] {
        var polygon = polygon
        if Self.count(polygon) > Self.maximumPoints {
            // Few of them may be in the tile, and many the same on the grid.
            guard let rounded = self.rounded(polygon: polygon.map(Self.cut)) else { return [] }
            polygon = rounded.map(Self.closed)
        }
        guard self.spend(Self.count(polygon)) else { return [] }
        let isWhole = polygon.allSatisfy { $0.allSatisfy(LocalPoint.isInside) }
        if isWhole, let rounded = self.rounded(polygon: polygon), self.isValid(rounded) { return [rounded] }
        return self.withGeometry(self.geometry(of: polygon)) { geometry in
            if isKnownValid || GEOSisValid_r(self.geos, geometry) == 1 { return self.cutAndRounded(geometry) }
            let points = Self.count(polygon)
            guard points <= Self.maximumRepairedPoints, self.spend(points, times: Self.repair) else { return [] }
            return self.withGeometry(self.repaired(geometry)) { self.cutAndRounded($0) }
        }
    }

    /// Valid polygons of which one feature consists: those that overlap or have a border in common, perhaps because of rounding, become one.
    ///
    /// - Parameter areKnownApart: Whether the polygons of the feature have nothing in common but points. Otherwise many points stay as they are,
    ///   because they may cross each other in any number of points.
    func joined(_ parts: [[[TilePoint]]], areKnownApart: () -> Bool) -> [[[TilePoint]]] {
        guard parts.count > 1 else { return parts }
        let points = parts.reduce(0) { $0 + Self.count($1) }
        guard points <= Self.maximumPoints, self.spend(points) else { return parts }
        let polygons = parts.map { $0.map(Self.closed) }
        let isValid = self.withGeometry(self.geometry(of: polygons)) { [GEOSisValid_r(self.geos, $0) == 1] }
        if isValid == [true] { return parts }
        guard points <= Self.maximumRepairedPoints || areKnownApart(), self.spend(points, times: Self.repair)
        else { return parts }
        let joined = self.withGeometry(self.geometry(of: polygons)) { geometry in
            self.withGeometry(GEOSUnaryUnionPrec_r(self.geos, geometry, 1)) { union in
                self.parts(of: union).compactMap { self.rounded(polygon: self.rings(of: $0)) }
            }
        }
        return joined.isEmpty ? parts : joined
    }

    /// - Parameter polygons: Their rings repeat their first points. In any unit.
    func areApart(_ polygons: [[[LocalPoint]]]) -> Bool {
        self.withGeometry(self.geometry(of: polygons)) { [GEOSisValid_r(self.geos, $0) == 1] }.first ?? false
    }

    /// Whether the budget is sufficient for this many points.
    private func spend(_ points: Int, times factor: Int = 1) -> Bool {
        let (square, isTooLarge) = points.multipliedReportingOverflow(by: points)
        let cost = (5 + square / 1_000) * factor
        guard !isTooLarge, cost <= (factor == 1 ? self.budget : min(self.budget, Self.maximumRepair)) else {
            return false
        }
        self.budget -= cost
        return true
    }

    /// The part of a ring in the buffered tile, by one pass over its points.
    private static func cut(_ ring: [LocalPoint]) -> [LocalPoint] {
        var clipper = RingClipper()
        clipper.ring.reserve(ring.count)
        for point in ring.dropLast() { clipper.ring.append(point) }
        clipper.clip()
        return Array(clipper.ring.elements)
    }

    private static func count(_ polygon: [[some Any]]) -> Int { polygon.reduce(0) { $0 + $1.count } }

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
                guard self.spend(Self.count(rounded), times: Self.repair) else { return [] }
                return self.withGeometry(GEOSGeom_setPrecision_r(self.geos, part, 1, 0)) { snapped in
                    self.parts(of: snapped).compactMap { self.rounded(polygon: self.rings(of: $0)) }
                }
            }
        }
    }

    /// Rings with an area; nil if the outer one has none.
    private func rounded(polygon: [[LocalPoint]]) -> [[TilePoint]]? {
        var rings: [[TilePoint]] = []
        for (index, ring) in polygon.enumerated() {
            var rounded = ring.rounded
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
        if polygon.count == 1, let isSimple = polygon[0].isSimple { return isSimple }
        return self.withGeometry(self.geometry(of: polygon.map(Self.closed))) { [GEOSisValid_r(self.geos, $0) == 1] }
            .first ?? false
    }

    private static func closed(_ ring: [TilePoint]) -> [LocalPoint] {
        (ring + ring.prefix(1)).map { LocalPoint(x: Double($0.x), y: Double($0.y)) }
    }

    // MARK: - GEOS

    private func cut(_ geometry: OpaquePointer) -> OpaquePointer? {
        let (low, high) = (LocalPoint.range.lowerBound, LocalPoint.range.upperBound)
        return GEOSClipByRect_r(self.geos, geometry, low, low, high, high)
    }

    /// Passes a geometry on and frees it. Nothing results from a failure.
    private func withGeometry<Result>(_ geometry: OpaquePointer?, _ body: (OpaquePointer) -> [Result]) -> [Result] {
        guard let geometry else { return [] }
        defer { GEOSGeom_destroy_r(self.geos, geometry) }
        return body(geometry)
    }

    private func sequence(_ points: [LocalPoint]) -> OpaquePointer? {
        var ordinates: [Double] = []
        ordinates.reserveCapacity(2 * points.count)
        for point in points { ordinates += [point.x, point.y] }
        return GEOSCoordSeq_copyFromBuffer_r(self.geos, ordinates, UInt32(points.count), 0, 0)
    }

    private func geometry(of polygon: [[LocalPoint]]) -> OpaquePointer? {
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

    private func geometry(of polygons: [[[LocalPoint]]]) -> OpaquePointer? {
        var members: [OpaquePointer?] = []
        for polygon in polygons {
            guard let member = self.geometry(of: polygon) else {
                for member in members { GEOSGeom_destroy_r(self.geos, member) }
                return nil
            }
            members.append(member)
        }
        // GEOS_MULTIPOLYGON
        return GEOSGeom_createCollection_r(self.geos, 6, &members, UInt32(members.count))
    }

    /// The geometry itself, or the members of a collection.
    private func parts(of geometry: OpaquePointer) -> [OpaquePointer] {
        (0..<max(0, GEOSGetNumGeometries_r(self.geos, geometry))).compactMap {
            GEOSGetGeometryN_r(self.geos, geometry, $0)
        }.filter { GEOSisEmpty_r(self.geos, $0) == 0 }
    }

    private func rings(of polygon: OpaquePointer) -> [[LocalPoint]] {
        guard GEOSGeomTypeId_r(self.geos, polygon) == 3, let shell = GEOSGetExteriorRing_r(self.geos, polygon) else {
            return []
        }
        let holes = (0..<max(0, GEOSGetNumInteriorRings_r(self.geos, polygon))).compactMap {
            GEOSGetInteriorRingN_r(self.geos, polygon, $0)
        }
        return ([shell] + holes).map(self.points)
    }

    private func points(of line: OpaquePointer) -> [LocalPoint] {
        guard let sequence = GEOSGeom_getCoordSeq_r(self.geos, line) else { return [] }
        var count: UInt32 = 0
        guard GEOSCoordSeq_getSize_r(self.geos, sequence, &count) == 1, count > 0 else { return [] }
        var ordinates = [Double](repeating: 0, count: 2 * Int(count))
        guard GEOSCoordSeq_copyToBuffer_r(self.geos, sequence, &ordinates, 0, 0) == 1 else { return [] }
        return (0..<Int(count)).map { LocalPoint(x: ordinates[2 * $0], y: ordinates[2 * $0 + 1]) }
    }
}
