/// Finds what openings join.
struct PortalPlanner {
    /// The greatest distance of an opening from a wall, in millimeters.
    static let tolerance = 300.0
    /// The least width of a passage, in millimeters, unless the opening itself is narrower.
    static let leastWidth = 100.0
    /// The greatest number of walls that are compared with a segment of an opening.
    private static let wallLimit = 512
    /// Stretches of an opening up to this distance from each other are one, in millimeters.
    private static let gapLimit = 2.0

    let parts: [FloorPart]
    private(set) var walls: [Wall] = []
    private(set) var plans: [PortalPlan] = []
    private let wallTree: BoxTree
    private let partTree: BoxTree
    /// Stretches of walls that belong to portals, as distances from the start of the wall.
    private var occupied: [Int: [(Double, Double)]] = [:]
    /// What is left of the limits.
    private var pairsLeft: Int
    private var comparisonsLeft: Int
    private let positionsOfPart: [Int]
    private var run: Run?

    init(_ parts: [FloorPart], _ limits: WorkLimits) {
        self.parts = parts
        self.pairsLeft = limits.wallPairs
        self.comparisonsLeft = limits.openingComparisons
        for (index, part) in parts.enumerated() {
            for (number, ring) in part.rings.enumerated() {
                for position in ring.indices {
                    self.walls.append(
                        Wall(
                            part: index, ring: number, index: position, start: ring[position],
                            end: ring[(position + 1) % ring.count]))
                }
            }
        }
        self.positionsOfPart = parts.map(\.positionCount)
        self.wallTree = BoxTree(self.walls.map { GridBox($0.start, $0.end) })
        self.partTree = BoxTree(parts.map(\.box))
    }

    /// A wall along a stretch of an opening.
    private struct Candidate {
        let wall: Int
        /// The stretch of the opening, as distances from its start.
        var from: Double
        var to: Double
        /// The distances along the opening from which the start and the end of the wall are the nearest points of its line. The wall is
        /// led to the opening from the nearest points.
        let wallStart: Double
        let wallEnd: Double
        /// How far to the left of the opening the wall is, in the middle of the stretch.
        let offset: Double
        let isLeft: Bool
        /// Whether the wall is one of the level of the opening.
        let isOwn: Bool

        var distance: Double { self.offset.magnitude }
    }

    /// The stretches of an opening one after the other that join the same spaces.
    private struct Run {
        let left: Int
        let right: Int
        let start: FramePosition
        var end: FramePosition
        var plans: [Int] = []
    }

    /// Whether a limit was reached, so that what is planned may be incomplete.
    var isExhausted: Bool { self.pairsLeft <= 0 || self.comparisonsLeft <= 0 }

    // MARK: - Parts of a unit

    /// Joins parts of a unit that have a common wall, as those of a unit that was cut at the antimeridian.
    mutating func joinParts(_ shouldStop: () -> Bool) {
        var counts: [Int: Int] = [:]
        for part in self.parts { counts[part.space, default: 0] += 1 }
        for (index, wall) in self.walls.enumerated() where counts[self.parts[wall.part].space, default: 0] > 1 {
            guard self.pairsLeft > 0, !index.isMultiple(of: 64) || !shouldStop() else { return }
            let box = GridBox(wall.start, wall.end)
            let others = self.wallTree.indices(intersecting: box, limit: self.pairsLeft)
            self.pairsLeft -= others.count
            for other in others where other > index {
                let twin = self.walls[other]
                guard twin.part != wall.part, self.parts[twin.part].space == self.parts[wall.part].space,
                    GridPoint.orientation(wall.start, wall.end, twin.start) == 0,
                    GridPoint.orientation(wall.start, wall.end, twin.end) == 0,
                    let left = self.isInsideLeft(of: wall), let right = self.isInsideLeft(of: twin)
                else { continue }
                let direction = wall.end - wall.start
                let isOpposite =
                    direction.x * (twin.end.x - twin.start.x) + direction.y * (twin.end.y - twin.start.y) < 0
                // The insides have to be on different sides.
                guard (left == right) == isOpposite else { continue }
                let ends = [wall.start, wall.end, twin.start, twin.end].sorted()
                let (low, high) = (ends[1], ends[2])
                guard low != high, GridBox(low, high).intersects(box), GridBox(twin.start, twin.end).intersects(box)
                else { continue }
                let isForward = (high.x - low.x) * direction.x + (high.y - low.y) * direction.y > 0
                let (start, end) = isForward == left ? (low, high) : (high, low)
                let stretch = [wall, twin].map { each in
                    [each.start.distance(to: low), each.start.distance(to: high)].sorted()
                }
                guard self.isFree(index, stretch[0][0], stretch[0][1]), self.isFree(other, stretch[1][0], stretch[1][1])
                else { continue }
                self.occupied[index, default: []].append((stretch[0][0], stretch[0][1]))
                self.occupied[other, default: []].append((stretch[1][0], stretch[1][1]))
                self.plans.append(
                    PortalPlan(
                        doorway: nil, start: start, end: end, width: start.distance(to: end), left: .wall(index),
                        right: .wall(other)))
            }
        }
    }

