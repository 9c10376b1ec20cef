extension Triangulation {
    private struct Segment {
        var start: Int32
        var end: Int32
        var mark: UInt8
    }

    /// Makes the segment between two points an edge, or several ones, and toggles their mark.
    mutating func add(segment start: Int32, _ end: Int32, _ mark: Mark) {
        var pending = [Segment(start: start, end: end, mark: mark.rawValue)]
        while let segment = pending.popLast(), !self.isTooComplex {
            if segment.start != segment.end { self.insert(segment, &pending) }
            if self.lookupsLeft <= 0 { self.isTooComplex = true }
        }
    }

    private mutating func insert(_ segment: Segment, _ pending: inout [Segment]) {
        let (u, v) = (segment.start, segment.end)
        let (start, end) = (self.points[Int(u)], self.points[Int(v)])
        // Find the edge from `start` along the segment, or the triangle into which the segment leads.
        var edge = self.edges[Int(u)]
        while true {
            let next = Self.next(edge)
            let right = self.point(next)
            let side = GridPoint.orientation(start, end, right)
            if side == 0, (right.x - start.x) * (end.x - start.x) + (right.y - start.y) * (end.y - start.y) > 0 {
                self.toggle(edge, segment.mark)
                pending.append(Segment(start: self.origins[Int(next)], end: v, mark: segment.mark))
                return
            }
            if side < 0, GridPoint.orientation(start, end, self.point(Self.previous(edge))) > 0 {
                edge = next
                break
            }
            edge = self.twins[Int(Self.previous(edge))]
            self.lookupsLeft -= 1
        }
        // Cross edges until the segment meets a point.
        var crossed: [(Int32, Int32)] = []
        var goal = v
        while true {
            let twin = self.twins[Int(edge)]
            if self.marks[Int(edge)] != 0 {
                self.resolveCrossing(of: segment, with: edge, &pending)
                return
            }
            crossed.append((self.origins[Int(edge)], self.origins[Int(twin)]))
            let apex = self.origins[Int(Self.previous(twin))]
            if apex == v { break }
            let side = GridPoint.orientation(start, end, self.points[Int(apex)])
            if side == 0 {
                goal = apex
                pending.append(Segment(start: apex, end: v, mark: segment.mark))
                break
            }
            edge = side > 0 ? Self.next(twin) : Self.previous(twin)
            self.lookupsLeft -= 1
        }
        let new = self.flip(crossed, from: u, to: goal)
        if let edge = self.edgeOfSegment(from: u, to: goal) {
            self.toggle(edge, segment.mark)
            self.legalize(pairs: new)
        } else {
            self.isTooComplex = true
        }
    }

    /// Flips the edges that cross a segment (Sloan 1993) until none of them does, and returns the new edges.
    private mutating func flip(_ crossed: [(Int32, Int32)], from u: Int32, to v: Int32) -> [(Int32, Int32)] {
        let (start, end) = (self.points[Int(u)], self.points[Int(v)])
        var queue = crossed
        var new: [(Int32, Int32)] = []
        var head = 0
        while head < queue.count, self.stepsLeft > 0, self.lookupsLeft > 0 {
            self.stepsLeft -= 1
            let (one, other) = queue[head]
            head += 1
            guard let edge = self.edgeOfSegment(from: one, to: other) else { continue }
            let twin = self.twins[Int(edge)]
            let left = self.point(Self.previous(edge))
            let right = self.point(Self.previous(twin))
            let (a, b) = (self.points[Int(one)], self.points[Int(other)])
            guard GridPoint.orientation(left, a, right) > 0, GridPoint.orientation(left, right, b) > 0 else {
                queue.append((one, other))
                continue
            }
            let (c, d) = (self.origins[Int(Self.previous(edge))], self.origins[Int(Self.previous(twin))])
            self.flip(edge)
            let isAtEnd = c == u || c == v || d == u || d == v
            let sides = (GridPoint.orientation(start, end, left), GridPoint.orientation(start, end, right))
            if !isAtEnd, (sides.0 > 0) != (sides.1 > 0) { queue.append((c, d)) } else { new.append((c, d)) }
        }
        return new
    }

    /// Makes new edges beside a segment Delaunay. Otherwise each segment leaves long triangles, which all later ones would cross.
    private mutating func legalize(pairs: [(Int32, Int32)]) {
        var stack = pairs
        while self.lookupsLeft > 0, let (one, other) = stack.popLast() {
            guard let edge = self.edgeOfSegment(from: one, to: other), self.marks[Int(edge)] == 0, self.shouldFlip(edge)
            else { continue }
            let twin = self.twins[Int(edge)]
            let (c, d) = (self.origins[Int(Self.previous(edge))], self.origins[Int(Self.previous(twin))])
            self.stepsLeft -= 1
            self.flip(edge)
            stack += [(one, d), (d, other), (other, c), (c, one)]
        }
    }

    private mutating func toggle(_ edge: Int32, _ mark: UInt8) {
        let old = self.marks[Int(edge)]
        let combined = ((old ^ mark) & 3) | ((old | mark) & Mark.slit.rawValue)
        self.marks[Int(edge)] = combined
        self.marks[Int(self.twins[Int(edge)])] = combined
    }

    /// Leads a segment and the edge that it crosses through a common point.
    private mutating func resolveCrossing(of segment: Segment, with edge: Int32, _ pending: inout [Segment]) {
        self.crossingsLeft -= 1
        guard self.crossingsLeft > 0 else {
            self.isTooComplex = true
            return
        }
        let (one, other) = (self.origins[Int(edge)], self.origins[Int(self.twins[Int(edge)])])
        let (a, b) = (self.points[Int(one)], self.points[Int(other)])
        let (start, end) = (self.points[Int(segment.start)], self.points[Int(segment.end)])
        let near = Double(GridPoint.orientation(start, end, a).magnitude)
        let far = Double(GridPoint.orientation(start, end, b).magnitude)
        let share = near / (near + far)
        let crossing = FramePosition(
            x: Double(a.x) + Double(b.x - a.x) * share, y: Double(a.y) + Double(b.y - a.y) * share)
        let mark = self.marks[Int(edge)]
        let point = self.add(crossing.rounded)
        if point != one, point != other, let edge = self.edgeOfSegment(from: one, to: other) {
            self.marks[Int(edge)] = 0
            self.marks[Int(self.twins[Int(edge)])] = 0
            pending.append(Segment(start: one, end: point, mark: mark))
            pending.append(Segment(start: point, end: other, mark: mark))
        }
        pending.append(Segment(start: segment.start, end: point, mark: segment.mark))
        pending.append(Segment(start: point, end: segment.end, mark: segment.mark))
    }
}

