internal import CGEOS

/// A geometry in meters, owned by GEOS until it is deinitialized.
///
/// Predicates are exact. The first predicate of a geometry prepares it, which makes the next ones cheap. So test whether the level
/// covers its units, not whether the units are covered by their level.
package final class PlanarGeometry {
    let pointer: OpaquePointer
    let geos: GEOSContext
    private var preparedPointer: OpaquePointer?
    private var lastPairs: LastPairs?
    private(set) lazy var vertexCount = max(Int(GEOSGetNumCoordinates_r(self.handle, self.pointer)), 0)
    /// The number of rings of an area, or of parts of any other geometry.
    private(set) lazy var ringCount = self.countRings()
    private(set) lazy var edges = Segments(self.paths())
    private(set) lazy var chains = ChainSpans(self.paths())
    private(set) lazy var ownPairs = self.countOwnPairs()

    init(owning pointer: OpaquePointer, on geos: GEOSContext) {
        self.pointer = pointer
        self.geos = geos
    }

    deinit {
        if let preparedPointer = self.preparedPointer {
            GEOSPreparedGeom_destroy_r(self.geos.handle, preparedPointer)
        }
        GEOSGeom_destroy_r(self.geos.handle, self.pointer)
    }

    private var handle: OpaquePointer { self.geos.handle }

    private func countRings() -> Int {
        (0..<max(GEOSGetNumGeometries_r(self.handle, self.pointer), 0)).reduce(0) { count, number in
            let part = GEOSGetGeometryN_r(self.handle, self.pointer, number)
            return count + 1 + Int(max(GEOSGetNumInteriorRings_r(self.handle, part), 0))
        }
    }

    /// The number of pairs of edges of the two geometries whose boxes intersect, up to the limit. A pair of geometries is often
    /// compared several times in a row, so the last result is cached.
    func closePairs(with other: PlanarGeometry) -> Int {
        if let last = self.lastPairs, last.other === other { return last.count }
        let count = self.edges.closePairs(with: other.edges, limit: Self.mostCrossings)
        self.lastPairs = LastPairs(other: other, count: count)
        return count
    }

    private struct LastPairs {
        weak var other: PlanarGeometry?
        let count: Int
    }

    private func prepared() throws(ComputationFailure) -> OpaquePointer {
        if let preparedPointer = self.preparedPointer { return preparedPointer }
        guard let prepared = GEOSPrepare_r(self.handle, self.pointer) else { throw self.geos.failure() }
        self.preparedPointer = prepared
        return prepared
    }
}

// MARK: - Predicates

extension PlanarGeometry {
    package var isEmpty: Bool { GEOSisEmpty_r(self.handle, self.pointer) == 1 }

    /// Whether every point of the other geometry lies inside or on the boundary.
    package func covers(_ other: PlanarGeometry) throws(ComputationFailure) -> Bool {
        // If the outlines touch, the prepared geometry computes the full relation.
        try self.spendOnRelating(other)
        let prepared = try self.prepared()
        return try self.geos.evaluate { GEOSPreparedCovers_r(self.handle, prepared, other.pointer) }
    }

    package func intersects(_ other: PlanarGeometry) throws(ComputationFailure) -> Bool {
        try self.spendOnRelating(other, times: 1)
        let prepared = try self.prepared()
        return try self.geos.evaluate { GEOSPreparedIntersects_r(self.handle, prepared, other.pointer) }
    }

    /// Whether the interiors intersect. Areas that only touch do not overlap.
    package func overlaps(_ other: PlanarGeometry) throws(ComputationFailure) -> Bool {
        guard try self.intersects(other) else { return false }
        try self.spendOnRelating(other)
        return try self.geos.evaluate {
            GEOSRelatePattern_r(self.handle, self.pointer, other.pointer, "T********")
        }
    }

    /// Whether both cover the same points.
    package func equals(_ other: PlanarGeometry) throws(ComputationFailure) -> Bool {
        try self.spendOnRelating(other)
        return try self.geos.evaluate { GEOSEquals_r(self.handle, self.pointer, other.pointer) }
    }

    /// Whether a line does not meet itself except at its ends.
    package func isSimple() throws(ComputationFailure) -> Bool {
        try self.spendOnValidity()
        return try self.geos.evaluate { GEOSisSimple_r(self.handle, self.pointer) }
    }

    /// Why and where an area is invalid; nil for a valid one.
    package func invalidity() throws(ComputationFailure) -> (reason: String, at: PlanarPoint?)? {
        try self.spendOnValidity()
        var reason: UnsafeMutablePointer<CChar>?
        var location: OpaquePointer?
        defer {
            GEOSFree_r(self.handle, reason)
            GEOSGeom_destroy_r(self.handle, location)
        }
        let isValid = try self.geos.evaluate {
            GEOSisValidDetail_r(self.handle, self.pointer, 0, &reason, &location)
        }
        guard !isValid else { return nil }
        var at = PlanarPoint(x: .nan, y: .nan)
        if let location {
            _ = GEOSGeomGetX_r(self.handle, location, &at.x)
            _ = GEOSGeomGetY_r(self.handle, location, &at.y)
        }
        return (reason.map { String(cString: $0) } ?? "", at.x.isFinite && at.y.isFinite ? at : nil)
    }
}

// MARK: - Measures

extension PlanarGeometry {
    package func area() throws(ComputationFailure) -> Double {
        try self.geos.number { GEOSArea_r(self.handle, self.pointer, &$0) }
    }