    private mutating func isFree(_ wall: Int, _ from: Double, _ to: Double) -> Bool {
        let occupied = self.occupied[wall] ?? []
        self.pairsLeft -= occupied.count
        return occupied.allSatisfy { to <= $0.0 || $0.1 <= from }
    }

    /// Whether the inside of the part is on the left of a wall; nil if it is on both sides, or on none.
    private mutating func isInsideLeft(of wall: Wall, at share: Double = 0.5) -> Bool? {
        let (x, y) = (Double(wall.end.x - wall.start.x), Double(wall.end.y - wall.start.y))
        let length = (x * x + y * y).squareRoot()
        let middle = FramePosition(x: Double(wall.start.x) + x * share, y: Double(wall.start.y) + y * share)
        let (offsetX, offsetY) = (5 * y / length, 5 * x / length)
        let left = self.isIn(wall.part, FramePosition(x: middle.x - offsetX, y: middle.y + offsetY).rounded)
        let right = self.isIn(wall.part, FramePosition(x: middle.x + offsetX, y: middle.y - offsetY).rounded)
        return left == right ? nil : left
    }

    private mutating func isIn(_ part: Int, _ point: GridPoint) -> Bool {
        self.comparisonsLeft -= self.positionsOfPart[part]
        return self.comparisonsLeft > 0 && self.parts[part].contains(point)
    }

    // MARK: - Openings

    mutating func add(_ doorway: Int, level: Int, line: [GridPoint], _ shouldStop: () -> Bool) {
        for (start, end) in zip(line, line.dropFirst()) where start != end && !shouldStop() {
            self.add(doorway, level, from: start, to: end)
        }
        self.finishRun()
    }

    /// Adds a stretch to those before it; the plan is nil if it is too narrow for a portal of its own.
    private mutating func extendRun(
        _ left: Int, _ right: Int, from start: FramePosition, to end: FramePosition, plan: Int?
    ) {
        if let run, run.left == left, run.right == right, run.end.distance(to: start) <= Self.gapLimit {
            self.run?.end = end
        } else {
            self.finishRun()
            self.run = Run(left: left, right: right, start: start, end: end)
        }
        if let plan { self.run?.plans.append(plan) }
    }

    /// Walls end within openings; portals are as wide as all stretches together.
    private mutating func finishRun() {
        guard let run else { return }
        let width = run.start.distance(to: run.end)
        for plan in run.plans { self.plans[plan].width = max(self.plans[plan].width, width) }
        self.run = nil
    }

