/// The place in a polygon where a box of some proportions has the most space.
struct InscribedBox: Sendable {
    /// The centre of the box.
    let center: WorldPoint
    /// Half the height of the largest box with this centre that stays inside.
    let halfHeight: Double
}

/// Finds the largest box of given proportions inside a polygon, by the method of poles of inaccessibility: a quadtree in which the
/// distance to the outline is the Chebyshev distance, after the width was scaled so that boxes are squares.
struct BoxSearch {
    private let origin: WorldPoint
    /// Width by height.
    private let aspect: Double
    /// Edges in scaled coordinates.
    private var edges: [(ax: Double, ay: Double, bx: Double, by: Double)] = []
    private var obstacles: [WorldBox] = []
    /// Where the centre may be.
    private var box: WorldBox
    /// Whether the centre may be everywhere in the polygon.
    private let isWhole: Bool

    /// The number of distances to edges and obstacles that are computed at most, which bounds the time for polygons with many vertices.
    private static let budget = 400_000
    private static let minimumCells = 24

    /// - Parameter window: Where the centre of the box may be; nil for everywhere.
    init?(_ polygon: [WorldShape.Ring], aspect: Double, window: WorldBox? = nil, obstacles: [WorldBox] = []) {
        guard let box = polygon.first.flatMap({ WorldBox($0) }), box.width > 0, box.height > 0 else { return nil }
        let centers = window.map { $0.intersection(box) } ?? box
        guard centers.width > 0, centers.height > 0 else { return nil }
        let origin = box.center
        (self.origin, self.aspect) = (origin, aspect)
        self.box = WorldBox(
            minX: (centers.minX - origin.x) / aspect, minY: centers.minY - origin.y,
            maxX: (centers.maxX - origin.x) / aspect, maxY: centers.maxY - origin.y)
        self.isWhole = window == nil
        for ring in polygon {
            for (start, end) in zip(ring, ring.dropFirst()) where start != end {
                self.edges.append(
                    (
                        (start.x - origin.x) / aspect, start.y - origin.y, (end.x - origin.x) / aspect,
                        end.y - origin.y
                    ))
            }
        }
        // What is beyond the polygon's box is farther away than the outline.
        self.obstacles = obstacles.lazy.filter { $0.intersects(box) }.map {
            WorldBox(
                minX: ($0.minX - origin.x) / aspect, minY: $0.minY - origin.y, maxX: ($0.maxX - origin.x) / aspect,
                maxY: $0.maxY - origin.y)
        }
    }

    init?(_ area: LabelArea, aspect: Double, obstacles: [WorldBox] = []) {
        self.init(area.polygon, aspect: aspect, window: area.window, obstacles: obstacles)
    }

    /// The best place, or the preferred one or the middle of the polygon if there is nearly as much space.
    ///
    /// - Parameter work: Increased by the number of edges and obstacles whose distances were computed.
    func best(preferred: WorldPoint?, work: inout Int) -> InscribedBox? {
        work += 4 * self.distancesPerPoint
        guard let pole = self.pole(work: &work), pole.distance > 0 else { return nil }
        var chosen = pole
        let middle = self.isWhole ? self.middle : nil
        let candidates = [preferred.map { (($0.x - self.origin.x) / self.aspect, $0.y - self.origin.y) }, middle]
        for case (let x, let y)? in candidates {
            let distance = self.distance(x, y)
            if distance >= 0.75 * pole.distance {
                chosen = (x, y, distance)
                break
            }
        }
        return InscribedBox(
            center: WorldPoint(x: self.origin.x + chosen.x * self.aspect, y: self.origin.y + chosen.y),
            halfHeight: chosen.distance)
    }

    /// Half the height of the largest box with this centre; 0 if there is none.
    func halfHeight(at center: WorldPoint) -> Double {
        let distance = self.distance((center.x - self.origin.x) / self.aspect, center.y - self.origin.y)
        return distance.isFinite ? max(0, distance) : 0
    }

    private var distancesPerPoint: Int { max(self.edges.count + self.obstacles.count, 1) }

    /// The centre of the outer ring's area.
    private var middle: (Double, Double)? {
        var (area, x, y) = (0.0, 0.0, 0.0)
        for edge in self.edges {
            let cross = edge.ax * edge.by - edge.bx * edge.ay
            area += cross
            x += (edge.ax + edge.bx) * cross
            y += (edge.ay + edge.by) * cross
        }
        return area == 0 ? nil : (x / (3 * area), y / (3 * area))
    }