    package func length() throws(ComputationFailure) -> Double {
        try self.geos.number { GEOSLength_r(self.handle, self.pointer, &$0) }
    }

    package func distance(to other: PlanarGeometry) throws(ComputationFailure) -> Double {
        try self.spendOnDistance(other)
        let prepared = try self.prepared()
        return try self.geos.number { GEOSPreparedDistance_r(self.handle, prepared, other.pointer, &$0) }
    }

    /// A point in the interior.
    package func pointInside() throws(ComputationFailure) -> PlanarPoint {
        try self.geos.spend(self.vertexCount)
        let point = try self.geos.own(perVertex: 0) { GEOSPointOnSurface_r(self.handle, self.pointer) }
        var at = PlanarPoint(x: 0, y: 0)
        guard GEOSGeomGetX_r(self.handle, point.pointer, &at.x) == 1,
            GEOSGeomGetY_r(self.handle, point.pointer, &at.y) == 1
        else { throw self.geos.failure() }
        return at
    }

    /// The parts of a Multi* geometry or collection; any other geometry is its only part.
    package func parts() throws(ComputationFailure) -> [PlanarGeometry] {
        let count = GEOSGetNumGeometries_r(self.handle, self.pointer)
        guard count >= 0 else { throw self.geos.failure() }
        try self.geos.spend(WorkBudget.product(self.vertexCount, WorkBudget.copiedVertex, per: 1))
        var parts: [PlanarGeometry] = []
        for number in 0..<count {
            parts.append(
                try self.geos.own(
                    GEOSGeom_clone_r(self.handle, GEOSGetGeometryN_r(self.handle, self.pointer, number))))
        }
        return parts
    }

    /// All distinct vertices, including those of holes.
    package func vertices() throws(ComputationFailure) -> [PlanarPoint] {
        let points = try self.geos.own(perVertex: WorkBudget.copiedVertex) {
            GEOSGeom_extractUniquePoints_r(self.handle, self.pointer)
        }
        let count = GEOSGetNumGeometries_r(self.handle, points.pointer)
        var vertices: [PlanarPoint] = []
        for number in 0..<max(count, 0) {
            let point = GEOSGetGeometryN_r(self.handle, points.pointer, number)
            var vertex = PlanarPoint(x: 0, y: 0)
            guard GEOSGeomGetX_r(self.handle, point, &vertex.x) == 1,
                GEOSGeomGetY_r(self.handle, point, &vertex.y) == 1
            else { throw self.geos.failure() }
            vertices.append(vertex)
        }
        return vertices
    }
}

// MARK: - Coordinates

extension PlanarGeometry {
    /// Rings, lines and points.
    fileprivate func paths() -> [[PlanarPoint]] {
        var paths: [[PlanarPoint]] = []
        for number in 0..<max(GEOSGetNumGeometries_r(self.handle, self.pointer), 0) {
            let part = GEOSGetGeometryN_r(self.handle, self.pointer, number)
            if let shell = GEOSGetExteriorRing_r(self.handle, part) {
                paths.append(self.points(of: shell))
                for hole in 0..<max(GEOSGetNumInteriorRings_r(self.handle, part), 0) {
                    paths.append(self.points(of: GEOSGetInteriorRingN_r(self.handle, part, hole)))
                }
            } else {
                paths.append(self.points(of: part))
            }
        }
        return paths
    }

    private func points(of part: OpaquePointer?) -> [PlanarPoint] {
        guard let sequence = GEOSGeom_getCoordSeq_r(self.handle, part) else { return [] }
        let count = max(Int(GEOSGetNumCoordinates_r(self.handle, part)), 0)
        var ordinates = [Double](repeating: 0, count: 2 * count)
        guard GEOSCoordSeq_copyToBuffer_r(self.handle, sequence, &ordinates, 0, 0) == 1 else { return [] }
        return (0..<count).map { PlanarPoint(x: ordinates[2 * $0], y: ordinates[2 * $0 + 1]) }
    }
}

// MARK: - New geometries

extension PlanarGeometry {
    package func intersection(_ other: PlanarGeometry) throws(ComputationFailure) -> PlanarGeometry {
        try self.spendOnOverlaying(other)
        return try self.geos.own(perVertex: WorkBudget.overlaidVertex) {
            GEOSIntersection_r(self.handle, self.pointer, other.pointer)
        }
    }

    package func subtracting(_ other: PlanarGeometry) throws(ComputationFailure) -> PlanarGeometry {
        try self.spendOnOverlaying(other)
        return try self.geos.own(perVertex: WorkBudget.overlaidVertex) {
            GEOSDifference_r(self.handle, self.pointer, other.pointer)
        }
    }

    package func boundary() throws(ComputationFailure) -> PlanarGeometry {
        try self.geos.own(perVertex: WorkBudget.copiedVertex) { GEOSBoundary_r(self.handle, self.pointer) }
    }

    /// The area without a strip of this width along its outline. Parts narrower than two strips vanish.
    ///
    /// - Complexity: O(*n*²) in the number of vertices and of rings: each remaining part is searched in all others.
    package func shrunk(by width: Double) throws(ComputationFailure) -> PlanarGeometry {
        try self.spendOnShrinking()
        return try self.geos.own(perVertex: WorkBudget.copiedVertex) {
            GEOSBuffer_r(self.handle, self.pointer, -width, 2)
        }
    }
}
