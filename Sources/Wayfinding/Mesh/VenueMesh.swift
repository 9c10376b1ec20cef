import IMDF

/// The triangles of all floors of a venue in one list, without what joins floors.
struct VenueMesh: Sendable {
    private(set) var points: [GridPoint] = []
    private(set) var origins: [Int32] = []
    private(set) var twins: [Int32] = []
    /// Their doorways are indices in those of the venue.
    private(set) var portals: [FloorMesh.Portal] = []
    /// The portal of each half-edge, or -1.
    private(set) var portalOfEdge = SparseIndices(count: 0, [])
    /// The triangles of each space, which are one after the other.
    private(set) var trianglesOfSpace: [Range<Int32>]
    /// Portals of each space.
    private(set) var portalsOfSpace = IndexGroups(count: 0, [])
    /// The connected piece of each triangle: what can be reached without a portal.
    private(set) var pieceOfTriangle: [Int32] = []
    private(set) var spaceOfPiece: [Int32] = []
    /// The ordinals with spaces, ascending.
    private(set) var ordinals: [Int] = []
    /// Where the floor of each ordinal is in the lists above.
    private(set) var extents: [Int: FloorExtent] = [:]
    /// The ordinals of floors that are too complex, which have no triangles.
    private(set) var tooComplexOrdinals: [Int] = []
    /// Spaces of other floors of which a part was too complex, and is missing.
    private(set) var incompleteSpaces: Set<Int> = []
    /// The ordinals of which the triangles were computed, and not taken from another mesh.
    private(set) var computedOrdinals: [Int] = []

    /// - Parameter former: A plan and its mesh, of which floors that are the same are taken over.
    init(
        _ plan: SpacePlan, reusing former: (plan: SpacePlan, mesh: VenueMesh)? = nil, _ limits: WorkLimits,
        _ shouldStop: () -> Bool
    ) {
        self.trianglesOfSpace = Array(repeating: 0..<0, count: plan.spaces.count)
        let floors = FloorPlan.floors(of: plan)
        let formerFloors = former.map { FloorPlan.floors(of: $0.plan) } ?? [:]
        self.ordinals = floors.filter { !$0.value.spaces.isEmpty }.keys.sorted()
        var meshes: [(ordinal: Int, floor: FloorPlan, mesh: FloorMesh)] = []
        for ordinal in self.ordinals {
            guard let floor = floors[ordinal] else { continue }
            if let former, let other = formerFloors[ordinal], floor.isSame(in: plan, as: other, in: former.plan),
                let mesh = former.mesh.floor(ordinal, other.spaces, other.doorways)
            {
                meshes.append((ordinal, floor, mesh))
                continue
            }
            self.computedOrdinals.append(ordinal)
            let mesh = FloorMesh(
                floor.spaces.map { plan.spaces[$0] }, floor.doorways.map { plan.doorways[$0] },
                floor.solids.map { plan.solids[$0] }, limits, shouldStop)
            meshes.append((ordinal, floor, mesh))
        }
        self.reserve(meshes.map(\.mesh))
        for (ordinal, floor, mesh) in meshes { self.append(mesh, ordinal, floor.spaces, floor.doorways) }
        self.findPieces()
        self.indexPortals()
    }

    var triangleCount: Int { self.origins.count / 3 }

    var pieceCount: Int { self.spaceOfPiece.count }

    /// How many bytes the lists take, with the room that they reserve.
    var byteCount: Int {
        let sizes: [Int] = [
            self.points.byteCount, self.origins.byteCount, self.twins.byteCount, self.portals.byteCount,
            self.portalOfEdge.byteCount, self.trianglesOfSpace.byteCount, self.portalsOfSpace.byteCount,
            self.pieceOfTriangle.byteCount, self.spaceOfPiece.byteCount,
        ]
        return sizes.reduce(0, +)
    }

    // MARK: - Floors

    /// Reserves the room that the lists need; they would reserve up to twice as much if they grew.
    private mutating func reserve(_ floors: [FloorMesh]) {
        let edges = floors.reduce(0) { $0 + $1.origins.count }
        self.points.reserveCapacity(floors.reduce(0) { $0 + $1.points.count })
        self.origins.reserveCapacity(edges)
        self.twins.reserveCapacity(edges)
        self.portals.reserveCapacity(floors.reduce(0) { $0 + $1.portals.count })
    }

    private mutating func append(_ floor: FloorMesh, _ ordinal: Int, _ spaces: [Int], _ doorways: [Int]) {
        self.extents[ordinal] = FloorExtent(
            points: self.points.count..<(self.points.count + floor.points.count),
            edges: self.origins.count..<(self.origins.count + floor.origins.count),
            portals: self.portals.count..<(self.portals.count + floor.portals.count))
        let point = Int32(self.points.count)
        let edge = Int32(self.origins.count)
        self.points += floor.points
        self.origins += floor.origins.map { $0 + point }
        self.twins += floor.twins.map { $0 < 0 ? -1 : $0 + edge }
        for (space, triangles) in zip(spaces, floor.trianglesOfSpace) {
            self.trianglesOfSpace[space] = triangles.moved(by: edge / 3)
        }
        self.incompleteSpaces.formUnion(floor.incompleteSpaces.map { spaces[$0] })
        if floor.isTooComplex { self.tooComplexOrdinals.append(ordinal) }
        self.portals += floor.portals.map { each in
            FloorMesh.Portal(
                doorway: each.doorway.map { doorways[$0] }, width: each.width, start: each.start, end: each.end,
                edges: each.edges.moved(by: edge))
        }
    }

