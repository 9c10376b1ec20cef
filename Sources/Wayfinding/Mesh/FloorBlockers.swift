/// What lies on top of the units on which people walk: columns, holes in the floor, stairs, lifts, restricted units, and rooms
/// with a door to them.
struct FloorBlockers {
    struct Blocker {
        /// The part with the rings of the blocker; its space is -1 for what cannot be entered.
        let part: FloorPart
        let area: Double
        var isRoom = false
    }

    private let spaces: [Space]
    private let parts: [FloorPart]
    private let outlines: [[[GridPoint]]]
    private let areas: [Double]
    private let blockers: [Blocker]
    private let tree: BoxTree
    /// What is left of the limits.
    private var positionsLeft: Int
    private var comparisonsLeft: Int

    /// - Parameter outlines: The rings of the parts, led to their openings.
    init(
        _ spaces: [Space], _ parts: [FloorPart], outlines: [[[GridPoint]]], _ solids: [Solid], _ limits: WorkLimits
    ) {
        self.positionsLeft = limits.blockerPositions
        self.comparisonsLeft = limits.blockerComparisons
        self.spaces = spaces
        self.parts = parts
        self.outlines = outlines
        self.areas = parts.map(\.doubleArea)
        var blockers: [Blocker] = []
        for solid in solids {
            for rings in solid.polygons {
                guard let box = GridBox(rings[0]) else { continue }
                let part = FloorPart(space: -1, level: solid.level, rings: rings, box: box)
                blockers.append(Blocker(part: part, area: part.doubleArea))
            }
        }
        for (index, part) in parts.enumerated() where spaces[part.space].liesOnTop {
            if let blocker = Self.blocker(part, outlines[index], self.areas[index]) { blockers.append(blocker) }
        }
        self.blockers = blockers
        self.tree = BoxTree(blockers.map(\.part.box))
    }

    private static func blocker(
        _ part: FloorPart, _ outline: [[GridPoint]], _ area: Double, isRoom: Bool = false
    ) -> Blocker? {
        guard let box = GridBox(outline[0]) else { return nil }
        return Blocker(
            part: FloorPart(space: part.space, level: part.level, rings: outline, box: box), area: area, isRoom: isRoom)
    }

    /// Whether a limit was reached, so that something that lies on top may be missing.
    var isExhausted: Bool { self.positionsLeft <= 0 || self.comparisonsLeft <= 0 }

    /// Smaller polygons of the same level that lie on a part. What is larger than the part lies below it.
    ///
    /// - Parameter entered: Parts with an opening that leads into this one.
    mutating func on(_ part: FloorPart, _ index: Int, entered: [Int]) -> [Blocker] {
        let space = self.spaces[part.space]
        guard space.isWalkedOn, self.positionsLeft > 0 else { return [] }
        let near = self.tree.indices(intersecting: part.box, limit: max(0, self.comparisonsLeft))
        self.comparisonsLeft -= near.count
        let rooms = entered.compactMap { other in
            space.kind == .floor && self.spaces[self.parts[other].space].isRoom
                ? Self.blocker(self.parts[other], self.outlines[other], self.areas[other], isRoom: true) : nil
        }
        return (near.map { self.blockers[$0] } + rooms).filter { blocker in
            guard blocker.part.level == part.level, blocker.area < self.areas[index] else { return false }
            guard blocker.part.space != part.space, blocker.part.space < 0 || !space.isRestricted else { return false }
            self.positionsLeft -= blocker.part.positionCount
            return self.positionsLeft > 0
        }
    }

    /// For each triangle inside of a part whether something lies on it. Rings lead out of a part to its openings; there nothing does.
    mutating func covered(
        _ part: FloorPart, by blockers: [Blocker], _ triangulation: Triangulation, _ isInside: [Bool]
    ) -> [Bool] {
        var isCovered = [Bool](repeating: false, count: isInside.count)
        let tree = BoxTree(blockers.map(\.part.box))
        for (triangles, corners) in triangulation.regions(isInside) {
            let point = FramePosition(
                x: Double(corners.reduce(0) { $0 + $1.x }) / 3, y: Double(corners.reduce(0) { $0 + $1.y }) / 3
            ).rounded
            guard self.contains(part, point) else { continue }
            let near = tree.indices(intersecting: GridBox(point, point))
            guard near.contains(where: { self.contains(blockers[$0].part, point) }) else { continue }
            for triangle in triangles { isCovered[triangle] = true }
        }
        return isCovered
    }

    private mutating func contains(_ part: FloorPart, _ point: GridPoint) -> Bool {
        guard part.box.intersects(GridBox(point, point)), self.comparisonsLeft > 0 else { return false }
        self.comparisonsLeft -= part.positionCount
        return part.contains(point)
    }
}

extension Space {
    fileprivate var isWalkedOn: Bool { self.kind == .floor || self.kind == .ramp }
    fileprivate var liesOnTop: Bool { self.isRestricted || !self.isWalkedOn }

    /// Whether an opening says that it has walls.
    fileprivate var isRoom: Bool {
        guard self.kind == .floor, !self.liesOnTop else { return false }
        switch self.category {
        case "footbridge", "movingwalkway", "platform", "road", "unenclosedarea", "walkway", "walkway.island":
            return false
        default: return true
        }
    }
}
