internal import CGEOS

/// A geometry in metres, held by GEOS until the last reference to it goes.
///
/// Predicates are exact. The first question that is asked of a geometry prepares it, which makes the next ones cheap: ask the
/// level about its units, not the units about their level.
package final class PlaneGeometry {
    let pointer: OpaquePointer
    let plane: Plane
    private var preparedPointer: OpaquePointer?
    private var lastPairs: LastPairs?
    private(set) lazy var vertexCount = max(Int(GEOSGetNumCoordinates_r(self.handle, self.pointer)), 0)
    /// Rings of areas; parts of anything else.
    private(set) lazy var ringCount = self.countRings()
    private(set) lazy var edges = Segments(self.paths())
    private(set) lazy var chains = ChainSpans(self.paths())
    private(set) lazy var ownPairs = self.countOwnPairs()

    init(owning pointer: OpaquePointer, on plane: Plane) {
        self.pointer = pointer
        self.plane = plane
    }

    deinit {
        if let preparedPointer = self.preparedPointer {
            GEOSPreparedGeom_destroy_r(self.plane.handle, preparedPointer)
        }
        GEOSGeom_destroy_r(self.plane.handle, self.pointer)
    }

    private var handle: OpaquePointer { self.plane.handle }

    private func countRings() -> Int {
        (0..<max(GEOSGetNumGeometries_r(self.handle, self.pointer), 0)).reduce(0) { count, number in
            let part = GEOSGetGeometryN_r(self.handle, self.pointer, number)
            return count + 1 + Int(max(GEOSGetNumInteriorRings_r(self.handle, part), 0))
        }
    }

    /// How many pairs of edges of the two lie close to each other, or the most that are put up with. One pair of geometries is
    /// asked several things in a row, so the last answer is kept.
    func closePairs(with other: PlaneGeometry) -> Int {
        if let last = self.lastPairs, last.other === other { return last.count }
        let count = self.edges.closePairs(with: other.edges, limit: Self.mostCrossings)
        self.lastPairs = LastPairs(other: other, count: count)
        return count
    }

    private struct LastPairs {
        weak var other: PlaneGeometry?
        let count: Int
    }

    private func prepared() throws(Plane.Failure) -> OpaquePointer {
        if let preparedPointer = self.preparedPointer { return preparedPointer }
        guard let made = GEOSPrepare_r(self.handle, self.pointer) else { throw self.plane.failure() }
        self.preparedPointer = made
        return made
    }
}

// MARK: - Predicates

extension PlaneGeometry {
    package var isEmpty: Bool { GEOSisEmpty_r(self.handle, self.pointer) == 1 }

    /// Whether every point of the other one is inside or on the boundary.
    package func covers(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        // Where outlines touch, the prepared geometry relates the two after all.
        try self.spendOnRelating(other)
        let prepared = try self.prepared()
        return try self.plane.answer { GEOSPreparedCovers_r(self.handle, prepared, other.pointer) }
    }

    package func intersects(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        try self.spendOnRelating(other, times: 1)
        let prepared = try self.prepared()
        return try self.plane.answer { GEOSPreparedIntersects_r(self.handle, prepared, other.pointer) }
    }

    /// Whether the interiors have a point in common; areas that only touch have none.
    package func overlaps(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        guard try self.intersects(other) else { return false }
        try self.spendOnRelating(other)
        return try self.plane.answer {
            GEOSRelatePattern_r(self.handle, self.pointer, other.pointer, "T********")
        }
    }

    /// Whether the two cover the same points, in whatever way they are written.
    package func equals(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        try self.spendOnRelating(other)
        return try self.plane.answer { GEOSEquals_r(self.handle, self.pointer, other.pointer) }
    }

    /// Whether a line meets itself nowhere but at its ends.
    package func isSimple() throws(Plane.Failure) -> Bool {
        try self.spendOnValidity()
        return try self.plane.answer { GEOSisSimple_r(self.handle, self.pointer) }
    }

    /// What is wrong with an area and where; nil for a valid one.
    package func invalidity() throws(Plane.Failure) -> (reason: String, at: PlanePoint?)? {
        try self.spendOnValidity()
        var reason: UnsafeMutablePointer<CChar>?
        var place: OpaquePointer?
        defer {
            GEOSFree_r(self.handle, reason)
            GEOSGeom_destroy_r(self.handle, place)
        }
        let isValid = try self.plane.answer {
            GEOSisValidDetail_r(self.handle, self.pointer, 0, &reason, &place)
        }
        guard !isValid else { return nil }
        var at = PlanePoint(x: .nan, y: .nan)
        if let place {
            _ = GEOSGeomGetX_r(self.handle, place, &at.x)
            _ = GEOSGeomGetY_r(self.handle, place, &at.y)
        }
        return (reason.map { String(cString: $0) } ?? "", at.x.isFinite && at.y.isFinite ? at : nil)
    }
}

// MARK: - Measures