    private mutating func add(_ doorway: Int, _ level: Int, from start: GridPoint, to end: GridPoint) {
        let length = start.distance(to: end)
        let least = min(Self.leastWidth, length / 2)
        let candidates = self.candidates(level, from: start, to: end, length, least)
        self.comparisonsLeft -= candidates.count * candidates.count
        var stops = candidates.flatMap { [$0.from, $0.to] }.sorted()
        stops = stops.indices.filter { $0 == 0 || stops[$0] > stops[$0 - 1] }.map { stops[$0] }
        var stretches: [(from: Double, to: Double, left: Int?, right: Int?)] = []
        for (from, to) in zip(stops, stops.dropFirst()) {
            var left = candidates.firstIndex { $0.isLeft && $0.from <= from && $0.to >= to }
            var right = candidates.firstIndex { !$0.isLeft && $0.from <= from && $0.to >= to }
            if let one = left, let other = right, self.areOpposite(candidates[one], candidates[other]) {
                if one < other { right = nil } else { left = nil }
            }
            if let last = stretches.last, last.to == from, last.left == left, last.right == right {
                stretches[stretches.count - 1].to = to
            } else {
                stretches.append((from, to, left, right))
            }
        }
        for stretch in stretches where stretch.left != nil || stretch.right != nil {
            let sides = [stretch.left, stretch.right].compactMap { $0.map { candidates[$0] } }
            // An opening can lead to another level of the same ordinal, such as that of the next building, but only from its own.
            guard sides.contains(where: \.isOwn) else { continue }
            func at(_ offset: Double) -> FramePosition {
                FramePosition(
                    x: Double(start.x) + Double(end.x - start.x) * (offset / length),
                    y: Double(start.y) + Double(end.y - start.y) * (offset / length))
            }
            func space(_ candidate: Int?) -> Int {
                candidate.map { self.parts[self.walls[candidates[$0].wall].part].space } ?? -1
            }
            guard let (from, to) = self.freeStretch(stretch.from, stretch.to, sides) else { continue }
            guard to - from >= least else {
                if from == stretch.from, to == stretch.to, sides.count == 2 {
                    self.extendRun(space(stretch.left), space(stretch.right), from: at(from), to: at(to), plan: nil)
                }
                continue
            }
            let first = Self.point(start, end, from / length)
            let last = Self.point(start, end, to / length)
            guard first != last else { continue }
            for side in sides {
                let wallLength = self.walls[side.wall].start.distance(to: self.walls[side.wall].end)
                let scale = wallLength / (side.wallEnd - side.wallStart)
                let ends = [(from - side.wallStart) * scale, (to - side.wallStart) * scale].sorted()
                self.occupied[side.wall, default: []].append((ends[0], ends[1]))
            }
            var plan = PortalPlan(
                doorway: doorway, start: first, end: last, width: to - from,
                left: stretch.left.map { .wall(candidates[$0].wall) },
                right: stretch.right.map { .wall(candidates[$0].wall) })
            self.fillSide(of: &plan, level, from: start, to: end, length)
            self.plans.append(plan)
            let left = plan.left.interior.map { self.parts[$0].space } ?? space(stretch.left)
            let right = plan.right.interior.map { self.parts[$0].space } ?? space(stretch.right)
            self.extendRun(left, right, from: at(from), to: at(to), plan: self.plans.count - 1)
        }
    }

    private static func point(_ start: GridPoint, _ end: GridPoint, _ share: Double) -> GridPoint {
        FramePosition(
            x: Double(start.x) + Double(end.x - start.x) * share, y: Double(start.y) + Double(end.y - start.y) * share
        ).rounded
    }

    /// Whether two walls are those of a narrow unit with the inside between them: nothing leads from it into itself.
    private func areOpposite(_ left: Candidate, _ right: Candidate) -> Bool {
        self.walls[left.wall].part == self.walls[right.wall].part && left.offset < right.offset
    }

