import IMDF
import Testing

@testable import Wayfinding

@Suite struct ShaftTests {
    /// A hall with a lift, or an escalator, on each of several floors. Halls are 1, 101, …, the units 4, 104, … and their doors 14, 114, ….
    private func tower(_ floors: Int, category: String = "elevator", width: Int = 1_000) -> GridVenue {
        var venue = GridVenue()
        for ordinal in 0..<floors {
            let base = 100 * ordinal
            venue.addLevel(ordinal)
            venue.addRoom(base + 1, 0, 0, 20_000, 10_000, category: "walkway", ordinal: ordinal)
            venue.addRoom(base + 4, 8_000, 10_100, 11_000, 13_000, category: category, ordinal: ordinal)
            venue.addDoor(
                base + 14, (9_000, 10_050), (9_000 + (ordinal == 0 ? width : 1_000), 10_050), ordinal: ordinal)
        }
        return venue
    }

    private func route(
        _ venue: GridVenue, _ from: Int, _ to: Int, _ profile: Profile = .walk, closed: [Int] = []
    ) -> RouteAnswer {
        venue.map.route(
            RouteQuery(
                from: .feature(GridVenue.id(from)), to: .feature(GridVenue.id(to)), profile: profile,
                closed: Dictionary(uniqueKeysWithValues: closed.map { (GridVenue.id($0), nil) })))
    }

    private func reasons(_ answer: RouteAnswer) -> [String] {
        answer.reasons.map { "\($0.code) \(($0.feature?.low ?? 0) & 0xFFFF)" }
    }

    @Test(arguments: [[14, 114], [1, 4, 104, 101], [1, 14, 4, 104, 114, 101]])
    func `a lift is not used if its unit or its door is closed on either floor`(references: [Int]) {
        var venue = self.tower(2)
        venue.addRelationship(50, "elevator", references)
        #expect(self.route(venue, 1, 101).status == .route)
        for closed in [14, 114, 4, 104, 50] {
            for (from, to) in [(1, 101), (101, 1)] {
                let answer = self.route(venue, from, to, closed: [closed])
                #expect(answer.status == .infeasible)
                #expect(self.reasons(answer) == ["closed \(closed)"])
            }
        }
    }

    @Test func `a lift behind a narrow door is not step-free, in either direction`() {
        var venue = self.tower(2, width: 600)
        venue.addRelationship(50, "elevator", [14, 114])
        for (from, to) in [(1, 101), (101, 1)] {
            let answer = self.route(venue, from, to, .stepFree)
            #expect(answer.status == .none)
            #expect(self.reasons(answer) == ["narrow-opening 14"])
            #expect(self.route(venue, from, to).status == .route)
        }
    }

    @Test(arguments: [[14, 114], [1, 14, 114, 101], [1, 4, 101]])
    func `nobody walks down an escalator that leads up`(references: [Int]) {
        var venue = self.tower(2, category: "escalator")
        venue.addRelationship(50, "escalator", references, directed: true)
        #expect(self.route(venue, 1, 101).legs.contains { $0.mode == .escalator })
        #expect(self.route(venue, 101, 1).status == .unknown)
    }

    @Test func `a lift does not stop at the floors that its relationship passes`() {
        var venue = self.tower(3)
        venue.addRelationship(50, "elevator", [4, 204])
        #expect(self.route(venue, 1, 201).status == .route)
        #expect(self.route(venue, 1, 101).status == .unknown)
        #expect(self.route(venue, 101, 201).status == .unknown)
    }
}
