/// A static tree of boxes that finds those which intersect another box.
struct BoxTree: Sendable {
    private static let leafSize = 8

    private struct Node: Sendable {
        var box: GridBox
        /// The range of `order` for a leaf; otherwise the indices of both children.
        var first: Int
        var second: Int
        var isLeaf: Bool
    }

    private let boxes: [GridBox]
    private var order: [Int]
    private var nodes: [Node] = []

    init(_ boxes: [GridBox]) {
        self.boxes = boxes
        self.order = Array(boxes.indices)
        if !boxes.isEmpty { _ = self.build(0, boxes.count) }
    }

    private mutating func build(_ start: Int, _ end: Int) -> Int {
        let box = self.order[start..<end].dropFirst().reduce(self.boxes[self.order[start]]) {
            $0.union(self.boxes[$1])
        }
        let index = self.nodes.count
        self.nodes.append(Node(box: box, first: start, second: end, isLeaf: true))
        guard end - start > Self.leafSize else { return index }
        let boxes = self.boxes
        let isWide = box.right - box.left > box.top - box.bottom
        self.order[start..<end].sort { one, other in
            let first = isWide ? boxes[one].left + boxes[one].right : boxes[one].bottom + boxes[one].top
            let second = isWide ? boxes[other].left + boxes[other].right : boxes[other].bottom + boxes[other].top
            return first == second ? one < other : first < second
        }
        let middle = (start + end) / 2
        let first = self.build(start, middle)
        let second = self.build(middle, end)
        self.nodes[index] = Node(box: box, first: first, second: second, isLeaf: false)
        return index
    }

    /// The indices of the boxes that intersect a box, ascending; at most as many as the limit.
    func indices(intersecting box: GridBox, limit: Int = .max) -> [Int] {
        guard !self.nodes.isEmpty else { return [] }
        var found: [Int] = []
        var stack = [0]
        while found.count < limit, let index = stack.popLast() {
            let node = self.nodes[index]
            guard node.box.intersects(box) else { continue }
            if node.isLeaf {
                for each in self.order[node.first..<node.second]
                where found.count < limit && self.boxes[each].intersects(box) {
                    found.append(each)
                }
            } else {
                stack.append(node.first)
                stack.append(node.second)
            }
        }
        return found.sorted()
    }
}