extension PlaneGeometry {
    package func area() throws(Plane.Failure) -> Double {
        try self.plane.number { GEOSArea_r(self.handle, self.pointer, &$0) }
    }

    package func length() throws(Plane.Failure) -> Double {
        try self.plane.number { GEOSLength_r(self.handle, self.pointer, &$0) }
    }

    package func distance(to other: PlaneGeometry) throws(Plane.Failure) -> Double {
        try self.spendOnDistance(other)
        let prepared = try self.prepared()
        return try self.plane.number { GEOSPreparedDistance_r(self.handle, prepared, other.pointer, &$0) }
    }

    /// A point in the middle of it rather than on its rim.
    package func pointInside() throws(Plane.Failure) -> PlanePoint {
        try self.plane.spend(self.vertexCount)
        let point = try self.plane.own(perVertex: 0) { GEOSPointOnSurface_r(self.handle, self.pointer) }
        var at = PlanePoint(x: 0, y: 0)
        guard GEOSGeomGetX_r(self.handle, point.pointer, &at.x) == 1,
            GEOSGeomGetY_r(self.handle, point.pointer, &at.y) == 1
        else { throw self.plane.failure() }
        return at
    }

    /// The parts of a Multi* or collection; of anything else itself.
    package func parts() throws(Plane.Failure) -> [PlaneGeometry] {
        let count = GEOSGetNumGeometries_r(self.handle, self.pointer)
        guard count >= 0 else { throw self.plane.failure() }
        try self.plane.spend(WorkBudget.product(self.vertexCount, WorkBudget.copiedVertex, per: 1))
        var parts: [PlaneGeometry] = []
        for number in 0..<count {
            parts.append(
                try self.plane.own(
                    GEOSGeom_clone_r(self.handle, GEOSGetGeometryN_r(self.handle, self.pointer, number))))
        }
        return parts
    }

    /// Every vertex, holes included.
    package func vertices() throws(Plane.Failure) -> [PlanePoint] {
        let points = try self.plane.own(perVertex: WorkBudget.copiedVertex) {
            GEOSGeom_extractUniquePoints_r(self.handle, self.pointer)
        }
        let count = GEOSGetNumGeometries_r(self.handle, points.pointer)
        var vertices: [PlanePoint] = []
        for number in 0..<max(count, 0) {
            let point = GEOSGetGeometryN_r(self.handle, points.pointer, number)
            var vertex = PlanePoint(x: 0, y: 0)
            guard GEOSGeomGetX_r(self.handle, point, &vertex.x) == 1,
                GEOSGeomGetY_r(self.handle, point, &vertex.y) == 1
            else { throw self.plane.failure() }
            vertices.append(vertex)
        }
        return vertices
    }
}

// MARK: - Coordinates

extension PlaneGeometry {
    /// Rings, lines and points, as GEOS holds them.
    fileprivate func paths() -> [[PlanePoint]] {
        var paths: [[PlanePoint]] = []
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

    private func points(of part: OpaquePointer?) -> [PlanePoint] {
        guard let sequence = GEOSGeom_getCoordSeq_r(self.handle, part) else { return [] }
        let count = max(Int(GEOSGetNumCoordinates_r(self.handle, part)), 0)
        var ordinates = [Double](repeating: 0, count: 2 * count)
        guard GEOSCoordSeq_copyToBuffer_r(self.handle, sequence, &ordinates, 0, 0) == 1 else { return [] }
        return (0..<count).map { PlanePoint(x: ordinates[2 * $0], y: ordinates[2 * $0 + 1]) }
    }
}

// MARK: - New geometries

extension PlaneGeometry {
    package func intersection(_ other: PlaneGeometry) throws(Plane.Failure) -> PlaneGeometry {
        try self.spendOnOverlaying(other)
        return try self.plane.own(perVertex: WorkBudget.overlaidVertex) {
            GEOSIntersection_r(self.handle, self.pointer, other.pointer)
        }
    }

    package func subtracting(_ other: PlaneGeometry) throws(Plane.Failure) -> PlaneGeometry {
        try self.spendOnOverlaying(other)
        return try self.plane.own(perVertex: WorkBudget.overlaidVertex) {
            GEOSDifference_r(self.handle, self.pointer, other.pointer)
        }
    }

    package func boundary() throws(Plane.Failure) -> PlaneGeometry {
        try self.plane.own(perVertex: WorkBudget.copiedVertex) { GEOSBoundary_r(self.handle, self.pointer) }
    }

    /// What is left of an area after a strip of this width is taken off its rim: what is narrower than two strips vanishes.
    ///
    /// - Complexity: O(*n*²) in the number of vertices and of rings: each piece that is left is looked for in all others.
    package func shrunk(by width: Double) throws(Plane.Failure) -> PlaneGeometry {
        try self.spendOnShrinking()
        return try self.plane.own(perVertex: WorkBudget.copiedVertex) {
            GEOSBuffer_r(self.handle, self.pointer, -width, 2)
        }
    }
}
