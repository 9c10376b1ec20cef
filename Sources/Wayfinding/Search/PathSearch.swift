/// A search for the shortest paths over the triangles of a venue (Polyanya: Cui, Harabor and Grastien, IJCAI 2017).
///
/// A node is what can be seen of an edge from a root, the last point at which the path turns. What can be seen is bounded by two
/// directions, which are differences of grid points; so whether a corner is visible is decided exactly. Only lengths are rounded.
///
/// Shafts are part of the same search: whoever reaches a stop goes on from the other stops of its shaft. Going there costs at least the
/// distance between both stops, and a detour for each level between them. So the straight line to the target and the detours of the levels
/// between are never longer than the rest of a path.
struct PathSearch {
    struct Target {
        let point: GridPoint
        let triangles: [Int32]
    }

    struct Root {
        let point: GridPoint
        /// The length of the path to it, in millimeters of walking.
        let length: Double
        /// What the levels between its floor and that of the target cost at least besides the straight line.
        let detour: Double
        /// The index of the vertex; -1 for a start or a stop.
        let vertex: Int32
        /// The stops between which the path changes floors before it; -1 if it does not.
        let departure: Int32
        let arrival: Int32
    }

    struct Node {
        let root: Int32
        /// The edge over which a triangle is entered; -1 for an end or a stop, whose index is `goal`.
        let edge: Int32
        let left: GridPoint
        let right: GridPoint
        let parent: Int32
        /// The portal that is passed, or -1.
        let portal: Int32
        let goal: Int32
    }

    let mesh: VenueMesh
    let shafts: Shafts
    let rules: PassageRules
    let pace: Pace
    let targets: [Target]
    /// The greatest number of nodes.
    private let nodeLimit: Int
    /// Whether the paths lead from the targets to the start, which matters for what has a direction.
    var isReversed = false
    /// Is called often; whether the result is not wanted any more.
    var shouldStop: () -> Bool = { false }
    private var targetsOfTriangle: [Int32: [Int32]] = [:]
    /// Whether a triangle has targets or stops.
    private var hasGoals: [Bool]
    var roots: [Root] = []
    var nodes: [Node] = []
    private var queue = SearchQueue()
    var best: [Double]
    /// Bit 1 for turns to the left, bit 2 for turns to the right.
    var turns: [UInt8]
    private var isStopDone: [Bool]
    /// The ordinals of the target, if there is one only.
    private let targetOrdinals: [Int]
    /// See ``Shafts/leastDetour(_:_:)``. Nil until a path leaves the floor of the target.
    private var leastDetour: Double?
    /// For each target the node that reached it and the length.
    private(set) var results: [(node: Int32, length: Double)?]
    private(set) var isExhausted = false

    init(
        _ mesh: VenueMesh, _ shafts: Shafts, _ rules: PassageRules, _ pace: Pace, targets: [Target],
        nodeLimit: Int = WorkLimits().searchNodes
    ) {
        self.mesh = mesh
        self.shafts = shafts
        self.rules = rules
        self.pace = pace
        self.targets = targets
        self.nodeLimit = nodeLimit
        self.best = Array(repeating: .infinity, count: mesh.points.count)
        self.turns = Array(repeating: 0, count: mesh.points.count)
        self.isStopDone = Array(repeating: false, count: shafts.stops.count)
        self.results = Array(repeating: nil, count: targets.count)
        self.targetOrdinals = targets.count == 1 ? mesh.ordinals(of: targets[0].triangles) : []
        self.hasGoals = shafts.hasStops
        for (index, target) in targets.enumerated() {
            for triangle in target.triangles {
                self.targetsOfTriangle[triangle, default: []].append(Int32(index))
                self.hasGoals[Int(triangle)] = true
            }
        }
    }