    private mutating func findPieces() {
        self.pieceOfTriangle = [Int32](repeating: -1, count: self.triangleCount)
        var count: Int32 = 0
        for start in self.pieceOfTriangle.indices where self.pieceOfTriangle[start] < 0 {
            self.pieceOfTriangle[start] = count
            var stack = [start]
            while let triangle = stack.popLast() {
                for edge in (3 * triangle)..<(3 * triangle + 3) where self.twins[edge] >= 0 {
                    let other = Int(self.twins[edge] / 3)
                    guard self.pieceOfTriangle[other] < 0 else { continue }
                    self.pieceOfTriangle[other] = count
                    stack.append(other)
                }
            }
            count += 1
        }
        self.spaceOfPiece = [Int32](repeating: 0, count: Int(count))
        for (space, triangles) in self.trianglesOfSpace.enumerated() {
            for triangle in triangles { self.spaceOfPiece[Int(self.pieceOfTriangle[Int(triangle)])] = Int32(space) }
        }
    }

    private mutating func indexPortals() {
        var edges: [(position: Int32, value: Int32)] = []
        var spaces: [(group: Int, value: Int32)] = []
        for (index, portal) in self.portals.enumerated() {
            for edge in portal.edges {
                edges.append((edge, Int32(index)))
                spaces.append((self.space(of: edge / 3), Int32(index)))
            }
        }
        self.portalOfEdge = SparseIndices(count: self.origins.count, edges)
        self.portalsOfSpace = IndexGroups(count: self.trianglesOfSpace.count, spaces)
    }

    // MARK: - Triangles

    /// The space of a triangle.
    @inline(__always)
    func space(of triangle: Int32) -> Int { Int(self.spaceOfPiece[Int(self.pieceOfTriangle[Int(triangle)])]) }

    /// The half-edge on the other side of the portal of a half-edge, or -1. A half-edge inside of a unit can have a twin as well.
    @inline(__always)
    func link(_ edge: Int32) -> Int32 {
        let portal = self.portalOfEdge[edge]
        return portal < 0 ? -1 : self.portals[Int(portal)].edges.across(edge)
    }

    @inline(__always)
    func corner(_ edge: Int32) -> GridPoint { self.points[Int(self.origins[Int(edge)])] }

    /// Whether a triangle contains a point, borders included.
    func triangle(_ triangle: Int32, contains point: GridPoint) -> Bool {
        let (a, b, c) = (self.corner(3 * triangle), self.corner(3 * triangle + 1), self.corner(3 * triangle + 2))
        return GridPoint.orientation(a, b, point) >= 0 && GridPoint.orientation(b, c, point) >= 0
            && GridPoint.orientation(c, a, point) >= 0
    }

    /// The triangles of a space that contain a point.
    func triangles(of space: Int, at point: GridPoint) -> [Int32] {
        self.trianglesOfSpace[space].filter { self.triangle($0, contains: point) }
    }

    /// A point inside of a space: one of these if it is, otherwise in its largest triangle. Nil for a space without triangles.
    func inside(_ space: Int, preferring preferred: [GridPoint]) -> GridPoint? {
        for point in preferred
        where self.trianglesOfSpace[space].contains(where: { self.triangle($0, contains: point) }) {
            return point
        }
        var best: (area: Int, triangle: Int32)?
        for triangle in self.trianglesOfSpace[space] {
            let area = GridPoint.orientation(
                self.corner(3 * triangle), self.corner(3 * triangle + 1), self.corner(3 * triangle + 2))
            if area > best?.area ?? 0 { best = (area, triangle) }
        }
        guard let triangle = best?.triangle else { return nil }
        return self.center(of: triangle)
    }

    private func center(of triangle: Int32) -> GridPoint {
        let corners = (0..<3).map { self.corner(3 * triangle + $0) }
        let point = FramePosition(
            x: Double(corners[0].x + corners[1].x + corners[2].x) / 3,
            y: Double(corners[0].y + corners[1].y + corners[2].y) / 3
        ).rounded
        return self.triangle(triangle, contains: point) ? point : corners[0]
    }

    /// The point of a triangle that is nearest to a point.
    func nearest(to point: GridPoint, in triangle: Int32) -> (point: GridPoint, distance: Double) {
        let center = self.center(of: triangle)
        if self.triangle(triangle, contains: point) { return (point, 0) }
        var best = (position: FramePosition(self.corner(3 * triangle)), distance: Double.infinity)
        for edge in (3 * triangle)..<(3 * triangle + 3) {
            let (start, end) = (self.corner(edge), self.corner(Triangulation.next(edge)))
            let (dx, dy) = (Double(end.x - start.x), Double(end.y - start.y))
            let (px, py) = (Double(point.x - start.x), Double(point.y - start.y))
            let share = min(max((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1)
            let foot = FramePosition(x: Double(start.x) + dx * share, y: Double(start.y) + dy * share)
            let distance = foot.distance(to: FramePosition(point))
            if distance < best.distance { best = (foot, distance) }
        }
        // The nearest point can be outside after rounding; then one that is nearer to the center is taken.
        for share in [0, 0.015625, 0.0625, 0.25, 0.5] {
            let moved = FramePosition(
                x: best.position.x + (Double(center.x) - best.position.x) * share,
                y: best.position.y + (Double(center.y) - best.position.y) * share
            ).rounded
            if self.triangle(triangle, contains: moved) { return (moved, best.distance) }
        }
        return (center, best.distance)
    }
}

extension Range<Int32> {
    func moved(by offset: Int32) -> Range<Int32> { (self.lowerBound + offset)..<(self.upperBound + offset) }
}
