import IMDF
import Testing

@testable import Wayfinding

/// Shapes and references for which the work would grow with a product of their numbers.
@Suite struct BoundedWorkTests {
    private func building() -> GridVenue {
        var venue = GridVenue()
        for ordinal in 0...1 {
            let base = 100 * ordinal
            venue.addLevel(ordinal)
            venue.addRoom(base + 1, 0, 0, 20_000, 10_000, category: "walkway", ordinal: ordinal)
            venue.addRoom(base + 4, 8_000, 10_100, 11_000, 13_000, category: "elevator", ordinal: ordinal)
            venue.addDoor(base + 14, (9_000, 10_050), (10_000, 10_050), ordinal: ordinal)
        }
        return venue
    }

    private func route(_ map: WayfindingMap) -> RouteAnswer {
        map.route(RouteQuery(from: .feature(GridVenue.id(1)), to: .feature(GridVenue.id(101))))
    }

    @Test func `a unit is a stop of a relationship once`() {
        var venue = self.building()
        venue.addRelationship(50, "elevator", (0..<4_000).map { $0 % 2 == 0 ? 4 : 104 })
        let map = venue.map
        #expect(map.shafts.stops.count == 2)
        #expect(self.route(map).status == .route)
    }

    @Test func `a unit has a limited number of relationships`() {
        var venue = self.building()
        for number in 0..<2_000 { venue.addRelationship(2_000 + number, "elevator", [4, 104]) }
        let map = venue.map
        #expect(map.shafts.shafts.count == 256)
        #expect(self.route(map).status == .route)
    }

    @Test func `an opening along many walls is compared with some of them`() {
        var venue = GridVenue()
        venue.addLevel(0)
        let wall = (0..<5_000).map { (200 * $0, 2 * ($0 % 2)) }
        venue.addUnit(1, [wall + [(1_000_000, 10_000), (0, 10_000)]])
        venue.addDoor(2, (0, 0), (1_000_000, 0))
        let map = venue.map
        #expect(map.mesh.portals.count <= 512)
        #expect(map.triangleCount > 5_000)
    }

    @Test func `a unit whose vertices are far from one another on a line is given up, a ring of as many is not`() {
        let half = 3_000
        let line = (0..<half).map { (0, 40 * $0) }
        let ends = (0..<half / 2).flatMap { [(0, -40 * ($0 + 1)), (0, 40 * (half + $0))] }
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addUnit(1, [line + ends + [(5_000, 0)]])
        let teeth = (0..<2 * half).map { (40 * $0, 2_000 * ($0 % 2)) }
        venue.addUnit(2, [teeth + [(80 * half, 10_000), (0, 10_000)]])
        let map = venue.map
        let (fan, ring) = (map.indexOfSpace[GridVenue.id(1)], map.indexOfSpace[GridVenue.id(2)])
        #expect(fan.map { map.mesh.trianglesOfSpace[$0].isEmpty } ?? true)
        #expect(ring.map { map.mesh.trianglesOfSpace[$0].count > half } == true)
    }

    @Test func `of many ways to a unit, a search for obstacles keeps those that are better than before`() {
        var venue = GridVenue()
        let (floors, relationships) = (30, 200)
        for ordinal in 0..<floors {
            venue.addLevel(ordinal)
            venue.addRoom(ordinal, 0, 0, 5_000, 5_000, category: "escalator", ordinal: ordinal)
        }
        for number in 0..<relationships {
            venue.addRelationship(2_000 + number, "escalator", Array(0..<floors), directed: true)
        }
        let search = ObstacleSearch(from: [(triangle: 0, portal: nil)], in: venue.map, avoiding: .steps) { false }
        #expect(Array(search.counts.prefix(floors)) == [1] + Array(repeating: 3, count: floors - 1))
        // Each relationship is an obstacle at each of its stops. Every pair of stops would be fifteen times as many.
        #expect(search.links.count <= (relationships + 2) * floors)
    }

    @Test func `a zigzag that crosses itself at small angles is given up, one that does not is not`() {
        let count = 500
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addUnit(1, [(0..<count).map { ($0 % 2 == 0 ? 20 * $0 : 100_000 - 20 * $0, 13 * $0) }])
        let teeth = (0..<count).map { (40 * $0, 50_000 * ($0 % 2)) }
        venue.addUnit(2, [teeth + [(40 * count, 100_000), (0, 100_000)]])
        let map = venue.map
        let (crossing, plain) = (map.indexOfSpace[GridVenue.id(1)], map.indexOfSpace[GridVenue.id(2)])
        #expect(crossing.map { map.mesh.trianglesOfSpace[$0].isEmpty } == true)
        #expect(plain.map { map.mesh.trianglesOfSpace[$0].count > count / 2 } == true)
    }

    @Test func `a search ends at its limit, however many goals there are`() {
        let venue = self.building()
        let map = venue.map
        let target = PathSearch.Target(
            point: GridPoint(x: 5_000, y: 5_000), triangles: Array(map.mesh.trianglesOfSpace[0]))
        var search = PathSearch(
            map.mesh, map.shafts, map.rules, .walk,
            targets: Array(repeating: target, count: WorkLimits().searchNodes + 10))
        search.run(from: target, until: .max)
        #expect(search.nodes.count == WorkLimits().searchNodes)
        #expect(search.isExhausted)
    }
}
