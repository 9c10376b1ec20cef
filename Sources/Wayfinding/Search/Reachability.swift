/// What can be reached from where, without lengths: pieces of units, joined by portals and shafts.
struct Reachability: Sendable {
    let portalsOfPiece: [[Int32]]
    let stopsOfPiece: [[Int32]]

    init(_ mesh: VenueMesh, _ shafts: Shafts) {
        var portals = [[Int32]](repeating: [], count: mesh.pieceCount)
        var stops = [[Int32]](repeating: [], count: mesh.pieceCount)
        for (index, portal) in mesh.portals.enumerated() where portal.edges.count == 2 {
            for edge in portal.edges { portals[Int(mesh.pieceOfTriangle[Int(edge / 3)])].append(Int32(index)) }
        }
        for (index, stop) in shafts.stops.enumerated() {
            for piece in Set(stop.triangles.map { mesh.pieceOfTriangle[Int($0)] }).sorted() {
                stops[Int(piece)].append(Int32(index))
            }
        }
        (self.portalsOfPiece, self.stopsOfPiece) = (portals, stops)
    }

    /// For each piece whether it can be reached from triangles.
    ///
    /// - Parameters:
    ///   - isReversed: Whether to find the pieces from which these triangles can be reached instead.
    ///   - crossing: What leads on from each piece although the map does not state it.
    func pieces(
        from triangles: [Int32], _ mesh: VenueMesh, _ shafts: Shafts, _ rules: PassageRules, isReversed: Bool = false,
        crossing: GapCrossing? = nil
    ) -> [Bool] {
        var reached = [Bool](repeating: false, count: mesh.pieceCount)
        var stack: [Int32] = []
        func visit(piece: Int32) {
            guard !reached[Int(piece)], rules.isOpen(space: Int(mesh.spaceOfPiece[Int(piece)])) else { return }
            reached[Int(piece)] = true
            stack.append(piece)
        }
        func visit(_ triangle: Int32) { visit(piece: mesh.pieceOfTriangle[Int(triangle)]) }
        func ride(_ stop: Int32) -> [Int32] {
            let index = shafts.stops[Int(stop)].shaft
            guard rules.isOpen(shaft: index), rules.isOpen(stop: shafts.stops[Int(stop)]) else { return [] }
            let shaft = shafts.shafts[index]
            return shaft.stops.filter { other in
                other != Int(stop) && (!shaft.isDirected || (other > Int(stop)) != isReversed)
                    && rules.isOpen(stop: shafts.stops[other])
            }.flatMap { shafts.stops[$0].triangles }.map { mesh.pieceOfTriangle[Int($0)] }
        }
        for triangle in triangles { visit(triangle) }
        while let piece = stack.popLast() {
            for portal in self.portalsOfPiece[Int(piece)] where rules.isOpen(portal: Int(portal)) {
                let edges = mesh.portals[Int(portal)].edges
                for (side, edge) in edges.enumerated() where mesh.pieceOfTriangle[Int(edge / 3)] == piece {
                    guard rules.leads(portal: Int(portal), leavingFirst: (side == 0) != isReversed) else { continue }
                    visit(edges[1 - side] / 3)
                }
            }
            for stop in self.stopsOfPiece[Int(piece)] { for other in ride(stop) { visit(piece: other) } }
            crossing?.leave(piece, visit: visit(piece:), ride: ride)
        }
        return reached
    }
}
