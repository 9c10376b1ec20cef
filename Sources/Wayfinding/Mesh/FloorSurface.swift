/// The rings of a part, led to its openings, with the plans of these; slits are those inside of it.
struct FloorOutline {
    var rings: [[GridPoint]] = []
    var wanted: [Int]
    let slits: Set<Int>
}

/// The triangles of a part of a unit without what lies on it.
struct FloorSurface {
    let triangulation: Triangulation
    private(set) var isInside: [Bool]
    /// The points of each wanted opening.
    let ends: [(Int32, Int32)]
    /// The boxes of what cannot be reached because of what lies on the part.
    private var lost: [GridBox] = []

    /// As much is taken away as closes no opening, and rooms if they divide nothing. If rooms do in any case, none of them is cut out.
    ///
    /// - Returns: Nil if the part is too complex, or not wanted any more.
    static func without(
        _ blockers: [FloorBlockers.Blocker], _ part: FloorPart, _ outline: FloorOutline, _ plans: [PortalPlan],
        _ all: inout FloorBlockers, _ shouldStop: () -> Bool
    ) -> FloorSurface? {
        var chosen = blockers
        var attempt = 1
        while !shouldStop() {
            let surface = FloorSurface(part, outline, plans, &all, chosen)
            if chosen.isEmpty || surface?.lost.isEmpty ?? false { return surface }
            chosen = attempt > 3 ? [] : surface.map { Self.keeping($0.lost, from: chosen) } ?? []
            if chosen.isEmpty {
                let others = blockers.contains(where: \.isRoom) ? blockers.filter { !$0.isRoom } : []
                return Self.without(others, part, outline, plans, &all, shouldStop)
            }
            attempt += 1
        }
        return nil
    }

    /// Blockers without those that are near boxes which could not be reached otherwise: without the rooms, or if none is near, without
    /// everything else. None if nothing is near.
    private static func keeping(
        _ boxes: [GridBox], from blockers: [FloorBlockers.Blocker]
    ) -> [FloorBlockers.Blocker] {
        let isNear = blockers.map { blocker in boxes.contains { $0.intersects(blocker.part.box) } }
        let hasRooms = blockers.indices.contains { isNear[$0] && blockers[$0].isRoom }
        let kept = blockers.indices.filter { !isNear[$0] || (hasRooms && !blockers[$0].isRoom) }
        return kept.count < blockers.count ? kept.map { blockers[$0] } : []
    }

    /// Nil if the part is too complex.
    private init?(
        _ part: FloorPart, _ outline: FloorOutline, _ plans: [PortalPlan], _ blockers: inout FloorBlockers,
        _ chosen: [FloorBlockers.Blocker]
    ) {
        let all = outline.rings + chosen.flatMap(\.part.rings)
        guard let box = GridBox(all.joined()) else { return nil }
        var triangulation = Triangulation(around: box, expecting: all.reduce(0) { $0 + $1.count })
        let indices = all.map { ring in ring.map { triangulation.add($0) } }
        let ends = outline.wanted.map { (triangulation.add(plans[$0].start), triangulation.add(plans[$0].end)) }
        for (number, ring) in indices.enumerated() {
            var start = ring[ring.count - 1]
            let mark: Triangulation.Mark =
                number >= outline.rings.count ? .slit : number == 0 ? .outerRing : .innerRing
            for end in ring {
                triangulation.add(segment: start, end, mark)
                start = end
            }
        }
        for (plan, ends) in zip(outline.wanted, ends) where outline.slits.contains(plan) {
            triangulation.add(segment: ends.0, ends.1, .slit)
        }
        guard !triangulation.isTooComplex else { return nil }
        let isInside = triangulation.inside()
        (self.triangulation, self.isInside, self.ends) = (triangulation, isInside, ends)
        guard !chosen.isEmpty else { return }
        let isCovered = blockers.covered(part, by: chosen, triangulation, isInside)
        self.isInside = isInside.indices.map { isInside[$0] && !isCovered[$0] }
        for (plan, ends) in zip(outline.wanted, ends) {
            if self.isLost(plan, ends, outline, plans, isCovered) {
                self.lost.append(GridBox(plans[plan].start, plans[plan].end).expanded(by: 2))
            }
        }
        let rooms = chosen.filter(\.isRoom)
        if self.lost.isEmpty, !rooms.isEmpty { self.leaveOutPockets(outline, plans, chosen, rooms) }
    }

