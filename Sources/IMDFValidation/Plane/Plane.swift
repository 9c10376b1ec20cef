internal import CGEOS

/// GEOS in one task: every geometry belongs to one, and what goes wrong is told to it alone. Nothing is shared, so any number
/// may be at work at once; none may go from one task to another.
package final class Plane {
    let handle: OpaquePointer
    /// What the library said last.
    private var message = ""

    package init() {
        self.handle = GEOS_init_r()
        _ = GEOSContext_setErrorMessageHandler_r(
            self.handle,
            { text, plane in
                guard let text, let plane else { return }
                Unmanaged<Plane>.fromOpaque(plane).takeUnretainedValue().message = String(cString: text)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        GEOS_finish_r(self.handle)
    }

    /// What a geometry is made of.
    package enum Dimension: Sendable {
        case points, lines, areas
    }

    /// The library gave up: coordinates that it cannot cope with, or no memory.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        static let tooIntricate = Failure(description: "too many edges lie across each other")
    }

    func failure() -> Failure {
        defer { self.message = "" }
        return Failure(description: self.message.isEmpty ? "GEOS gave up" : self.message)
    }

    /// The answer of a predicate.
    func answer(_ code: CChar) throws(Failure) -> Bool {
        guard code == 0 || code == 1 else { throw self.failure() }
        return code == 1
    }

    /// A number that is returned through a pointer.
    func number(_ code: Int32, _ value: Double) throws(Failure) -> Double {
        guard code == 1, value.isFinite else { throw self.failure() }
        return value
    }

    /// Takes over a geometry that the library made.
    func own(_ pointer: OpaquePointer?) throws(Failure) -> PlaneGeometry {
        guard let pointer else { throw self.failure() }
        return PlaneGeometry(owning: pointer, on: self)
    }
}

// MARK: - Making geometries

extension Plane {
    package func point(_ point: PlanePoint) throws(Failure) -> PlaneGeometry {
        try self.own(GEOSGeom_createPointFromXY_r(self.handle, point.x, point.y))
    }

    package func line(_ points: some Collection<PlanePoint>) throws(Failure) -> PlaneGeometry {
        try self.own(GEOSGeom_createLineString_r(self.handle, try self.sequence(points)))
    }

    /// A polygon with its holes; every ring is closed.
    package func polygon(_ rings: [[PlanePoint]]) throws(Failure) -> PlaneGeometry {
        var made: [OpaquePointer?] = []
        var isDone = false
        defer {
            // The polygon owns its rings, once it is made.
            if !isDone { for ring in made { GEOSGeom_destroy_r(self.handle, ring) } }
        }
        for ring in rings {
            guard let ring = GEOSGeom_createLinearRing_r(self.handle, try self.sequence(ring)) else {
                throw self.failure()
            }
            made.append(ring)
        }
        guard let shell = made.first else {
            return try self.own(GEOSGeom_createEmptyPolygon_r(self.handle))
        }
        var holes = Array(made.dropFirst())
        let polygon = GEOSGeom_createPolygon_r(self.handle, shell, &holes, UInt32(holes.count))
        isDone = polygon != nil
        return try self.own(polygon)
    }

    /// One geometry of several; of areas a MultiPolygon, of lines a MultiLineString, else a MultiPoint.
    func collection(_ parts: [PlaneGeometry], _ dimension: Dimension) throws(Failure) -> PlaneGeometry {
        if parts.count == 1 { return parts[0] }
        var copies: [OpaquePointer?] = []
        for part in parts { copies.append(GEOSGeom_clone_r(self.handle, part.pointer)) }
        let type: GEOSGeomTypes =
            switch dimension {
            case .points: GEOS_MULTIPOINT
            case .lines: GEOS_MULTILINESTRING
            case .areas: GEOS_MULTIPOLYGON
            }
        return try self.own(
            GEOSGeom_createCollection_r(self.handle, Int32(type.rawValue), &copies, UInt32(copies.count)))
    }

    /// What any of the geometries covers.
    package func union(_ parts: [PlaneGeometry]) throws(Failure) -> PlaneGeometry {
        var copies: [OpaquePointer?] = []
        for part in parts { copies.append(GEOSGeom_clone_r(self.handle, part.pointer)) }
        let heap = try self.own(
            GEOSGeom_createCollection_r(
                self.handle, Int32(GEOS_GEOMETRYCOLLECTION.rawValue), &copies, UInt32(copies.count)))
        return try self.own(GEOSUnaryUnion_r(self.handle, heap.pointer))
    }

    private func sequence(_ points: some Collection<PlanePoint>) throws(Failure) -> OpaquePointer {
        var ordinates: [Double] = []
        ordinates.reserveCapacity(points.count * 2)
        for point in points {
            ordinates.append(point.x)
            ordinates.append(point.y)
        }
        guard let sequence = GEOSCoordSeq_copyFromBuffer_r(self.handle, ordinates, UInt32(points.count), 0, 0) else {
            throw self.failure()
        }
        return sequence
    }
}
