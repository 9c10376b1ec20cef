internal import CGEOS

/// A context of GEOS. Every geometry belongs to one, and errors are reported to it alone. Contexts share nothing, so any number
/// of them may be used at the same time, each by one task only.
package final class GEOSContext {
    let handle: OpaquePointer
    /// The last message of the library.
    private var message = ""
    /// Nil if there is no time limit.
    let clock: RunClock?
    /// Charged for the operations; nil if they are not limited.
    var budget: WorkBudget?

    package convenience init() {
        self.init(clock: nil)
    }

    package init(clock: RunClock?) {
        self.clock = clock
        self.handle = GEOS_init_r()
        _ = GEOSContext_setErrorMessageHandler_r(
            self.handle,
            { text, geos in
                guard let text, let geos else { return }
                Unmanaged<GEOSContext>.fromOpaque(geos).takeUnretainedValue().message = String(cString: text)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        GEOS_finish_r(self.handle)
    }

    package enum Dimension: Sendable {
        case points, lines, areas
    }

    func failure() -> ComputationFailure {
        defer { self.message = "" }
        return ComputationFailure(kind: .library, description: self.message.isEmpty ? "GEOS failed" : self.message)
    }

    /// Charges the budget for a step before the step is done.
    func spend(_ cost: Int) throws(ComputationFailure) {
        if self.clock?.mustStop == true { throw .stopped }
        try self.budget?.spend(cost)
    }

    /// Performs an operation that fails with nil, and repeats it after an interrupt that was meant for another thread.
    private func perform<Result>(_ operation: () -> Result?) throws(ComputationFailure) -> Result {
        while true {
            if let result = operation() { return result }
            guard self.message.hasPrefix("InterruptedException") else { throw self.failure() }
            self.message = ""
            if self.clock?.mustStop == true { throw .stopped }
        }
    }

    /// The result of a predicate.
    func evaluate(_ predicate: () -> CChar) throws(ComputationFailure) -> Bool {
        try self.perform {
            let code = predicate()
            return code == 0 || code == 1 ? code == 1 : nil
        }
    }

    /// A number that the library returns through a pointer.
    func number(_ measure: (inout Double) -> Int32) throws(ComputationFailure) -> Double {
        try self.perform {
            var value = 0.0
            return measure(&value) == 1 && value.isFinite ? value : nil
        }
    }

    /// Takes ownership of a geometry that the library created.
    func own(_ pointer: OpaquePointer?) throws(ComputationFailure) -> PlanarGeometry {
        guard let pointer else { throw self.failure() }
        return PlanarGeometry(owning: pointer, on: self)
    }

    /// Takes ownership of the result of an operation and charges the budget for its size.
    func own(perVertex cost: Int, _ operation: () -> OpaquePointer?) throws(ComputationFailure) -> PlanarGeometry {
        let geometry = PlanarGeometry(owning: try self.perform(operation), on: self)
        if self.clock?.mustStop == true { throw .stopped }
        try self.budget?.spendAfterwards(WorkBudget.product(geometry.vertexCount, cost, per: 1))
        return geometry
    }
}

// MARK: - Creating geometries

extension GEOSContext {
    package func point(_ point: PlanarPoint) throws(ComputationFailure) -> PlanarGeometry {
        try self.own(GEOSGeom_createPointFromXY_r(self.handle, point.x, point.y))
    }

    package func line(_ points: some Collection<PlanarPoint>) throws(ComputationFailure) -> PlanarGeometry {
        try self.own(GEOSGeom_createLineString_r(self.handle, try self.sequence(points)))
    }

    /// A polygon of an exterior ring and holes, all closed.
    package func polygon(_ rings: [[PlanarPoint]]) throws(ComputationFailure) -> PlanarGeometry {
        var created: [OpaquePointer?] = []
        var isCreated = false
        defer {
            // Once it is created, the polygon owns its rings.
            if !isCreated { for ring in created { GEOSGeom_destroy_r(self.handle, ring) } }
        }
        for ring in rings {
            guard let ring = GEOSGeom_createLinearRing_r(self.handle, try self.sequence(ring)) else {
                throw self.failure()
            }
            created.append(ring)
        }
        guard let shell = created.first else {
            return try self.own(GEOSGeom_createEmptyPolygon_r(self.handle))
        }
        var holes = Array(created.dropFirst())
        let polygon = GEOSGeom_createPolygon_r(self.handle, shell, &holes, UInt32(holes.count))
        isCreated = polygon != nil
        return try self.own(polygon)
    }

    /// Combines geometries: areas to a MultiPolygon, lines to a MultiLineString, points to a MultiPoint.
    func collection(_ parts: [PlanarGeometry], _ dimension: Dimension) throws(ComputationFailure) -> PlanarGeometry {
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

    /// The union of the geometries.
    package func union(_ parts: [PlanarGeometry]) throws(ComputationFailure) -> PlanarGeometry {
        var copies: [OpaquePointer?] = []
        for part in parts { copies.append(GEOSGeom_clone_r(self.handle, part.pointer)) }
        let collection = try self.own(
            GEOSGeom_createCollection_r(
                self.handle, Int32(GEOS_GEOMETRYCOLLECTION.rawValue), &copies, UInt32(copies.count)))
        try self.spend(parts.reduce(collection.ringPairs / 32) { $0 + $1.ownPairs })
        return try self.own(perVertex: WorkBudget.overlaidVertex) { GEOSUnaryUnion_r(self.handle, collection.pointer) }
    }

    private func sequence(_ points: some Collection<PlanarPoint>) throws(ComputationFailure) -> OpaquePointer {
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
