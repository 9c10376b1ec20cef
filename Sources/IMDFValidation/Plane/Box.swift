/// What something spans on the plane, sides included.
package struct Box: Hashable, Sendable {
    package var minX: Double
    package var minY: Double
    package var maxX: Double
    package var maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    init(_ point: PlanePoint) {
        self.init(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
    }

    var centre: PlanePoint { PlanePoint(x: (self.minX + self.maxX) / 2, y: (self.minY + self.maxY) / 2) }
    var height: Double { self.maxY - self.minY }
    var width: Double { self.maxX - self.minX }

    mutating func extend(to point: PlanePoint) {
        self.formUnion(Box(point))
    }

    mutating func formUnion(_ other: Box) {
        self.minX = min(self.minX, other.minX)
        self.minY = min(self.minY, other.minY)
        self.maxX = max(self.maxX, other.maxX)
        self.maxY = max(self.maxY, other.maxY)
    }

    package func intersects(_ other: Box) -> Bool {
        self.minX <= other.maxX && other.minX <= self.maxX && self.minY <= other.maxY && other.minY <= self.maxY
    }

    /// Whether the two have more than their sides in common: without that no two areas in them can overlap.
    func overlaps(_ other: Box) -> Bool {
        self.minX < other.maxX && other.minX < self.maxX && self.minY < other.maxY && other.minY < self.maxY
    }

    func grown(by margin: Double) -> Box {
        Box(minX: self.minX - margin, minY: self.minY - margin, maxX: self.maxX + margin, maxY: self.maxY + margin)
    }

    /// The distance to the nearest point of the box; zero inside.
    func distance(to point: PlanePoint) -> Double {
        let dx = max(self.minX - point.x, point.x - self.maxX, 0)
        let dy = max(self.minY - point.y, point.y - self.maxY, 0)
        return (dx * dx + dy * dy).squareRoot()
    }
}

/// Finds the boxes that meet a box: a tree packed by sorting into tiles, which needs nothing but arrays, gives the same
/// order on every machine, and whose search can be left when enough is seen.
///
/// - Complexity: O(*n* log *n*) to build; a search looks at what it finds and at about a logarithm more, unless the boxes are
///   heaped upon each other.
package struct BoxIndex: Sendable {
    private static let fanOut = 8
    /// The boxes in tiles, then what spans each eight of them, and so on up to the root.
    private var nodes: [Box]
    /// The places in the array that the index was made of, in tiles.
    private let items: [Int32]
    /// Where each storey of the tree ends among the nodes.
    private var storeys: [Int]

    package init(_ boxes: [Box]) {
        self.items = Self.tiled(boxes)
        self.nodes = self.items.map { boxes[Int($0)] }
        self.storeys = [boxes.count]
        var start = 0
        while self.nodes.count - start > 1 {
            let end = self.nodes.count
            for first in stride(from: start, to: end, by: Self.fanOut) {
                var box = self.nodes[first]
                for node in first + 1..<max(min(first + Self.fanOut, end), first + 1) {
                    box.formUnion(self.nodes[node])
                }
                self.nodes.append(box)
            }
            start = end
            self.storeys.append(self.nodes.count)
        }
    }

    private static func tiled(_ boxes: [Box]) -> [Int32] {
        var items = Array(0..<Int32(boxes.count))
        let centres = boxes.map(\.centre)
        items.sort { (centres[Int($0)].x, $0) < (centres[Int($1)].x, $1) }
        let tiles = (Double(boxes.count) / Double(self.fanOut)).rounded(.up)
        let strip = max(Int(tiles.squareRoot().rounded(.up)) * self.fanOut, 1)
        for start in stride(from: 0, to: items.count, by: strip) {
            items[start..<min(start + strip, items.count)].sort {
                (centres[Int($0)].y, $0) < (centres[Int($1)].y, $1)
            }
        }
        return items
    }

    /// Visits the boxes that meet a box, until the visitor answers false.
    ///
    /// - Returns: whether all were visited.
    @discardableResult
    package func search(_ box: Box, _ visit: (Int) throws -> Bool) rethrows -> Bool {
        guard !self.nodes.isEmpty else { return true }
        return try self.search(box, self.nodes.count - 1, self.storeys.count - 1, visit)
    }

    /// The places of the boxes that meet a box, in ascending order.
    package func places(meeting box: Box) -> [Int] {
        var found: [Int] = []
        self.search(box) {
            found.append($0)
            return true
        }
        return found.sorted()
    }

    private func search(
        _ box: Box, _ node: Int, _ storey: Int, _ visit: (Int) throws -> Bool
    ) rethrows -> Bool {
        guard self.nodes[node].intersects(box) else { return true }
        if storey == 0 { return try visit(Int(self.items[node])) }
        let start = storey == 1 ? 0 : self.storeys[storey - 2]
        let first = start + (node - self.storeys[storey - 1]) * Self.fanOut
        for child in first..<min(first + Self.fanOut, self.storeys[storey - 1]) {
            guard try self.search(box, child, storey - 1, visit) else { return false }
        }
        return true
    }
}
