@testable import Wayfinding

/// Shortest paths by the simplest thing that could be right: all pairs of vertices that see each other.
struct VisibilityGraph {
    let mesh: VenueMesh
    private var walls: [(GridPoint, GridPoint)] = []
    private var vertices: [GridPoint]
    private var neighbors: [[(Int, Double)]] = []

    init(_ mesh: VenueMesh) {
        self.mesh = mesh
        self.vertices = Set(mesh.points).sorted()
        for edge in 0..<Int32(mesh.origins.count) where mesh.twins[Int(edge)] < 0 && mesh.link(edge) < 0 {
            self.walls.append((mesh.corner(edge), mesh.corner(Triangulation.next(edge))))
        }
        let vertices = self.vertices
        self.neighbors = vertices.map { point in
            vertices.indices.compactMap { index in
                self.sees(point, vertices[index]) ? (index, point.distance(to: vertices[index])) : nil
            }
        }
    }

    /// Whether a line is inside: it crosses no wall, and between all points at which it touches walls it is in triangles.
    func sees(_ start: GridPoint, _ end: GridPoint) -> Bool {
        guard start != end else { return true }
        let length = start.distance(to: end)
        var stops = [0.0, 1.0]
        for (one, other) in self.walls {
            let sides = (GridPoint.orientation(start, end, one), GridPoint.orientation(start, end, other))
            let ends = (GridPoint.orientation(one, other, start), GridPoint.orientation(one, other, end))
            if sides.0.signum() * sides.1.signum() < 0, ends.0.signum() * ends.1.signum() < 0 { return false }
            for (side, point) in [(sides.0, one), (sides.1, other)] where side == 0 {
                let product = Double((point.x - start.x) * (end.x - start.x) + (point.y - start.y) * (end.y - start.y))
                let share = product / (length * length)
                if share > 0, share < 1 { stops.append(share) }
            }
        }
        stops.sort()
        return zip(stops, stops.dropFirst()).allSatisfy { from, to in
            let share = (from + to) / 2
            return (to - from) * length < 1e-6
                || self.contains(
                    Double(start.x) + Double(end.x - start.x) * share, Double(start.y) + Double(end.y - start.y) * share
                )
        }
    }

    private func contains(_ x: Double, _ y: Double) -> Bool {
        (0..<Int32(self.mesh.triangleCount)).contains { triangle in
            ((3 * triangle)..<(3 * triangle + 3)).allSatisfy { edge in
                let (start, end) = (self.mesh.corner(edge), self.mesh.corner(Triangulation.next(edge)))
                let (dx, dy) = (Double(end.x - start.x), Double(end.y - start.y))
                return dx * (y - Double(start.y)) - dy * (x - Double(start.x)) >= -1e-6 * (dx.magnitude + dy.magnitude)
            }
        }
    }

    func distance(_ start: GridPoint, _ end: GridPoint) -> Double? {
        if self.sees(start, end) { return start.distance(to: end) }
        var distances = self.vertices.map { self.sees(start, $0) ? start.distance(to: $0) : .infinity }
        var isDone = Array(repeating: false, count: self.vertices.count)
        while let next = self.vertices.indices.filter({ !isDone[$0] && distances[$0] < .infinity })
            .min(by: { distances[$0] < distances[$1] })
        {
            isDone[next] = true
            for (other, length) in self.neighbors[next] {
                distances[other] = min(distances[other], distances[next] + length)
            }
        }
        let all = self.vertices.indices.filter { distances[$0] < .infinity && self.sees(self.vertices[$0], end) }
            .map { distances[$0] + self.vertices[$0].distance(to: end) }
        return all.min()
    }
}
