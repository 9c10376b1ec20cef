import IMDF
import Testing

@testable import Wayfinding

@Suite struct BlockedSurfaceTests {
    private func length(_ venue: GridVenue, _ profile: Profile = .walk) -> Int {
        let answer = venue.map.route(
            RouteQuery(from: GridVenue.place(5_000, 5_000), to: GridVenue.place(35_000, 5_000), profile: profile))
        return answer.legs.reduce(0) { $0 + $1.decimeters }
    }

    @Test(arguments: ["opentobelow", "structure", "column", "stairs", "escalator", "elevator", "nonpublic"])
    func `routes lead around what lies on a hall`(category: String) {
        for profile in Profile.allCases {
            var venue = GridVenue()
            venue.addLevel(0)
            venue.addRoom(1, 0, 0, 40_000, 10_000, category: "walkway")
            #expect(self.length(venue, profile) == 300)
            venue.addRoom(2, 15_000, 1_000, 25_000, 9_000, category: category)
            #expect(self.length(venue, profile) == 315)
        }
    }

    @Test func `what lies below a hall or on another level blocks nothing`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addLevel(1)
        venue.addRoom(1, 0, 0, 40_000, 10_000, category: "walkway")
        venue.addRoom(2, -1_000, -1_000, 41_000, 11_000, category: "structure")
        venue.addRoom(3, 15_000, 1_000, 25_000, 9_000, category: "structure", ordinal: 1)
        #expect(self.length(venue) == 300)
    }

    @Test(arguments: [-200, -50, 0, 50, 200])
    func `stairs on a hall are entered by their opening, wherever it is drawn`(offset: Int) {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 40_000, 10_000, category: "walkway")
        venue.addRoom(2, 15_000, 1_000, 25_000, 9_000, category: "stairs")
        venue.addDoor(3, (15_000 + offset, 4_000), (15_000 + offset, 6_000))
        let answer = venue.map.route(
            RouteQuery(from: GridVenue.place(5_000, 5_000), to: .feature(GridVenue.id(2))))
        #expect(answer.status == .route)
        #expect(self.length(venue) == 315)
    }

    @Test func `walls on units do not close the openings in them`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 10_000, 10_000)
        venue.addRoom(2, 10_000, 0, 40_000, 10_000)
        venue.addRoom(4, 9_900, 0, 10_100, 10_000, category: "structure")
        venue.addDoor(3, (10_000, 4_000), (10_000, 6_000))
        #expect(self.length(venue) == 300)
    }

    // MARK: - Rooms

    /// A hall of 40 by 10 metres with doors at both ends.
    private func hall() -> GridVenue {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 40_000, 10_000, category: "walkway")
        venue.addDoor(11, (0, 4_000), (0, 6_000))
        venue.addDoor(12, (40_000, 4_000), (40_000, 6_000))
        return venue
    }

    @Test func `routes lead around a room with a door to the hall on which it is drawn, and enter it by this door`() {
        var venue = self.hall()
        venue.addRoom(2, 15_000, 1_000, 25_000, 9_000)
        #expect(self.length(venue) == 300)
        venue.addDoor(13, (15_000, 4_000), (15_000, 6_000))
        #expect(self.length(venue) == 315)
        let answer = venue.map.route(
            RouteQuery(from: GridVenue.place(35_000, 5_000), to: .feature(GridVenue.id(2))))
        #expect(answer.status == .route)
        #expect(answer.legs.reduce(0) { $0 + $1.decimeters } > 250)
    }

    @Test func `what is in a room on a hall is reached there, although it names the hall`() {
        var venue = self.hall()
        venue.addRoom(2, 15_000, 1_000, 25_000, 9_000)
        venue.addDoor(13, (15_000, 4_000), (15_000, 6_000))
        venue.add(
            3, .amenity, ["category": "restroom", "unit_ids": [.string(GridVenue.id(1).description)]],
            ["type": "Point", "coordinates": GridVenue.position(24_000, 5_000)])
        let answer = venue.map.route(
            RouteQuery(from: GridVenue.place(5_000, 5_000), to: .feature(GridVenue.id(3))))
        #expect(answer.status == .route && answer.legs.map(\.decimeters) == [190])
    }

    @Test(arguments: [
        "footbridge", "movingwalkway", "platform", "road", "unenclosedarea", "walkway", "walkway.island", "ramp",
    ])
    func `what needs no walls is crossed on a hall, with a door or without`(category: String) {
        var venue = self.hall()
        venue.addRoom(2, 15_000, 1_000, 25_000, 9_000, category: category)
        venue.addDoor(13, (15_000, 4_000), (15_000, 6_000))
        // A ramp is cut out of nothing, and a way over it is as long.
        #expect(self.length(venue) == 300)
    }

    @Test func `a room that would part a hall is crossed, and another one of the hall is not`() {
        var venue = self.hall()
        venue.addRoom(2, 10_000, 0, 20_000, 10_000)
        venue.addDoor(13, (10_000, 4_000), (10_000, 6_000))
        #expect(self.length(venue) == 300)
        venue.addRoom(3, 27_000, 2_000, 32_000, 9_000)
        venue.addDoor(14, (27_000, 4_000), (27_000, 6_000))
        #expect(self.length(venue) > 300)
    }

    @Test func `a room that would close an opening of a hall is crossed`() {
        var venue = self.hall()
        venue.addDoor(14, (18_000, 10_000), (20_000, 10_000))
        venue.addRoom(2, 15_000, 1_000, 25_000, 11_000)
        venue.addDoor(13, (15_000, 4_000), (15_000, 6_000))
        #expect(self.length(venue) == 300)
    }

    @Test func `what rooms enclose is not walked on if no opening leads there`() throws {
        var venue = self.hall()
        venue.addRoom(2, 15_000, 0, 20_000, 6_000)
        venue.addRoom(3, 20_800, 0, 25_000, 6_000)
        venue.addRoom(4, 15_000, 6_000, 25_000, 8_000)
        venue.addDoor(13, (15_000, 2_000), (15_000, 4_000))
        venue.addDoor(14, (25_000, 2_000), (25_000, 4_000))
        venue.addDoor(15, (15_000, 6_500), (15_000, 7_500))
        let map = venue.map
        let hall = try #require(map.plan.spaces.firstIndex { $0.id == GridVenue.id(1) })
        #expect(!map.mesh.triangles(of: hall, at: GridPoint(x: 17_000, y: 9_000)).isEmpty)
        for x in [17_000, 20_400] {
            #expect(map.mesh.triangles(of: hall, at: GridPoint(x: x, y: 3_000)).isEmpty)
        }
    }

    @Test func `a map that reuses another one cuts out a unit that has become a room`() {
        func venue(_ category: String) -> GridVenue {
            var venue = self.hall()
            venue.addRoom(2, 15_000, 1_000, 25_000, 9_000, category: category)
            venue.addDoor(13, (15_000, 4_000), (15_000, 6_000))
            return venue
        }
        let map = WayfindingMap(venue("room").features, reusing: venue("walkway").map)
        #expect(map.triangleCount == venue("room").map.triangleCount)
        #expect(map.triangleCount != venue("walkway").map.triangleCount)
    }
}
