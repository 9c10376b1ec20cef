import SampleVenue
import Testing

@testable import Wayfinding

@Suite struct PathSearchTests {
    /// A random point of a mesh: in a triangle, or sometimes one of its corners.
    private func point(_ mesh: VenueMesh, _ random: inout SplitMix64) -> PathSearch.Target {
        let triangle = Int32(random.next() % UInt64(mesh.triangleCount))
        let corners = (0..<3).map { mesh.corner(3 * triangle + $0) }
        let weights = (0..<3).map { _ in Int(random.next() % 1_000) }
        let sum = weights.reduce(1, +)
        let inside = GridPoint(
            x: zip(corners, weights).reduce(corners[0].x) { $0 + $1.0.x * $1.1 } / sum,
            y: zip(corners, weights).reduce(corners[0].y) { $0 + $1.0.y * $1.1 } / sum)
        let isUsable = random.next() % 8 != 0 && mesh.triangle(triangle, contains: inside)
        let point = isUsable ? inside : corners[0]
        let space = mesh.space(of: triangle)
        return PathSearch.Target(point: point, triangles: mesh.triangles(of: space, at: point))
    }

    private func path(
        _ map: WayfindingMap, _ from: PathSearch.Target, _ to: PathSearch.Target
    ) -> (length: Double, points: [GridPoint])? {
        var search = PathSearch(map.mesh, map.shafts, map.rules, .walk, targets: [to])
        search.run(from: from)
        guard let length = search.results[0]?.length, let path = Path(search, target: 0, end: to.point) else {
            return nil
        }
        return (
            length,
            path.steps.compactMap { step in
                if case .point(let point) = step { point } else { nil }
            }
        )
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `paths are as long as those of a visibility graph and cross no wall`(seed: UInt64) throws {
        let map = GridVenue.shape(seed).map
        let graph = VisibilityGraph(map.mesh)
        var random = SplitMix64(seed: seed &+ 1_000)
        #expect(map.triangleCount > 0)
        for _ in 0..<12 {
            let (from, to) = (self.point(map.mesh, &random), self.point(map.mesh, &random))
            let expected = graph.distance(from.point, to.point)
            let found = self.path(map, from, to)
            #expect((found == nil) == (expected == nil), "from \(from.point) to \(to.point)")
            guard let found, let expected else { continue }
            #expect((found.length - expected).magnitude < 1e-6 * (expected + 1), "from \(from.point) to \(to.point)")
            for (start, end) in zip(found.points, found.points.dropFirst()) { #expect(graph.sees(start, end)) }
            let back = self.path(map, to, from)
            #expect(try (#require(back).length - found.length).magnitude < 1e-6 * (expected + 1))
        }
    }

    @Test(arguments: 0..<24)
    func `an opening whose middle is rounded off an oblique wall is reached along that wall`(shift: Int) {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addUnit(1, [[(0, 0), (9_000, -3_000), (13_000, 9_000), (2_600, 7_584)]], category: "walkway")
        venue.addUnit(2, [[(0, 0), (2_600, 7_584), (-1_000, 8_700), (-3_500, 1_100)]], category: "nonpublic")
        let (x, y) = (406 + 37 * shift, 1_185 + 107 * shift)
        venue.addDoor(3, (x, y), (x + 325, y + 948))
        let answer = venue.map.route(RouteQuery(from: GridVenue.place(0, 0), to: .feature(GridVenue.id(3))))
        let (middleX, middleY) = (Double(x) + 162.5, Double(y + 474))
        let straight = (middleX * middleX + middleY * middleY).squareRoot() / 1_000
        #expect(answer.status == .route)
        #expect((Double(answer.legs.reduce(0) { $0 + $1.decimeters }) / 10 - straight).magnitude < 0.1)
    }

    @Test func `one search finds the distances of many searches`() {
        let map = GridVenue.shape(1).map
        var random = SplitMix64(seed: 3)
        let from = self.point(map.mesh, &random)
        let targets = (0..<20).map { _ in self.point(map.mesh, &random) }
        var search = PathSearch(map.mesh, map.shafts, map.rules, .walk, targets: targets)
        search.run(from: from, until: targets.count)
        for (index, target) in targets.enumerated() {
            let single = self.path(map, from, target)?.length ?? -1
            #expect(((search.results[index]?.length ?? -1) - single).magnitude < 1e-6)
        }
    }
}