// MARK: - Inside

extension Triangulation {
    /// For each triangle whether it is inside: within an odd number of outer rings and an even number of inner ones.
    func inside() -> [Bool] {
        var parity = [UInt8](repeating: .max, count: self.triangleCount)
        let start = self.edges[0] / 3
        parity[Int(start)] = 0
        var stack = [start]
        while let triangle = stack.popLast() {
            for edge in (3 * triangle)..<(3 * triangle + 3) {
                let twin = self.twins[Int(edge)]
                guard twin >= 0, parity[Int(twin / 3)] == .max else { continue }
                parity[Int(twin / 3)] = parity[Int(triangle)] ^ (self.marks[Int(edge)] & 3)
                stack.append(twin / 3)
            }
        }
        return parity.map { $0 == Mark.outerRing.rawValue }
    }

    /// The triangles inside in regions that segments separate, with the corners of the largest triangle of each.
    func regions(_ isInside: [Bool]) -> [(triangles: [Int], corners: [GridPoint])] {
        var regions: [(triangles: [Int], corners: [GridPoint])] = []
        var isDone = isInside.map { !$0 }
        for start in isDone.indices where !isDone[start] {
            isDone[start] = true
            var triangles = [start]
            var best: (area: Int, corners: [GridPoint]) = (0, [])
            var position = 0
            while position < triangles.count {
                let first = Int32(3 * triangles[position])
                position += 1
                let (a, b, c) = (self.point(first), self.point(first + 1), self.point(first + 2))
                let area = GridPoint.orientation(a, b, c)
                if area > best.area { best = (area, [a, b, c]) }
                for edge in first..<(first + 3) {
                    let twin = self.twins[Int(edge)]
                    guard twin >= 0, !isDone[Int(twin / 3)], self.marks[Int(edge)] == 0 else { continue }
                    isDone[Int(twin / 3)] = true
                    triangles.append(Int(twin / 3))
                }
            }
            regions.append((triangles, best.corners))
        }
        return regions
    }
}
