/// The triangles of the units of one ordinal, and the portals between them.
///
/// Half-edges are numbered as in ``Triangulation``. All vertices lie on walls or at the ends of portals, because triangles have no others.
struct FloorMesh: Sendable {
    struct Portal: Sendable {
        /// In millimeters.
        let width: Double
        let start: GridPoint
        let end: GridPoint
        /// A half-edge of each unit; only one for an opening that leads to nothing that is on the map.
        let edges: PortalEdges
        private let doorwayOrNone: Int32

        init(doorway: Int?, width: Double, start: GridPoint, end: GridPoint, edges: PortalEdges) {
            (self.width, self.start, self.end, self.edges) = (width, start, end, edges)
            self.doorwayOrNone = doorway.map { Int32($0) } ?? -1
        }

        /// An index in the doorways of the mesh; nil between parts of a unit.
        var doorway: Int? { self.doorwayOrNone < 0 ? nil : Int(self.doorwayOrNone) }
    }

    private(set) var points: [GridPoint] = []
    private(set) var origins: [Int32] = []
    /// The half-edge of the neighbor in the same unit, or -1.
    private(set) var twins: [Int32] = []
    private(set) var portals: [Portal] = []
    /// The triangles of each space, which are one after the other.
    private(set) var trianglesOfSpace: [Range<Int32>]
    /// Spaces of which a part was too complex, and is missing.
    private(set) var incompleteSpaces: Set<Int> = []
    /// Whether a limit was reached. There are no triangles then, because a way over them might pass a wall.
    private(set) var isTooComplex = false

    /// Triangles that are known.
    init(
        points: [GridPoint], origins: [Int32], twins: [Int32], portals: [Portal], trianglesOfSpace: [Range<Int32>],
        incompleteSpaces: Set<Int>
    ) {
        (self.points, self.origins, self.twins) = (points, origins, twins)
        (self.portals, self.trianglesOfSpace) = (portals, trianglesOfSpace)
        self.incompleteSpaces = incompleteSpaces
    }

    /// A floor that is too complex.
    init(tooComplex spaces: Int) {
        self.trianglesOfSpace = Array(repeating: 0..<0, count: spaces)
        self.isTooComplex = true
    }

    init(
        _ spaces: [Space], _ doorways: [Doorway], _ solids: [Solid], _ limits: WorkLimits, _ shouldStop: () -> Bool
    ) {
        self.trianglesOfSpace = Array(repeating: 0..<0, count: spaces.count)
        var parts: [FloorPart] = []
        for (index, space) in spaces.enumerated() {
            for rings in space.polygons {
                guard let box = GridBox(rings[0]) else { continue }
                parts.append(FloorPart(space: index, level: space.level, rings: rings, box: box))
            }
        }
        var planner = PortalPlanner(parts, limits)
        planner.joinParts(shouldStop)
        for (index, doorway) in doorways.enumerated() where !shouldStop() {
            for line in doorway.lines { planner.add(index, level: doorway.level, line: line, shouldStop) }
        }
        self.triangulate(planner, spaces, solids, limits, shouldStop)
    }

    /// The portals at each part and wall.
    private struct Demands {
        var notches: [Int: [(plan: Int, position: Double)]] = [:]
        var slits: [Int: [Int]] = [:]

        init(_ planner: PortalPlanner) {
            for (index, plan) in planner.plans.enumerated() {
                for side in [plan.left, plan.right] {
                    switch side {
                    case .wall(let wall):
                        let start = planner.walls[wall].start
                        let direction = planner.walls[wall].end - start
                        let (one, other) = (plan.start - start, plan.end - start)
                        let position =
                            Double(direction.x * one.x + direction.y * one.y)
                            + Double(direction.x * other.x + direction.y * other.y)
                        self.notches[wall, default: []].append((index, position))
                    case .interior(let part): self.slits[part, default: []].append(index)
                    case nil: break
                    }
                }
            }
            for wall in self.notches.keys {
                self.notches[wall]?.sort {
                    $0.position == $1.position ? $0.plan < $1.plan : $0.position < $1.position
                }
            }
        }
    }

    private mutating func triangulate(
        _ planner: PortalPlanner, _ spaces: [Space], _ solids: [Solid], _ limits: WorkLimits, _ shouldStop: () -> Bool
    ) {
        guard !planner.isExhausted else {
            self = FloorMesh(tooComplex: spaces.count)
            return
        }
        let demands = Demands(planner)
        /// The half-edges of each plan on its left and its right.
        var sides: [(left: Int32, right: Int32)] = Array(repeating: (-1, -1), count: planner.plans.count)
        var wall = 0
        var outlines: [FloorOutline] = []
        for (index, part) in planner.parts.enumerated() {
            let slits = demands.slits[index] ?? []
            var outline = FloorOutline(wanted: slits, slits: Set(slits))
            for ring in part.rings {
                var points: [GridPoint] = []
                for position in ring.indices {
                    points.append(ring[position])
                    for (plan, _) in demands.notches[wall + position] ?? [] {
                        points += Self.notch(planner.plans[plan], in: planner.walls[wall + position])
                        outline.wanted.append(plan)
                    }
                }
                wall += ring.count
                outline.rings.append(points)
            }
            outline.wanted.sort()
            outlines.append(outline)
        }
        var blockers = FloorBlockers(spaces, planner.parts, outlines: outlines.map(\.rings), solids, limits)
        for (index, part) in planner.parts.enumerated() where !blockers.isExhausted && !shouldStop() {
            let chosen = blockers.on(part, index, entered: Self.parts(enteredFrom: outlines[index].slits, planner))
            if let surface = FloorSurface.without(chosen, part, outlines[index], planner.plans, &blockers, shouldStop) {
                self.add(part, outlines[index], planner.plans, surface, &sides)
            } else {
                self.incompleteSpaces.insert(part.space)
            }
        }
        guard !blockers.isExhausted else {
            self = FloorMesh(tooComplex: spaces.count)
            return
        }
        var joined: Set<Int32> = []
        for (plan, (left, right)) in zip(planner.plans, sides) where left >= 0 || right >= 0 {
            let edges = PortalEdges(left, right)
            // A portal of which one side could not be built would look like an exit.
            guard edges.count == [plan.left, plan.right].compactMap(\.self).count, joined.isDisjoint(with: edges)
            else { continue }
            joined.formUnion(edges)
            self.portals.append(
                Portal(doorway: plan.doorway, width: plan.width, start: plan.start, end: plan.end, edges: edges))
        }
    }