    private func pole(work: inout Int) -> (x: Double, y: Double, distance: Double)? {
        let side = min(self.box.width, self.box.height)
        guard side > 0, side.isFinite else { return nil }
        let (columns, rows) = (
            min((self.box.width / side).rounded(.up), 32), min((self.box.height / side).rounded(.up), 32)
        )
        let half = max(self.box.width / columns, self.box.height / rows) / 2
        var queue = CellQueue()
        var best: (x: Double, y: Double, distance: Double) = (0, 0, -.infinity)
        var cells = 0
        let limit = max(Self.minimumCells + Int(columns * rows), min(600, Self.budget / self.distancesPerPoint))
        defer { work += cells * self.distancesPerPoint }
        func add(_ x: Double, _ y: Double, _ half: Double) {
            let distance = self.distance(x, y)
            cells += 1
            if distance > best.distance { best = (x, y, distance) }
            if distance + half > best.distance {
                queue.push(CellQueue.Cell(x: x, y: y, half: half, bound: distance + half))
            }
        }
        for row in 0..<Int(rows) {
            for column in 0..<Int(columns) {
                add(
                    self.box.minX + (Double(column) + 0.5) * self.box.width / columns,
                    self.box.minY + (Double(row) + 0.5) * self.box.height / rows, half)
            }
        }
        while cells < limit, let cell = queue.pop() {
            guard cell.bound > best.distance + max(0.04 * best.distance, 1e-3 * side) else { break }
            let half = cell.half / 2
            for (dx, dy) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                add(cell.x + dx, cell.y + dy, half)
            }
        }
        return best.distance.isFinite ? best : nil
    }

    /// The Chebyshev distance to the outline and the obstacles, negative outside.
    private func distance(_ x: Double, _ y: Double) -> Double {
        var (isInside, nearest) = (false, Double.infinity)
        for edge in self.edges {
            if (edge.ay > y) != (edge.by > y), x < edge.ax + (y - edge.ay) / (edge.by - edge.ay) * (edge.bx - edge.ax) {
                isInside.toggle()
            }
            // The distance to the edge's box is a lower bound.
            let outsideX = max(min(edge.ax, edge.bx) - x, x - max(edge.ax, edge.bx))
            let outsideY = max(min(edge.ay, edge.by) - y, y - max(edge.ay, edge.by))
            guard max(outsideX, outsideY) < nearest else { continue }
            nearest = min(nearest, Self.distance(edge.ax - x, edge.ay - y, edge.bx - edge.ax, edge.by - edge.ay))
        }
        var distance = isInside ? nearest : -nearest
        for box in self.obstacles {
            distance = min(distance, max(box.minX - x, x - box.maxX, box.minY - y, y - box.maxY))
        }
        return distance
    }

    /// The Chebyshev distance of the origin from a segment. The distance is convex along the segment and linear between the parameters
    /// that are tried.
    private static func distance(_ ax: Double, _ ay: Double, _ dx: Double, _ dy: Double) -> Double {
        func value(_ parameter: Double) -> Double {
            let t = min(max(parameter, 0), 1)
            return max(abs(ax + t * dx), abs(ay + t * dy))
        }
        var least = min(value(0), value(1))
        if dx != 0 { least = min(least, value(-ax / dx)) }
        if dy != 0 { least = min(least, value(-ay / dy)) }
        if dx != dy { least = min(least, value((ay - ax) / (dx - dy))) }
        if dx != -dy { least = min(least, value(-(ax + ay) / (dx + dy))) }
        return least
    }
}

/// A priority queue of cells, the one with the greatest bound first. Equal ones come in the order of their coordinates.
private struct CellQueue {
    struct Cell {
        let x: Double
        let y: Double
        let half: Double
        /// No point of the cell has a greater distance.
        let bound: Double

        func precedes(_ other: Cell) -> Bool {
            (-self.bound, self.y, self.x) < (-other.bound, other.y, other.x)
        }
    }

    private var cells: [Cell] = []

    mutating func push(_ cell: Cell) {
        self.cells.append(cell)
        var index = self.cells.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard self.cells[index].precedes(self.cells[parent]) else { return }
            self.cells.swapAt(index, parent)
            index = parent
        }
    }

    mutating func pop() -> Cell? {
        guard let first = self.cells.first, let last = self.cells.popLast() else { return nil }
        guard !self.cells.isEmpty else { return first }
        self.cells[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < self.cells.count {
                if self.cells[child].precedes(self.cells[least]) { least = child }
            }
            if least == index { return first }
            self.cells.swapAt(index, least)
            index = least
        }
    }
}
