/// A path that a search found.
struct Path: Sendable {
    enum Step: Sendable {
        /// A straight line to a point.
        case point(GridPoint)
        /// A portal on the way to the next point, and the space behind it.
        case portal(Int32, space: Int)
        /// A change of floors between two stops. A point follows.
        case ride(departure: Int, arrival: Int)
    }

    private(set) var steps: [Step] = []

    /// The path to a node of a search, or nil if there is none.
    init?(_ search: PathSearch, target: Int, end: GridPoint) {
        guard let result = search.results[target] else { return nil }
        var chain: [Int32] = []
        var index = result.node
        while index >= 0 {
            chain.append(index)
            index = search.nodes[Int(index)].parent
        }
        var root: Int32 = -1
        for index in chain.reversed() {
            let node = search.nodes[Int(index)]
            if node.root != root {
                root = node.root
                let new = search.roots[Int(root)]
                if new.arrival >= 0 {
                    self.steps.append(.ride(departure: Int(new.departure), arrival: Int(new.arrival)))
                }
                self.steps.append(.point(new.point))
            }
            if node.portal >= 0 {
                self.steps.append(
                    .portal(node.portal, space: search.mesh.space(of: node.edge / 3)))
            } else if node.edge < 0, index != result.node {
                self.steps.append(.point(node.left))
            }
        }
        self.steps.append(.point(end))
    }
}
