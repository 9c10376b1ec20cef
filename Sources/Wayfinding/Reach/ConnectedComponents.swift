/// Pieces of units that are joined with each other, in whichever direction.
struct ConnectedComponents: Sendable {
    /// The component of each piece; -1 for pieces that were left out.
    private(set) var componentOfPiece: [Int]
    private(set) var count = 0

    /// - Parameters:
    ///   - blocking: The obstacles that are not passed.
    ///   - shouldStop: Is called often; whether the result is not wanted any more.
    ///   - crossing: What leads on from the pieces of a component although the map does not state it.
    ///   - isIncluded: Which pieces there are, besides those with such obstacles.
    init(
        of map: WayfindingMap, avoiding blocking: Obstacles = [], shouldStop: () -> Bool,
        crossing: ((Int) -> GapCrossing)? = nil, where isIncluded: (Int) -> Bool = { _ in true }
    ) {
        var rules = map.rules
        rules.blocking = blocking
        func isPiece(_ piece: Int) -> Bool {
            rules.isOpen(space: Int(map.mesh.spaceOfPiece[piece])) && isIncluded(piece)
        }
        let (mesh, shafts, reachability) = (map.mesh, map.shafts, map.reachability)
        self.componentOfPiece = Array(repeating: -1, count: mesh.pieceCount)
        func ride(_ stop: Int32) -> [Int32] {
            let shaft = shafts.stops[Int(stop)].shaft
            guard rules.isOpen(shaft: shaft), rules.isOpen(stop: shafts.stops[Int(stop)]) else { return [] }
            return shafts.shafts[shaft].stops.filter { $0 != Int(stop) && rules.isOpen(stop: shafts.stops[$0]) }
                .flatMap { shafts.stops[$0].triangles }.map { mesh.pieceOfTriangle[Int($0)] }
        }
        var isShaftDone = [Bool](repeating: false, count: shafts.shafts.count)
        var stack: [Int] = []
        var visited = 0
        for start in 0..<mesh.pieceCount where self.componentOfPiece[start] < 0 && isPiece(start) {
            let component = self.count
            self.count += 1
            self.componentOfPiece[start] = component
            stack.append(start)
            while let piece = stack.popLast() {
                visited += 1
                if visited.isMultiple(of: 64), shouldStop() { return }
                var triangles: [Int32] = []
                for portal in reachability.portalsOfPiece[piece] where rules.isOpen(portal: Int(portal)) {
                    triangles += mesh.portals[Int(portal)].edges.map { $0 / 3 }
                }
                for stop in reachability.stopsOfPiece[piece] {
                    let shaft = shafts.stops[Int(stop)].shaft
                    guard !isShaftDone[shaft], rules.isOpen(shaft: shaft), rules.isOpen(stop: shafts.stops[Int(stop)])
                    else { continue }
                    isShaftDone[shaft] = true
                    for other in shafts.shafts[shaft].stops where rules.isOpen(stop: shafts.stops[other]) {
                        triangles += shafts.stops[other].triangles
                    }
                }
                var others = triangles.map { mesh.pieceOfTriangle[Int($0)] }
                others += crossing?(component).pieces(behind: Int32(piece), ride: ride) ?? []
                for other in others.map({ Int($0) }) {
                    guard self.componentOfPiece[other] < 0, isPiece(other) else { continue }
                    self.componentOfPiece[other] = component
                    stack.append(other)
                }
            }
        }
    }
}
