/// A bounding box in plane coordinates. Its sides belong to it.
package struct Box: Hashable, Sendable {
    package var minX: Double
    package var minY: Double
    package var maxX: Double
    package var maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    init(_ point: PlanarPoint) {
        self.init(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
    }

    var centre: PlanarPoint { PlanarPoint(x: (self.minX + self.maxX) / 2, y: (self.minY + self.maxY) / 2) }
    var height: Double { self.maxY - self.minY }
    var width: Double { self.maxX - self.minX }

    mutating func extend(to point: PlanarPoint) {
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

    /// Whether the interiors intersect. If not, no areas within the boxes overlap.
    func overlaps(_ other: Box) -> Bool {
        self.minX < other.maxX && other.minX < self.maxX && self.minY < other.maxY && other.minY < self.maxY
    }

    func grown(by margin: Double) -> Box {
        Box(minX: self.minX - margin, minY: self.minY - margin, maxX: self.maxX + margin, maxY: self.maxY + margin)
    }
}

/// An R-tree of boxes, packed by sorting into tiles (STR). It consists of arrays only, is equal on every machine, and a search
/// can be ended early.
///
/// - Complexity: O(*n* log *n*) to build; O(log *n* + found) for a search, unless most boxes intersect.
package struct BoxIndex: Sendable {
    private static let fanOut = 8
    /// The boxes in tiles, then the bounding boxes of each eight of them, and so on up to the root.
    private var nodes: [Box]
    /// The indices in the array that the tree was built from, in tiles.
    private let items: [Int32]
    /// The end of each tier of the tree in ``nodes``.
    private var tiers: [Int]

    package init(_ boxes: [Box]) {
        self.items = Self.tiled(boxes)
        self.nodes = self.items.map { boxes[Int($0)] }
        self.tiers = [boxes.count]
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
            self.tiers.append(self.nodes.count)
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

    /// Visits the boxes that intersect a box until `visit` returns false.
    ///
    /// - Returns: whether all were visited.
    @discardableResult
    package func search(_ box: Box, _ visit: (Int) throws -> Bool) rethrows -> Bool {
        guard !self.nodes.isEmpty else { return true }
        return try self.search(box, self.nodes.count - 1, self.tiers.count - 1, visit)
    }

    /// The indices of the boxes that intersect a box, in ascending order.
    package func indices(intersecting box: Box) -> [Int] {
        var found: [Int] = []
        self.search(box) {
            found.append($0)
            return true
        }
        return found.sorted()
    }

    private func search(
        _ box: Box, _ node: Int, _ tier: Int, _ visit: (Int) throws -> Bool
    ) rethrows -> Bool {
        guard self.nodes[node].intersects(box) else { return true }
        if tier == 0 { return try visit(Int(self.items[node])) }
        let start = tier == 1 ? 0 : self.tiers[tier - 2]
        let first = start + (node - self.tiers[tier - 1]) * Self.fanOut
        for child in first..<min(first + Self.fanOut, self.tiers[tier - 1]) {
            guard try self.search(box, child, tier - 1, visit) else { return false }
        }
        return true
    }
}
