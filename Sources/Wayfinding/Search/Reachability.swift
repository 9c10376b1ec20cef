/// What joins the pieces of units, without lengths: portals and shafts.
struct Reachability: Sendable {
    let portalsOfPiece: IndexGroups
    let stopsOfPiece: IndexGroups

    init(_ mesh: VenueMesh, _ shafts: Shafts) {
        var portals: [(group: Int, value: Int32)] = []
        var stops: [(group: Int, value: Int32)] = []
        for (index, portal) in mesh.portals.enumerated() where portal.edges.count == 2 {
            for edge in portal.edges { portals.append((Int(mesh.pieceOfTriangle[Int(edge / 3)]), Int32(index))) }
        }
        for (index, stop) in shafts.stops.enumerated() {
            for piece in Set(stop.triangles.map { mesh.pieceOfTriangle[Int($0)] }).sorted() {
                stops.append((Int(piece), Int32(index)))
            }
        }
        self.portalsOfPiece = IndexGroups(count: mesh.pieceCount, portals)
        self.stopsOfPiece = IndexGroups(count: mesh.pieceCount, stops)
    }

    /// For each piece whether it can be reached from triangles.
    ///
    /// - Parameters:
    ///   - isReversed: Whether to find the pieces from which these triangles can be reached instead.
    ///   - crossing: What leads on from each piece although the map does not state it.
    ///   - ends: Triangles of which one is enough: what is behind it may be missing then.
    func pieces(
        from triangles: [Int32], _ mesh: VenueMesh, _ shafts: Shafts, _ rules: PassageRules, isReversed: Bool = false,
        crossing: GapCrossing? = nil, until ends: [Int32] = []
    ) -> [Bool] {
        var spread = Spread(self, mesh, shafts, rules, isReversed: isReversed)
        spread.run(from: triangles, crossing, until: ends)
        return spread.reached
    }
}

/// A search that goes from piece to piece.
private struct Spread {
    let reachability: Reachability
    let mesh: VenueMesh
    let shafts: Shafts
    let rules: PassageRules
    let isReversed: Bool
    private(set) var reached: [Bool]
    private var stack: [Int32] = []

    init(
        _ reachability: Reachability, _ mesh: VenueMesh, _ shafts: Shafts, _ rules: PassageRules, isReversed: Bool
    ) {
        (self.reachability, self.mesh, self.shafts, self.rules) = (reachability, mesh, shafts, rules)
        self.isReversed = isReversed
        self.reached = Array(repeating: false, count: mesh.pieceCount)
    }

    mutating func run(from triangles: [Int32], _ crossing: GapCrossing?, until ends: [Int32]) {
        let ends = Set(ends.map { self.mesh.pieceOfTriangle[Int($0)] }).sorted()
        for triangle in triangles { self.visit(self.mesh.pieceOfTriangle[Int(triangle)]) }
        while !ends.contains(where: { self.reached[Int($0)] }), let piece = self.stack.popLast() {
            self.pass(piece)
            for stop in self.reachability.stopsOfPiece[Int(piece)] {
                for other in self.pieces(behind: stop) { self.visit(other) }
            }
            if let crossing {
                for other in crossing.pieces(behind: piece, ride: { self.pieces(behind: $0) }) { self.visit(other) }
            }
        }
    }

    private mutating func visit(_ piece: Int32) {
        guard !self.reached[Int(piece)], self.rules.isOpen(space: Int(self.mesh.spaceOfPiece[Int(piece)])) else {
            return
        }
        self.reached[Int(piece)] = true
        self.stack.append(piece)
    }

    private mutating func pass(_ piece: Int32) {
        for portal in self.reachability.portalsOfPiece[Int(piece)] where self.rules.isOpen(portal: Int(portal)) {
            let edges = self.mesh.portals[Int(portal)].edges
            for side in 0..<2 where self.mesh.pieceOfTriangle[Int(edges[side] / 3)] == piece {
                guard self.rules.leads(portal: Int(portal), leavingFirst: (side == 0) != self.isReversed) else {
                    continue
                }
                self.visit(self.mesh.pieceOfTriangle[Int(edges[1 - side] / 3)])
            }
        }
    }

    /// The pieces to which a stop leads.
    private func pieces(behind stop: Int32) -> [Int32] {
        let index = self.shafts.stops[Int(stop)].shaft
        guard self.rules.isOpen(shaft: index), self.rules.isOpen(stop: self.shafts.stops[Int(stop)]) else { return [] }
        let shaft = self.shafts.shafts[index]
        return shaft.stops.filter { other in
            other != Int(stop) && (!shaft.isDirected || (other > Int(stop)) != self.isReversed)
                && self.rules.isOpen(stop: self.shafts.stops[other])
        }.flatMap { self.shafts.stops[$0].triangles }.map { self.mesh.pieceOfTriangle[Int($0)] }
    }
}
