/// What lies on top of the units on which people walk: columns, holes in the floor, stairs, lifts, and restricted units.
struct FloorBlockers {
    struct Blocker {
        /// The part with the rings of the blocker; its space is -1 for what cannot be entered.
        let part: FloorPart
        let area: Double
    }

    private let spaces: [Space]
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
            guard let box = GridBox(outlines[index][0]) else { continue }
            blockers.append(
                Blocker(
                    part: FloorPart(space: part.space, level: part.level, rings: outlines[index], box: box),
                    area: self.areas[index]))
        }
        self.blockers = blockers
        self.tree = BoxTree(blockers.map(\.part.box))
    }

    /// Whether a limit was reached, so that something that lies on top may be missing.
    var isExhausted: Bool { self.positionsLeft <= 0 || self.comparisonsLeft <= 0 }

    /// Smaller polygons of the same level that lie on a part. What is larger than the part lies below it.
    mutating func on(_ part: FloorPart, _ index: Int) -> [Blocker] {
        let space = self.spaces[part.space]
        guard space.isWalkedOn, self.positionsLeft > 0 else { return [] }
        let near = self.tree.indices(intersecting: part.box, limit: max(0, self.comparisonsLeft))
        self.comparisonsLeft -= near.count
        return near.map { self.blockers[$0] }.filter { blocker in
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
        for (triangles, corners) in triangulation.regions(isInside) {
            let point = FramePosition(
                x: Double(corners.reduce(0) { $0 + $1.x }) / 3, y: Double(corners.reduce(0) { $0 + $1.y }) / 3
            ).rounded
            guard self.contains(part, point) else { continue }
            guard blockers.contains(where: { self.contains($0.part, point) }) else { continue }
            for triangle in triangles { isCovered[triangle] = true }
        }
        return isCovered
    }

    private mutating func contains(_ part: FloorPart, _ point: GridPoint) -> Bool {
        guard part.box.intersects(GridBox(point, point)), self.comparisonsLeft > 0 else { return false }
        self.comparisonsLeft -= part.positionCount
        return part.contains(point)
    }

    /// Blockers without those that lie on an opening, which could not be reached otherwise.
    static func without(_ openings: [PortalPlan], _ blockers: [Blocker]) -> [Blocker] {
        let boxes = openings.map { GridBox($0.start, $0.end).expanded(by: 2) }
        let kept = blockers.filter { blocker in !boxes.contains { $0.intersects(blocker.part.box) } }
        return kept.count < blockers.count ? kept : []
    }
}

extension Space {
    fileprivate var isWalkedOn: Bool { self.kind == .floor || self.kind == .ramp }
    fileprivate var liesOnTop: Bool { self.isRestricted || !self.isWalkedOn }
}