    /// Searches until a number of targets is reached, the nearest first.
    mutating func run(from start: Target, until count: Int = 1) {
        var missing = count
        var visits = 0
        let detour = self.detour(from: self.mesh.ordinals(of: start.triangles))
        self.begin(
            Root(point: start.point, length: 0, detour: detour, vertex: -1, departure: -1, arrival: -1),
            start.triangles, parent: -1)
        while missing > 0, !self.isExhausted, let entry = self.queue.pop() {
            visits += 1
            if visits.isMultiple(of: 4_096), self.shouldStop() { self.isExhausted = true }
            let node = self.nodes[Int(entry.node)]
            if node.edge >= 0 {
                let root = self.roots[Int(node.root)]
                if root.vertex >= 0, root.length > self.best[Int(root.vertex)] { continue }
                self.expand(entry.node, node, root)
            } else if Int(node.goal) < self.targets.count {
                guard self.results[Int(node.goal)] == nil else { continue }
                let root = self.roots[Int(node.root)]
                let length = root.length + root.point.distance(to: self.targets[Int(node.goal)].point)
                self.results[Int(node.goal)] = (entry.node, length)
                missing -= 1
            } else {
                self.ride(entry.node, node)
            }
        }
    }

    // MARK: - Roots

    private func isOpen(_ triangle: Int32) -> Bool {
        self.rules.isOpen(space: self.mesh.space(of: triangle))
    }

    private func isDestination(_ triangle: Int32) -> Bool {
        self.rules.isDestination(self.mesh.space(of: triangle))
    }

    /// The half-edge on the other side of a portal that may be passed, or -1.
    func openLink(_ edge: Int32) -> Int32 {
        let portal = Int(self.mesh.portalOfEdge[edge])
        guard portal >= 0 else { return -1 }
        let edges = self.mesh.portals[portal].edges
        let link = edges.across(edge)
        guard link >= 0 else { return -1 }
        if self.isDestination(edge / 3), self.mesh.space(of: edge / 3) != self.mesh.space(of: link / 3) { return -1 }
        guard self.rules.isOpen(portal: portal), self.isOpen(link / 3),
            self.rules.leads(portal: portal, leavingFirst: (edges[0] == edge) != self.isReversed)
        else { return -1 }
        return link
    }

    /// Begins at a point in triangles, and in all others that contain it and can be entered from there.
    private mutating func begin(_ root: Root, _ triangles: [Int32], parent: Int32) {
        let index = Int32(self.roots.count)
        self.roots.append(root)
        var begun = triangles.filter { self.isOpen($0) }
        var position = 0
        while position < begun.count {
            let triangle = begun[position]
            position += 1
            self.addGoals(in: triangle, root: index, root, parent: parent) { _, _ in true }
            for edge in (3 * triangle)..<(3 * triangle + 3) {
                let (u, w) = (self.mesh.corner(edge), self.mesh.corner(Triangulation.next(edge)))
                let side = GridPoint.orientation(u, w, root.point)
                if side > 0 {
                    self.cross(edge, index, root, left: w - root.point, right: u - root.point, parent: parent)
                } else {
                    // The point is on the edge, so it is also in the triangles on the other side.
                    let twin = self.mesh.twins[Int(edge)]
                    if twin >= 0, !begun.contains(twin / 3), self.mesh.triangle(twin / 3, contains: root.point) {
                        begun.append(twin / 3)
                    }
                    let link = self.openLink(edge)
                    if link >= 0, !begun.contains(link / 3),
                        GridBox(u, w).expanded(by: 1).intersects(GridBox(root.point, root.point))
                    {
                        begun.append(link / 3)
                    }
                }
            }
        }
    }

    /// Goes on from the other stops of a shaft.
    private mutating func ride(_ index: Int32, _ node: Node) {
        let departure = Int(node.goal) - self.targets.count
        guard !self.isStopDone[departure] else { return }
        self.isStopDone[departure] = true
        let stop = self.shafts.stops[departure]
        guard self.rules.isOpen(shaft: stop.shaft), self.rules.isOpen(stop: stop) else { return }
        let shaft = self.shafts.shafts[stop.shaft]
        let root = self.roots[Int(node.root)]
        let length = root.length + root.point.distance(to: stop.point)
        for arrival in shaft.stops
        where arrival != departure && (!shaft.isDirected || (arrival > departure) != self.isReversed) {
            guard !self.isStopDone[arrival] else { continue }
            let other = self.shafts.stops[arrival]
            guard self.rules.isOpen(stop: other) else { continue }
            let detour = self.detour(from: [other.ordinal])
            self.begin(
                Root(
                    point: other.point, length: length + self.pace.length(of: shaft.mode, from: stop, to: other),
                    detour: detour, vertex: -1, departure: Int32(departure), arrival: Int32(arrival)), other.triangles,
                parent: index)
        }
    }