    private mutating func candidates(
        _ level: Int, from start: GridPoint, to end: GridPoint, _ length: Double, _ least: Double
    ) -> [Candidate] {
        let (dx, dy) = (Double(end.x - start.x) / length, Double(end.y - start.y) / length)
        var found: [Candidate] = []
        let box = GridBox(start, end).expanded(by: Int(Self.tolerance) + 1)
        let near = self.comparisonsLeft > 0 ? self.wallTree.indices(intersecting: box) : []
        self.comparisonsLeft -= near.count
        for index in near {
            guard found.count < Self.wallLimit else { break }
            let wall = self.walls[index]
            let (ax, ay) = (Double(wall.start.x - start.x), Double(wall.start.y - start.y))
            let (bx, by) = (Double(wall.end.x - start.x), Double(wall.end.y - start.y))
            let (ua, ub) = (ax * dx + ay * dy, bx * dx + by * dy)
            let (va, vb) = (ay * dx - ax * dy, by * dx - bx * dy)
            // Walls at more than 45° to the opening do not contain it.
            guard (vb - va).magnitude <= (ub - ua).magnitude, ua != ub else { continue }
            var from = max(0, min(ua, ub))
            var to = min(length, max(ua, ub))
            // Where the wall is within the tolerance.
            let slope = (vb - va) / (ub - ua)
            if slope != 0 {
                let one = ua + (Self.tolerance - va) / slope
                let other = ua + (-Self.tolerance - va) / slope
                from = max(from, min(one, other))
                to = min(to, max(one, other))
            } else if va.magnitude > Self.tolerance {
                continue
            }
            guard to - from >= min(Self.gapLimit, least) else { continue }
            let middle = (from + to) / 2
            guard let isInsideLeft = self.isInsideLeft(of: wall, at: (middle - ua) / (ub - ua)) else { continue }
            func nearest(_ x: Double, _ y: Double) -> Double { (x * (bx - ax) + y * (by - ay)) / (ub - ua) }
            found.append(
                Candidate(
                    wall: index, from: from, to: to, wallStart: nearest(ax, ay), wallEnd: nearest(bx, by),
                    offset: va + slope * (middle - ua), isLeft: isInsideLeft == (ub > ua),
                    isOwn: self.parts[wall.part].level == level))
        }
        return found.sorted { one, other in
            guard one.isOwn == other.isOwn else { return one.isOwn }
            return one.distance == other.distance ? one.wall < other.wall : one.distance < other.distance
        }
    }

    /// The longest stretch that no other portal of the same walls has.
    private mutating func freeStretch(_ from: Double, _ to: Double, _ sides: [Candidate]) -> (Double, Double)? {
        var taken: [(Double, Double)] = []
        for side in sides {
            let wall = self.walls[side.wall]
            let scale = (side.wallEnd - side.wallStart) / wall.start.distance(to: wall.end)
            let occupied = self.occupied[side.wall] ?? []
            self.comparisonsLeft -= occupied.count
            for (one, other) in occupied {
                let (first, second) = (side.wallStart + one * scale, side.wallStart + other * scale)
                let stretch = (min(first, second), max(first, second))
                if stretch.0 < to, stretch.1 > from { taken.append(stretch) }
            }
        }
        guard !taken.isEmpty else { return (from, to) }
        taken.sort { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }
        var best: (Double, Double)?
        var position = from
        for (start, end) in taken + [(to, to)] {
            let stop = min(start, to)
            if stop > position, stop - position > best.map({ $0.1 - $0.0 }) ?? 0 { best = (position, stop) }
            position = max(position, end)
        }
        return best
    }

    /// An opening of a unit that is drawn over another one leads into the other one.
    private mutating func fillSide(
        of plan: inout PortalPlan, _ level: Int, from start: GridPoint, to end: GridPoint, _ length: Double
    ) {
        guard plan.left == nil || plan.right == nil, let known = plan.left ?? plan.right, case .wall(let wall) = known
        else { return }
        let sign = plan.left == nil ? 1.0 : -1.0
        let x = -Double(end.y - start.y) / length * 150 * sign
        let y = Double(end.x - start.x) / length * 150 * sign
        let middle = FramePosition(
            x: (Double(plan.start.x) + Double(plan.end.x)) / 2 + x,
            y: (Double(plan.start.y) + Double(plan.end.y)) / 2 + y
        ).rounded
        let space = self.parts[self.walls[wall].part].space
        let near = self.comparisonsLeft > 0 ? self.partTree.indices(intersecting: GridBox(middle, middle)) : []
        self.comparisonsLeft -= near.count
        let holders = near.filter {
            self.parts[$0].space != space && self.parts[$0].level == level && self.isIn($0, middle)
        }
        .map { (part: $0, area: self.parts[$0].doubleArea) }
        guard let holder = holders.min(by: { $0.area == $1.area ? $0.part < $1.part : $0.area < $1.area }) else {
            return
        }
        // The whole stretch has to be inside of it, or from one wall to another.
        let part = self.parts[holder.part]
        let isWithin = [plan.start, plan.end].allSatisfy { part.contains($0) || part.isOnRing($0) }
        guard isWithin else { return }
        if plan.left == nil { plan.left = .interior(holder.part) } else { plan.right = .interior(holder.part) }
    }
}
