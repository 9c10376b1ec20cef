internal import CGEOS

/// GEOS in one task: every geometry belongs to one, and what goes wrong is told to it alone. Nothing is shared, so any number
/// may be at work at once; none may go from one task to another.
package final class Plane {
    let handle: OpaquePointer
    /// What the library said last.
    private var message = ""
    /// Says when to stop; nil where nobody waits.
    let clock: RunClock?
    /// What pays for the operations; nil for those that are bounded otherwise.
    var budget: WorkBudget?

    package convenience init() {
        self.init(clock: nil)
    }

    package init(clock: RunClock?) {
        self.clock = clock
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

    /// The library gave up, or was stopped.
    package struct Failure: Error, CustomStringConvertible {
        package enum Kind: Sendable {
            /// Coordinates that the library cannot cope with, or no memory.
            case library
            /// So many edges across each other that the library is not asked.
            case intricate
            /// More work than the budget allows.
            case exhausted
            /// The time is over, or somebody interrupted the run.
            case stopped
        }

        package let kind: Kind
        package let description: String

        static let tooIntricate = Failure(kind: .intricate, description: "too many edges lie across each other")
        static let exhausted = Failure(kind: .exhausted, description: "the budget is used up")
        static let stopped = Failure(kind: .stopped, description: "the run was stopped")
    }

    func failure() -> Failure {
        defer { self.message = "" }
        return Failure(kind: .library, description: self.message.isEmpty ? "GEOS gave up" : self.message)
    }

    /// Pays for a step before it is done.
    func spend(_ cost: Int) throws(Failure) {
        if self.clock?.mustStop == true { throw .stopped }
        try self.budget?.spend(cost)
    }

    /// Does an operation that fails with nil. An interrupt that was meant for another thread makes it begin again.
    private func perform<Answer>(_ operation: () -> Answer?) throws(Failure) -> Answer {
        while true {
            if let answer = operation() { return answer }
            guard self.message.hasPrefix("InterruptedException") else { throw self.failure() }
            self.message = ""
            if self.clock?.mustStop == true { throw .stopped }
        }
    }

    /// The answer of a predicate.
    func answer(_ predicate: () -> CChar) throws(Failure) -> Bool {
        try self.perform {
            let code = predicate()
            return code == 0 || code == 1 ? code == 1 : nil
        }
    }

    /// A number that is returned through a pointer.
    func number(_ measure: (inout Double) -> Int32) throws(Failure) -> Double {
        try self.perform {
            var value = 0.0
            return measure(&value) == 1 && value.isFinite ? value : nil
        }
    }

    /// Takes over a geometry that the library makes.
    func own(_ pointer: OpaquePointer?) throws(Failure) -> PlaneGeometry {
        guard let pointer else { throw self.failure() }
        return PlaneGeometry(owning: pointer, on: self)
    }

    /// Takes over the result of an operation and pays for its size.
    func own(perVertex cost: Int, _ operation: () -> OpaquePointer?) throws(Failure) -> PlaneGeometry {
        let geometry = PlaneGeometry(owning: try self.perform(operation), on: self)
        if self.clock?.mustStop == true { throw .stopped }
        try self.budget?.settle(WorkBudget.product(geometry.vertexCount, cost, per: 1))
        return geometry
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
        try self.spend(parts.reduce(heap.ringPairs / 32) { $0 + $1.ownPairs })
        return try self.own(perVertex: WorkBudget.overlaidVertex) { GEOSUnaryUnion_r(self.handle, heap.pointer) }
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
