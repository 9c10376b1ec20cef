import IMDF

/// For every piece of a unit the way from the exits with the fewest obstacles. One search over portals and shafts finds all of them.
struct ObstacleSearch: Sendable {
    /// An obstacle, and the one before it on the way.
    struct Link: Sendable {
        let obstacles: Obstacles
        let feature: FeatureID
        let previous: Int32
    }

    private struct Entry {
        let node: Int32
        let link: Int32
    }

    /// The number of obstacles on the way to each piece; nil if there is no way.
    private(set) var counts: [Int?]
    private var lastLinks: [Int32]
    private(set) var links: [Link] = []
    /// The number of obstacles on the best known way to each node. Only better ones are kept, because there may be millions.
    private var fewest: [Int]
    /// A stop of each directed shaft from which all later stops have been reached, and the number of obstacles on the ways to them.
    private var boarded: [Int: (stop: Int, count: Int)] = [:]
    /// What is to be visited, by the number of obstacles on the way.
    private var buckets: [[Entry]] = [[]]

    private let map: WayfindingMap
    private let blocking: Obstacles

    /// - Parameters:
    ///   - starts: Triangles, with the portal by which each is entered.
    ///   - shouldStop: Is called often; whether the result is not wanted any more.
    init(
        from starts: [(triangle: Int32, portal: Int?)], in map: WayfindingMap, avoiding blocking: Obstacles,
        shouldStop: () -> Bool
    ) {
        self.map = map
        self.blocking = blocking
        // An undirected shaft is a node of its own, so that its stops are not joined in pairs.
        let nodes = map.mesh.pieceCount + map.shafts.shafts.count
        self.counts = Array(repeating: nil, count: nodes)
        self.lastLinks = Array(repeating: -1, count: nodes)
        self.fewest = Array(repeating: .max, count: nodes)
        for (triangle, portal) in starts {
            var way = Way(count: 0, link: -1)
            if let portal {
                self.pass(map.rules.portals[portal].subtracting(.emergencyExit), self.feature(ofPortal: portal), &way)
            }
            self.enter(triangle, from: nil, way)
        }
        var (count, visited) = (0, 0)
        search: while count < self.buckets.count {
            while let entry = self.buckets[count].popLast() {
                guard self.counts[Int(entry.node)] == nil else { continue }
                visited += 1
                if visited.isMultiple(of: 64), shouldStop() { break search }
                self.counts[Int(entry.node)] = count
                self.lastLinks[Int(entry.node)] = entry.link
                self.leave(Int(entry.node), Way(count: count, link: entry.link))
            }
            count += 1
        }
        self.buckets = []
        self.fewest = []
        self.boarded = [:]
    }

    /// The obstacles on the way to a piece, from the exit on, at most as many as the limit.
    func obstacles(to piece: Int, limit: Int) -> [(obstacles: Obstacles, feature: FeatureID)] {
        var found: [(Obstacles, FeatureID)] = []
        var link = self.lastLinks[piece]
        while link >= 0, found.count < limit {
            found.append((self.links[Int(link)].obstacles, self.links[Int(link)].feature))
            link = self.links[Int(link)].previous
        }
        return found.reversed()
    }

    /// Whether the only obstacle on the way to a piece is that its unit is not a passage.
    func isReachedAsDestination(_ piece: Int, in space: Int) -> Bool {
        guard self.counts[piece] == 1, self.lastLinks[piece] >= 0 else { return false }
        let link = self.links[Int(self.lastLinks[piece])]
        return link.obstacles == .restricted && link.feature == self.map.plan.spaces[space].id
    }

    // MARK: - Steps

    private struct Way {
        var count: Int
        var link: Int32
    }

    private mutating func pass(_ obstacles: Obstacles, _ feature: FeatureID?, _ way: inout Way) {
        let obstacles = obstacles.intersection(self.blocking)
        guard !obstacles.isEmpty, let feature else { return }
        self.links.append(Link(obstacles: obstacles, feature: feature, previous: way.link))
        way = Way(count: way.count + 1, link: Int32(self.links.count - 1))
    }

