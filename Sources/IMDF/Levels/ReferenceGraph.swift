/// A directed graph of the nodes 0 ..< n with its edges in one array. It is traversed without recursion, because an archive may
/// contain chains of references of any length.
struct ReferenceGraph {
    private var starts: [Int32] = [0]
    private var targets: [Int32] = []

    init(nodes: Int, edges: Int) {
        self.starts.reserveCapacity(nodes + 1)
        self.targets.reserveCapacity(edges)
    }

    var hasEdges: Bool { !self.targets.isEmpty }
    var count: Int { self.starts.count - 1 }

    /// Adds an edge from the current node.
    mutating func append(target: Int32) {
        self.targets.append(target)
    }

    /// Ends the current node.
    mutating func endNode() {
        self.starts.append(Int32(self.targets.count))
    }

    func targets(of node: Int32) -> ArraySlice<Int32> {
        self.targets[Int(self.starts[Int(node)])..<Int(self.starts[Int(node) + 1])]
    }

    /// Visits the strongly connected components, each after every component that it has edges to. A node on no cycle is a
    /// component of its own.
    ///
    /// - Complexity: O(nodes + edges).
    /// - SeeAlso: Tarjan, *Depth-First Search and Linear Graph Algorithms*, SIAM J. Comput. 1 (2), 1972.
    func forEachComponent(_ visit: (_ members: [Int32]) -> Void) {
        let unseen: Int32 = -1
        let completed = Int32.max
        // The order in which a node was found, then `completed` once its component is known.
        var order = [Int32](repeating: unseen, count: self.count)
        var lowest = [Int32](repeating: 0, count: self.count)
        var next = self.starts
        var path: [Int32] = []
        var open: [Int32] = []
        var members: [Int32] = []
        var found: Int32 = 0
        for root in 0..<Int32(self.count) where order[Int(root)] == unseen {
            path.append(root)
            while let node = path.last {
                let index = Int(node)
                if order[index] == unseen {
                    order[index] = found
                    lowest[index] = found
                    found += 1
                    open.append(node)
                }
                var descends = false
                while next[index] < self.starts[index + 1] {
                    let target = self.targets[Int(next[index])]
                    if order[Int(target)] == unseen {
                        // The edge is visited again after the target is complete.
                        path.append(target)
                        descends = true
                        break
                    }
                    next[index] += 1
                    if order[Int(target)] != completed { lowest[index] = min(lowest[index], lowest[Int(target)]) }
                }
                if descends { continue }
                path.removeLast()
                guard lowest[index] == order[index], let start = open.lastIndex(of: node) else { continue }
                members.removeAll(keepingCapacity: true)
                members.append(contentsOf: open[start...])
                open.removeSubrange(start...)
                for member in members { order[Int(member)] = completed }
                visit(members)
            }
        }
    }
}
