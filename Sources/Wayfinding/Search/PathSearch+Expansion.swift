extension PathSearch {
    mutating func expand(_ index: Int32, _ node: Node, _ root: Root) {
        let edge = node.edge
        let (leftEdge, rightEdge) = (Triangulation.previous(edge), Triangulation.next(edge))
        let (leftEnd, rightEnd) = (self.mesh.corner(edge), self.mesh.corner(rightEdge))
        let apex = self.mesh.corner(leftEdge) - root.point
        let fromLeft = GridPoint.cross(node.left, apex)
        let fromRight = GridPoint.cross(node.right, apex)
        self.addGoals(in: edge / 3, root: node.root, root, parent: index) { goal, isOff in
            Double(GridPoint.cross(node.left, goal)) <= Self.slack(node.left, isOff)
                && Double(GridPoint.cross(node.right, goal)) >= -Self.slack(node.right, isOff)
        }
        if fromLeft < 0 {
            self.cross(
                leftEdge, node.root, root, left: node.left, right: fromRight >= 0 ? apex : node.right, parent: index)
        }
        if fromRight > 0 {
            self.cross(
                rightEdge, node.root, root, left: fromLeft <= 0 ? apex : node.left, right: node.right, parent: index)
        }
        // The path turns at an end of the edge to reach what the root does not see.
        if fromLeft >= 0, GridPoint.cross(node.left, leftEnd - root.point) == 0 {
            self.turn(index, root, edge, isLeft: true)
        }
        if fromRight <= 0, GridPoint.cross(node.right, rightEnd - root.point) == 0 {
            self.turn(index, root, rightEdge, isLeft: false)
        }
    }

    /// What is visible beside a direction of a goal that is off its triangle: half a diagonal of a cell of the grid, to which the goal was
    /// rounded, and what doubles lose. It is a bound for the cross product.
    private static func slack(_ direction: GridPoint, _ isOff: Bool) -> Double {
        guard isOff else { return 0 }
        let (x, y) = (Double(direction.x), Double(direction.y))
        return 0.70711 * (x * x + y * y).squareRoot()
    }

    /// Whether a node passed an opening inside of a unit, over which another one lies.
    private func isSlit(_ node: Node) -> Bool {
        guard node.portal >= 0 else { return false }
        return self.mesh.twins[Int(node.edge)] >= 0 || self.mesh.twins[Int(self.mesh.link(node.edge))] >= 0
    }

    /// Whether the way to a node from its root passes such an opening that ends at a vertex.
    private func isAroundSlit(_ index: Int32, _ vertex: Int32) -> Bool {
        let root = self.nodes[Int(index)].root
        var index = index
        while index >= 0 {
            let node = self.nodes[Int(index)]
            guard node.root == root, node.edge >= 0 else { return false }
            let end = self.mesh.origins[Int(Triangulation.next(node.edge))]
            guard self.mesh.origins[Int(node.edge)] == vertex || end == vertex else { return false }
            if self.isSlit(node) { return true }
            index = node.parent
        }
        return false
    }

    /// A triangle around a vertex: the half-edge that begins there, whether an opening inside of a unit was passed on the way,
    /// and whether the triangle before was beyond a half circle.
    private struct Corner {
        let edge: Int32
        let parent: Int32
        var isFirst = false
        var isThrough = false
        var isPast = false
    }

    /// Turns at the origin of a half-edge, through all triangles around it up to a wall.
    private mutating func turn(_ parent: Int32, _ old: Root, _ corner: Int32, isLeft: Bool) {
        let vertex = self.mesh.origins[Int(corner)]
        let point = self.mesh.points[Int(vertex)]
        let direction = point - old.point
        guard direction.x != 0 || direction.y != 0 else { return }
        let length = old.length + old.point.distance(to: point)
        let bit: UInt8 = isLeft ? 1 : 2
        if length > self.best[Int(vertex)] { return }
        if length == self.best[Int(vertex)] {
            if self.turns[Int(vertex)] & bit != 0 { return }
            self.turns[Int(vertex)] |= bit
        } else {
            self.best[Int(vertex)] = length
            self.turns[Int(vertex)] = bit
        }
        let root = Root(
            point: point, length: length, detour: old.detour, vertex: vertex, departure: -1, arrival: -1)
        let index = Int32(self.roots.count)
        self.roots.append(root)
        let isAroundSlit = self.isAroundSlit(parent, vertex)
        var fan = [Corner(edge: corner, parent: parent, isFirst: true, isThrough: isAroundSlit)]
        var budget = 4_096
        while budget > 0, let next = fan.popLast() {
            let (corner, parent) = (next.edge, next.parent)
            budget -= 1
            let opposite = Triangulation.next(corner)
            let right = self.mesh.corner(opposite) - point
            let left = self.mesh.corner(Triangulation.previous(corner)) - point
            // Turns by more than a half circle are never shortest, except around the end of an opening inside of a unit.
            let near = isLeft ? right : left
            let far = isLeft ? left : right
            let sign = isLeft ? 1 : -1
            let nearSide = GridPoint.cross(direction, near) * sign
            let isBehind = nearSide < 0 || (nearSide == 0 && direction.x * near.x + direction.y * near.y < 0)
            let isBeyond = !next.isFirst && isBehind
            if isBeyond ? !next.isThrough : next.isPast { continue }
            let limit = next.isFirst && nearSide < 0 ? direction : near
            self.addGoals(in: corner / 3, root: index, root, parent: parent) { goal, isOff in
                (next.isThrough && !next.isFirst)
                    || Double(GridPoint.cross(direction, goal) * sign) >= -Self.slack(direction, isOff)
            }
            if GridPoint.cross(limit, far) * sign > 0 {
                self.cross(
                    opposite, index, root, left: isLeft ? far : limit, right: isLeft ? limit : far, parent: parent)
            }
            // The next triangle around the vertex.
            let side = isLeft ? Triangulation.previous(corner) : corner
            let twin = self.mesh.twins[Int(side)]
            let link = self.openLink(side)
            if twin >= 0 {
                let corner = isLeft ? twin : Triangulation.next(twin)
                fan.append(Corner(edge: corner, parent: parent, isThrough: next.isThrough, isPast: isBeyond))
            }
            if link >= 0 {
                let passing = Int32(self.nodes.count)
                let node = Node(
                    root: index, edge: link, left: left, right: right, parent: parent,
                    portal: self.mesh.portalOfEdge[side], goal: -1)
                guard self.append(node) else { return }
                let corner = isLeft ? link : Triangulation.next(link)
                let isThrough = next.isThrough || self.isSlit(node)
                fan.append(Corner(edge: corner, parent: passing, isThrough: isThrough, isPast: isBeyond))
            }
        }
        // What is left around the vertex would be missing without a word.
        if !fan.isEmpty { self.giveUp() }
    }
}