    /// The parts of which an opening leads into a part, by the openings inside of it, ascending.
    private static func parts(enteredFrom slits: Set<Int>, _ planner: PortalPlanner) -> [Int] {
        let sides = slits.flatMap { [planner.plans[$0].left, planner.plans[$0].right] }
        let parts = sides.compactMap { side -> Int? in
            if case .wall(let wall) = side { planner.walls[wall].part } else { nil }
        }
        return Set(parts).sorted()
    }

    /// The points that lead a wall to a portal beside it, and back.
    private static func notch(_ plan: PortalPlan, in wall: Wall) -> [GridPoint] {
        let direction = wall.end - wall.start
        let along = (plan.end.x - plan.start.x) * direction.x + (plan.end.y - plan.start.y) * direction.y
        let (first, last) = along > 0 ? (plan.start, plan.end) : (plan.end, plan.start)
        return [Self.foot(of: first, on: wall), [first, last], Self.foot(of: last, on: wall)].flatMap { $0 }
    }

    /// The nearest point of a wall, unless it is the point itself except for rounding.
    private static func foot(of point: GridPoint, on wall: Wall) -> [GridPoint] {
        let direction = wall.end - wall.start
        let square = Double(direction.x * direction.x + direction.y * direction.y)
        let product = Double((point.x - wall.start.x) * direction.x + (point.y - wall.start.y) * direction.y)
        let share = min(max(product / square, 0), 1)
        let foot = FramePosition(
            x: Double(wall.start.x) + Double(direction.x) * share, y: Double(wall.start.y) + Double(direction.y) * share
        ).rounded
        return (foot.x - point.x).magnitude <= 1 && (foot.y - point.y).magnitude <= 1 ? [] : [foot]
    }

    /// Adds the triangles of a part, and finds the half-edges of its portals.
    private mutating func add(
        _ part: FloorPart, _ outline: FloorOutline, _ plans: [PortalPlan], _ surface: FloorSurface,
        _ sides: inout [(left: Int32, right: Int32)]
    ) {
        let (triangulation, isInside, ends) = (surface.triangulation, surface.isInside, surface.ends)
        let base = Int32(self.origins.count)
        var newIndex = [Int32](repeating: -1, count: isInside.count)
        var count: Int32 = 0
        for triangle in isInside.indices where isInside[triangle] {
            newIndex[triangle] = base + 3 * count
            count += 1
        }
        let earlier = self.trianglesOfSpace[part.space]
        self.trianglesOfSpace[part.space] = (earlier.isEmpty ? base / 3 : earlier.lowerBound)..<(base / 3 + count)
        var newPoint = [Int32](repeating: -1, count: triangulation.points.count)
        for triangle in isInside.indices where isInside[triangle] {
            for edge in (3 * triangle)..<(3 * triangle + 3) {
                let origin = Int(triangulation.origins[edge])
                if newPoint[origin] < 0 {
                    newPoint[origin] = Int32(self.points.count)
                    self.points.append(triangulation.points[origin])
                }
                self.origins.append(newPoint[origin])
                let twin = triangulation.twins[edge]
                let isJoined = twin >= 0 && isInside[Int(twin / 3)]
                self.twins.append(isJoined ? newIndex[Int(twin / 3)] + twin % 3 : -1)
            }
        }
        for (plan, ends) in zip(outline.wanted, ends) {
            guard let edge = triangulation.edge(from: ends.0, to: ends.1) else { continue }
            let twin = triangulation.twins[Int(edge)]
            let left = isInside[Int(edge / 3)] ? newIndex[Int(edge / 3)] + edge % 3 : -1
            let right = isInside[Int(twin / 3)] ? newIndex[Int(twin / 3)] + twin % 3 : -1
            if outline.slits.contains(plan) {
                if plans[plan].left.isInterior { sides[plan].left = left } else { sides[plan].right = right }
            } else if (left < 0) != (right < 0) {
                if left >= 0 { sides[plan].left = left } else { sides[plan].right = right }
            }
        }
    }
}

extension PortalPlan.Side? {
    var interior: Int? { if case .interior(let part) = self { part } else { nil } }
    var isInterior: Bool { self.interior != nil }
}
