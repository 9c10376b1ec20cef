/// Compares two geometries independently of the order of their parts and of the start and direction of their rings.
struct GeometryEquality {
    private typealias Path = ComparableGeometry.Path

    private let left: ComparableGeometry
    private let right: ComparableGeometry

    /// The limit of compared vertices and candidates, per vertex. Real geometry needs a few. Geometry of many similar parts would
    /// need as many as it has vertices; it is treated as different, which is the harmless mistake.
    private static let stepsPerVertex = 32

    static func holds(between left: ComparableGeometry, and right: ComparableGeometry) -> Bool {
        guard left.kind == right.kind, left.dimension == right.dimension, left.parts.count == right.parts.count,
            left.paths.count == right.paths.count, left.ordinates.count == right.ordinates.count
        else { return false }
        if left.paths.count == 1, !left.paths[0].box.isNear(right.paths[0].box) { return false }
        // The comparison must be symmetric even if the steps run out, so the roles do not depend on the order of arguments.
        let isInOrder = !right.ordinates.lexicographicallyPrecedes(left.ordinates)
        return GeometryEquality(left: isInOrder ? left : right, right: isInOrder ? right : left).sameParts()
    }

    private func sameParts() -> Bool {
        var steps = (self.left.vertexCount + 64) * Self.stepsPerVertex
        // The box of a part is the box of its first path.
        return Pairing.isComplete(
            self.left.parts.map { self.left.paths[$0.lowerBound].box },
            self.right.parts.map { self.right.paths[$0.lowerBound].box }, steps: &steps
        ) { here, there, steps in
            self.samePart(self.left.parts[here], self.right.parts[there], &steps)
        }
    }

    private func samePart(_ here: Range<Int>, _ there: Range<Int>, _ steps: inout Int) -> Bool {
        guard here.count == there.count, self.samePath(here.lowerBound, there.lowerBound, &steps) else { return false }
        let (holes, otherHoles) = (here.dropFirst(), there.dropFirst())
        if holes.isEmpty { return true }
        return Pairing.isComplete(
            holes.map { self.left.paths[$0].box }, otherHoles.map { self.right.paths[$0].box }, steps: &steps
        ) { hole, otherHole, steps in
            self.samePath(holes.startIndex + hole, otherHoles.startIndex + otherHole, &steps)
        }
    }

    private func samePath(_ here: Int, _ there: Int, _ steps: inout Int) -> Bool {
        let (path, other) = (self.left.paths[here], self.right.paths[there])
        guard path.vertices.count == other.vertices.count, path.isCycle == other.isCycle, path.box.isNear(other.box)
        else { return false }
        if self.agree(path, 0, other, 0, .forward, &steps) { return true }
        return path.isCycle && self.sameCycle(path, other, &steps)
    }
}

extension GeometryEquality {
    private enum Direction: Int {
        case forward = 1
        case backward = -1
    }

    /// Whether the rings are equal with another start, in the same or the opposite direction.
    private func sameCycle(_ path: Path, _ other: Path, _ steps: inout Int) -> Bool {
        let count = path.vertices.count
        let pivot = self.pivot(of: path)
        for start in 0..<count {
            steps -= 1
            guard steps > 0 else { return false }
            guard self.near(path.vertices.lowerBound + pivot, other.vertices.lowerBound + start) else { continue }
            if self.agree(path, pivot, other, start, .forward, &steps) { return true }
            if self.agree(path, pivot, other, start, .backward, &steps) { return true }
        }
        return false
    }

    /// The vertex that is searched in the other ring: an end of the longest edge, because near it there are few other vertices that
    /// could be confused with it.
    private func pivot(of path: Path) -> Int {
        var (longest, pivot) = (-1.0, 0)
        var from = path.vertices.upperBound - 1
        for to in path.vertices {
            let length = max(
                abs(self.ordinate(0, of: from) - self.ordinate(0, of: to)),
                abs(self.ordinate(1, of: from) - self.ordinate(1, of: to)))
            if length > longest { (longest, pivot) = (length, to - path.vertices.lowerBound) }
            from = to
        }
        return pivot
    }

    private func ordinate(_ index: Int, of vertex: Int) -> Double {
        self.left.ordinates[vertex * self.left.dimension + index]
    }

    /// Compares two paths of the same length vertex by vertex, continuing at the beginning after the end.
    private func agree(
        _ path: Path, _ start: Int, _ other: Path, _ otherStart: Int, _ direction: Direction,
        _ steps: inout Int
    ) -> Bool {
        let count = path.vertices.count
        var (here, there) = (start, otherStart)
        for _ in 0..<count {
            steps -= 1
            guard steps > 0, self.near(path.vertices.lowerBound + here, other.vertices.lowerBound + there) else {
                return false
            }
            here = here + 1 == count ? 0 : here + 1
            there += direction.rawValue
            if there == count { there = 0 } else if there < 0 { there = count - 1 }
        }
        return true
    }

    private func near(_ vertex: Int, _ other: Int) -> Bool {
        let dimension = self.left.dimension
        for ordinate in 0..<dimension
        where !Tolerance.near(
            self.left.ordinates[vertex * dimension + ordinate], self.right.ordinates[other * dimension + ordinate])
        {
            return false
        }
        return true
    }
}
