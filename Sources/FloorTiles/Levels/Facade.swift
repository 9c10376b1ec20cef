/// The outline of a level, which no label crosses.
package struct Facade: Sendable {
    fileprivate struct Edge {
        let start: WorldPoint
        let end: WorldPoint
    }

    private let edges: [Edge]
    /// The edges that touch each of the horizontal bands of the outline.
    private let bands: [[Int32]]
    let box: WorldBox?

    private static let bandCount = 64

    package init(_ polygons: [[[WorldPoint]]]) {
        var edges: [Edge] = []
        for ring in polygons.joined() {
            for (start, end) in zip(ring, ring.dropFirst()) where start != end {
                edges.append(Edge(start: start, end: end))
            }
        }
        self.edges = edges
        self.box = WorldBox(edges.lazy.map(\.start))
        var bands = Array(repeating: [Int32](), count: Self.bandCount)
        if let box = self.box {
            for (index, edge) in edges.enumerated() {
                let range = Self.bands(from: min(edge.start.y, edge.end.y), to: max(edge.start.y, edge.end.y), in: box)
                for band in range { bands[band].append(Int32(index)) }
            }
        }
        self.bands = bands
    }

    private static func bands(from minimum: Double, to maximum: Double, in box: WorldBox) -> ClosedRange<Int> {
        func band(_ y: Double) -> Int {
            guard box.height > 0 else { return 0 }
            return Int(min(max((y - box.minY) / box.height * Double(self.bandCount), 0), Double(self.bandCount - 1)))
        }
        return band(minimum)...band(maximum)
    }

    var edgeCount: Int { self.edges.count }

    /// Whether a box is inside the outline and touches no edge of it. True without an outline.
    package func contains(_ box: WorldBox) -> Bool {
        var work = 0
        return self.contains(box, work: &work)
    }

    /// - Parameter work: Increased by the number of edges that were looked at.
    func contains(_ box: WorldBox, work: inout Int) -> Bool {
        guard let whole = self.box else { return true }
        guard whole.contains(box) else { return false }
        for band in Self.bands(from: box.minY, to: box.maxY, in: whole) {
            work += 2 * self.bands[band].count
            for index in self.bands[band] where self.edges[Int(index)].touches(box) { return false }
        }
        return self.contains(box.center, in: whole)
    }

    /// Whether a box has a part inside the outline. False without an outline.
    ///
    /// - Parameter work: Increased by the number of edges that were looked at.
    func overlaps(_ box: WorldBox, work: inout Int) -> Bool {
        work += 1
        guard let whole = self.box, whole.intersects(box) else { return false }
        for band in Self.bands(from: box.minY, to: box.maxY, in: whole) {
            work += 2 * self.bands[band].count
            for index in self.bands[band] where self.edges[Int(index)].touches(box) { return true }
        }
        return whole.contains(WorldBox(around: box.center)) && self.contains(box.center, in: whole)
    }

    private func contains(_ point: WorldPoint, in whole: WorldBox) -> Bool {
        var isInside = false
        for index in self.bands[Self.bands(from: point.y, to: point.y, in: whole).lowerBound] {
            let edge = self.edges[Int(index)]
            guard (edge.start.y > point.y) != (edge.end.y > point.y) else { continue }
            let share = (point.y - edge.start.y) / (edge.end.y - edge.start.y)
            if point.x < edge.start.x + share * (edge.end.x - edge.start.x) { isInside.toggle() }
        }
        return isInside
    }
}

extension Facade.Edge {
    /// Whether any point of the edge is in the box (Liang–Barsky).
    fileprivate func touches(_ box: WorldBox) -> Bool {
        var (first, last) = (0.0, 1.0)
        let (dx, dy) = (self.end.x - self.start.x, self.end.y - self.start.y)
        let bounds = [
            (-dx, self.start.x - box.minX), (dx, box.maxX - self.start.x), (-dy, self.start.y - box.minY),
            (dy, box.maxY - self.start.y),
        ]
        for (direction, distance) in bounds {
            if direction == 0 {
                if distance < 0 { return false }
            } else if direction < 0 {
                first = max(first, distance / direction)
            } else {
                last = min(last, distance / direction)
            }
        }
        return first <= last
    }
}
