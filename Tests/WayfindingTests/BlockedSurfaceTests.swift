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
}
