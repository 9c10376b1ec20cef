extension PathSearch {
    /// The least length of a path by way of the visible part of an edge that is left from its triangle.
    func estimate(_ edge: Int32, _ root: Root, _ left: GridPoint, _ right: GridPoint) -> Double {
        let (rightEnd, leftEnd) = (self.mesh.corner(edge), self.mesh.corner(Triangulation.next(edge)))
        let start = FramePosition(root.point)
        let one = Self.visible(left, leftEnd, rightEnd, root.point)
        let other = Self.visible(right, leftEnd, rightEnd, root.point)
        guard self.targets.count == 1 else { return root.length + Self.distance(start, one, other) }
        var target = FramePosition(self.targets[0].point)
        // A target on the near side of the edge is reflected.
        let along = FramePosition(x: Double(rightEnd.x - leftEnd.x), y: Double(rightEnd.y - leftEnd.y))
        let side = Double(GridPoint.orientation(leftEnd, rightEnd, self.targets[0].point))
        if side < 0 {
            let factor = 2 * side / (along.x * along.x + along.y * along.y)
            target = FramePosition(x: target.x + factor * along.y, y: target.y - factor * along.x)
        }
        let (tx, ty) = (target.x - start.x, target.y - start.y)
        if (one.x - start.x) * ty - (one.y - start.y) * tx > 0 {
            return root.length + start.distance(to: one) + one.distance(to: target) + root.detour
        }
        if (other.x - start.x) * ty - (other.y - start.y) * tx < 0 {
            return root.length + start.distance(to: other) + other.distance(to: target) + root.detour
        }
        return root.length + start.distance(to: target) + root.detour
    }

    /// Where a direction from a root meets an edge.
    private static func visible(
        _ direction: GridPoint, _ left: GridPoint, _ right: GridPoint, _ root: GridPoint
    ) -> FramePosition {
        let one = GridPoint.cross(direction, left - root)
        let other = GridPoint.cross(direction, right - root)
        if one <= 0 { return FramePosition(left) }
        if other >= 0 { return FramePosition(right) }
        let share = Double(one) / (Double(one) - Double(other))
        return FramePosition(
            x: Double(left.x) + Double(right.x - left.x) * share, y: Double(left.y) + Double(right.y - left.y) * share)
    }

    /// The distance of a point from a segment.
    private static func distance(_ point: FramePosition, _ one: FramePosition, _ other: FramePosition) -> Double {
        let (dx, dy) = (other.x - one.x, other.y - one.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return point.distance(to: one) }
        let share = min(max(((point.x - one.x) * dx + (point.y - one.y) * dy) / square, 0), 1)
        return point.distance(to: FramePosition(x: one.x + dx * share, y: one.y + dy * share))
    }
}

extension Shafts {
    /// How many pairs of stops are looked at.
    private static let detourPairs = 20_000

    /// What each level of a change of floors costs at least besides the distance between its stops, as millimeters of walking: 0 if that is
    /// not known.
    func leastDetour(_ pace: Pace, _ rules: PassageRules) -> Double {
        var (least, pairs) = (Double.infinity, 0)
        for (index, shaft) in self.shafts.enumerated() where rules.isOpen(shaft: index) {
            pairs += shaft.stops.count * (shaft.stops.count - 1) / 2
            guard pairs <= Self.detourPairs else { return 0 }
            for departure in shaft.stops {
                for arrival in shaft.stops where arrival > departure {
                    let (stop, other) = (self.stops[departure], self.stops[arrival])
                    let levels = (other.ordinal - stop.ordinal).magnitude
                    guard levels > 0 else { continue }
                    let length = pace.length(of: shaft.mode, from: stop, to: other)
                    least = min(least, max(0, length - stop.point.distance(to: other.point)) / Double(levels))
                }
            }
        }
        return least < .infinity ? least : 0
    }
}

extension VenueMesh {
    /// The ordinals of triangles, each once.
    func ordinals(of triangles: [Int32]) -> [Int] {
        self.ordinals.filter { ordinal in
            let edges = self.extents[ordinal]?.edges ?? 0..<0
            return triangles.contains { edges.contains(3 * Int($0)) }
        }
    }
}