    /// Whether an opening of the part is covered.
    private func isLost(
        _ plan: Int, _ ends: (Int32, Int32), _ outline: FloorOutline, _ plans: [PortalPlan], _ isCovered: [Bool]
    ) -> Bool {
        guard let edge = self.triangulation.edge(from: ends.0, to: ends.1) else { return true }
        let twin = self.triangulation.twins[Int(edge)]
        guard isCovered[Int(edge / 3)] || isCovered[Int(twin / 3)] else { return false }
        guard outline.slits.contains(plan) else { return true }
        return !self.isInside[Int((plans[plan].left.isInterior ? edge : twin) / 3)]
    }

    // MARK: - Rooms

    /// Triangles that join without passing others.
    private struct Piece {
        var triangles: [Int]
        var box: GridBox
        var doubleArea = 0.0
        var isEntered = false
    }

    /// Leaves out what rooms enclose if no opening leads there. What openings lead into is lost if rooms part it from the largest piece.
    private mutating func leaveOutPockets(
        _ outline: FloorOutline, _ plans: [PortalPlan], _ chosen: [FloorBlockers.Blocker],
        _ rooms: [FloorBlockers.Blocker]
    ) {
        let pieces = self.pieces(self.entries(outline, plans))
        let entered = pieces.indices.filter { pieces[$0].isEntered }
        var largest: Int?
        for index in entered where largest.map({ pieces[index].doubleArea > pieces[$0].doubleArea }) ?? true {
            largest = index
        }
        // Without a piece that is entered, nothing of the part is left.
        let boxes =
            largest == nil ? chosen.map(\.part.box) : entered.filter { $0 != largest }.map { pieces[$0].box }
        self.lost = boxes.map { $0.expanded(by: 2) }
            .filter { box in rooms.contains { box.intersects($0.part.box) } }
        for piece in pieces where !piece.isEntered {
            for triangle in piece.triangles { self.isInside[triangle] = false }
        }
    }

    /// The triangles at openings, on both sides of those in a wall.
    private func entries(_ outline: FloorOutline, _ plans: [PortalPlan]) -> Set<Int> {
        var found: Set<Int> = []
        for (plan, ends) in zip(outline.wanted, self.ends) {
            guard let edge = self.triangulation.edge(from: ends.0, to: ends.1) else { continue }
            let twin = self.triangulation.twins[Int(edge)]
            let isSlit = outline.slits.contains(plan)
            if !isSlit || plans[plan].left.isInterior { found.insert(Int(edge / 3)) }
            if !isSlit || !plans[plan].left.isInterior { found.insert(Int(twin / 3)) }
        }
        return found
    }

    private func pieces(_ entries: Set<Int>) -> [Piece] {
        var pieces: [Piece] = []
        var isDone = self.isInside.map { !$0 }
        for start in isDone.indices where !isDone[start] {
            isDone[start] = true
            let corner = self.triangulation.point(Int32(3 * start))
            var piece = Piece(triangles: [start], box: GridBox(corner, corner))
            var position = 0
            while position < piece.triangles.count {
                let triangle = piece.triangles[position]
                position += 1
                let corners = (0..<3).map { self.triangulation.point(Int32(3 * triangle + $0)) }
                for corner in corners { piece.box = piece.box.union(GridBox(corner, corner)) }
                piece.doubleArea += Double(GridPoint.orientation(corners[0], corners[1], corners[2]))
                piece.isEntered = piece.isEntered || entries.contains(triangle)
                for edge in (3 * triangle)..<(3 * triangle + 3) {
                    let twin = self.triangulation.twins[edge]
                    guard twin >= 0, !isDone[Int(twin / 3)] else { continue }
                    isDone[Int(twin / 3)] = true
                    piece.triangles.append(Int(twin / 3))
                }
            }
            pieces.append(piece)
        }
        return pieces
    }
}