    /// What the levels between one of some ordinals and the target cost at least besides the straight line.
    private mutating func detour(from ordinals: [Int]) -> Double {
        let levels = ordinals.flatMap { here in self.targetOrdinals.map { ($0 - here).magnitude } }.min() ?? 0
        guard levels > 0 else { return 0 }
        let least = self.leastDetour ?? self.shafts.leastDetour(self.pace, self.rules)
        self.leastDetour = least
        return least * Double(levels)
    }

    // MARK: - Nodes

    /// Whether a goal was rounded out of its triangle, as the middle of an opening can be by less than a millimeter.
    private func isOff(_ point: GridPoint, _ triangle: Int32) -> Bool {
        !self.mesh.triangle(triangle, contains: point)
    }

    mutating func addGoals(
        in triangle: Int32, root: Int32, _ from: Root, parent: Int32,
        where isVisible: (_ goal: GridPoint, _ isOff: Bool) -> Bool
    ) {
        guard self.hasGoals[Int(triangle)] else { return }
        for target in self.targetsOfTriangle[triangle] ?? [] where self.results[Int(target)] == nil {
            let point = self.targets[Int(target)].point
            guard isVisible(point - from.point, self.isOff(point, triangle)) else { continue }
            self.push(
                Node(root: root, edge: -1, left: point, right: point, parent: parent, portal: -1, goal: target),
                from.length + from.point.distance(to: point))
        }
        guard !self.isDestination(triangle) else { return }
        for stop in self.shafts.stopsOfTriangle[triangle] ?? [] where !self.isStopDone[stop] {
            let point = self.shafts.stops[stop].point
            guard isVisible(point - from.point, self.isOff(point, triangle)) else { continue }
            // Stops are numbered after the targets.
            self.push(
                Node(
                    root: root, edge: -1, left: point, right: point, parent: parent, portal: -1,
                    goal: Int32(self.targets.count + stop)),
                from.length + from.point.distance(to: point) + self.remainder(from: point) + from.detour)
        }
    }

    private mutating func push(_ node: Node, _ estimate: Double) {
        guard self.append(node) else { return }
        self.queue.push(SearchQueue.Entry(estimate: estimate, node: Int32(self.nodes.count - 1)))
    }

    /// Ends the search without a result.
    mutating func giveUp() { self.isExhausted = true }

    /// Whether there was room for another node.
    mutating func append(_ node: Node) -> Bool {
        if self.nodes.count >= self.nodeLimit { self.isExhausted = true }
        if !self.isExhausted { self.nodes.append(node) }
        return !self.isExhausted
    }

    /// The straight line to the target, if there is one only.
    private func remainder(from point: GridPoint) -> Double {
        self.targets.count == 1 ? point.distance(to: self.targets[0].point) : 0
    }

    /// Adds the nodes on the other sides of an edge of which a part is visible.
    mutating func cross(
        _ edge: Int32, _ index: Int32, _ root: Root, left: GridPoint, right: GridPoint, parent: Int32
    ) {
        let twin = self.mesh.twins[Int(edge)]
        let link = self.openLink(edge)
        guard twin >= 0 || link >= 0 else { return }
        let estimate = self.estimate(edge, root, left, right)
        if twin >= 0 {
            self.push(
                Node(root: index, edge: twin, left: left, right: right, parent: parent, portal: -1, goal: -1), estimate)
        }
        if link >= 0 {
            self.push(
                Node(
                    root: index, edge: link, left: left, right: right, parent: parent,
                    portal: self.mesh.portalOfEdge[edge], goal: -1), estimate)
        }
    }
}