    private mutating func visit(_ node: Int, _ way: Way) {
        guard way.count < self.fewest[node] else { return }
        self.fewest[node] = way.count
        while self.buckets.count <= way.count { self.buckets.append([]) }
        self.buckets[way.count].append(Entry(node: Int32(node), link: way.link))
    }

    private mutating func enter(_ triangle: Int32, from origin: Int?, _ way: Way) {
        let piece = Int(self.map.mesh.pieceOfTriangle[Int(triangle)])
        guard way.count < self.fewest[piece] else { return }
        let space = self.map.mesh.space(of: triangle)
        let isSame = origin.map { Int(self.map.mesh.spaceOfPiece[$0]) } == space
        let obstacles = isSame ? [] : self.map.rules.spaces[space].intersection(self.blocking)
        guard obstacles.isEmpty || way.count + 1 < self.fewest[piece] else { return }
        var way = way
        self.pass(obstacles, self.map.plan.spaces[space].id, &way)
        self.visit(piece, way)
    }

    private mutating func leave(_ node: Int, _ way: Way) {
        let (mesh, shafts) = (self.map.mesh, self.map.shafts)
        guard node < mesh.pieceCount else {
            for stop in shafts.shafts[node - mesh.pieceCount].stops { self.leave(at: stop, way) }
            return
        }
        for portal in self.map.reachability.portalsOfPiece[node] {
            let edges = mesh.portals[Int(portal)].edges
            for (side, edge) in edges.enumerated() where Int(mesh.pieceOfTriangle[Int(edge / 3)]) == node {
                let direction = self.map.rules.obstacle(ofPortal: Int(portal), leavingFirst: side == 0)
                var behind = way
                self.pass(
                    self.map.rules.portals[Int(portal)].union(direction), self.feature(ofPortal: Int(portal)), &behind)
                self.enter(edges[1 - side] / 3, from: node, behind)
            }
        }
        for index in self.map.reachability.stopsOfPiece[node] {
            let stop = shafts.stops[Int(index)]
            let shaft = shafts.shafts[stop.shaft]
            var inside = way
            self.pass(at: stop, &inside)
            let feature = shaft.relationship ?? stop.space.map { self.map.plan.spaces[$0].id }
            self.pass(self.map.rules.shafts[stop.shaft], feature, &inside)
            guard shaft.isDirected else {
                self.visit(mesh.pieceCount + stop.shaft, inside)
                continue
            }
            let first = Int(index) + 1
            var end = shaft.stops.upperBound
            if let known = self.boarded[stop.shaft], known.count <= inside.count { end = known.stop + 1 }
            guard first < end else { continue }
            self.boarded[stop.shaft] = (Int(index), inside.count)
            for other in first..<end { self.leave(at: other, inside) }
        }
    }

    private mutating func leave(at index: Int, _ way: Way) {
        let stop = self.map.shafts.stops[index]
        var outside = way
        self.pass(at: stop, &outside)
        for triangle in stop.triangles { self.enter(triangle, from: nil, outside) }
    }

    private mutating func pass(at stop: Stop, _ way: inout Way) {
        if let portal = stop.portal {
            self.pass(self.map.rules.portals[portal], self.feature(ofPortal: portal), &way)
        }
        let isOpen = stop.behind.contains { self.map.rules.spaces[$0].isDisjoint(with: self.blocking) }
        if let space = stop.behind.first, !isOpen {
            self.pass(self.map.rules.spaces[space], self.map.plan.spaces[space].id, &way)
        }
    }

    private func feature(ofPortal portal: Int) -> FeatureID? {
        self.map.mesh.portals[portal].doorway.map { self.map.plan.doorways[$0].id }
    }
}
