internal import CGEOS

/// A geometry in metres, held by GEOS until the last reference to it goes.
///
/// Predicates are exact. The first question that is asked of a geometry prepares it, which makes the next ones cheap: ask the
/// level about its units, not the units about their level.
package final class PlaneGeometry {
    let pointer: OpaquePointer
    private let plane: Plane
    private var preparedPointer: OpaquePointer?

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
        try self.plane.answer(GEOSPreparedCovers_r(self.handle, self.prepared(), other.pointer))
    }

    package func intersects(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        try self.plane.answer(GEOSPreparedIntersects_r(self.handle, self.prepared(), other.pointer))
    }

    /// Whether the interiors have a point in common; areas that only touch have none.
    package func overlaps(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        guard try self.intersects(other) else { return false }
        return try self.plane.answer(GEOSRelatePattern_r(self.handle, self.pointer, other.pointer, "T********"))
    }

    /// Whether the two cover the same points, in whatever way they are written.
    package func equals(_ other: PlaneGeometry) throws(Plane.Failure) -> Bool {
        try self.plane.answer(GEOSEquals_r(self.handle, self.pointer, other.pointer))
    }

    /// Whether a line meets itself nowhere but at its ends.
    package func isSimple() throws(Plane.Failure) -> Bool {
        try self.plane.answer(GEOSisSimple_r(self.handle, self.pointer))
    }

    /// What is wrong with an area and where; nil for a valid one.
    package func invalidity() throws(Plane.Failure) -> (reason: String, at: PlanePoint?)? {
        var reason: UnsafeMutablePointer<CChar>?
        var place: OpaquePointer?
        let code = GEOSisValidDetail_r(self.handle, self.pointer, 0, &reason, &place)
        defer {
            GEOSFree_r(self.handle, reason)
            GEOSGeom_destroy_r(self.handle, place)
        }
        guard try !self.plane.answer(code) else { return nil }
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
        var value = 0.0
        return try self.plane.number(GEOSArea_r(self.handle, self.pointer, &value), value)
    }

    package func length() throws(Plane.Failure) -> Double {
        var value = 0.0
        return try self.plane.number(GEOSLength_r(self.handle, self.pointer, &value), value)
    }

    package func distance(to other: PlaneGeometry) throws(Plane.Failure) -> Double {
        var value = 0.0
        return try self.plane.number(
            GEOSPreparedDistance_r(self.handle, self.prepared(), other.pointer, &value), value)
    }

    /// A point in the middle of it rather than on its rim.
    package func pointInside() throws(Plane.Failure) -> PlanePoint {
        let point = try self.plane.own(GEOSPointOnSurface_r(self.handle, self.pointer))
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
        let points = try self.plane.own(GEOSGeom_extractUniquePoints_r(self.handle, self.pointer))
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

// MARK: - New geometries

extension PlaneGeometry {
    package func intersection(_ other: PlaneGeometry) throws(Plane.Failure) -> PlaneGeometry {
        try self.plane.own(GEOSIntersection_r(self.handle, self.pointer, other.pointer))
    }

    package func subtracting(_ other: PlaneGeometry) throws(Plane.Failure) -> PlaneGeometry {
        try self.plane.own(GEOSDifference_r(self.handle, self.pointer, other.pointer))
    }

    package func boundary() throws(Plane.Failure) -> PlaneGeometry {
        try self.plane.own(GEOSBoundary_r(self.handle, self.pointer))
    }

    /// What is left of an area after a strip of this width is taken off its rim: what is narrower than two strips vanishes.
    package func shrunk(by width: Double) throws(Plane.Failure) -> PlaneGeometry {
        try self.plane.own(GEOSBuffer_r(self.handle, self.pointer, -width, 2))
    }
}
