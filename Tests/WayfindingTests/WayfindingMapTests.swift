import IMDF
import Testing

@testable import Wayfinding

@Suite struct WayfindingMapTests {
    func feature(_ number: Int) -> Place { .feature(GridVenue.id(number)) }

    func route(
        _ venue: GridVenue, _ from: Int, _ to: Int, _ profile: Profile = .walk, closed: [FeatureID: String?] = [:],
        languages: [String] = ["en"]
    ) -> RouteAnswer {
        venue.map.route(
            RouteQuery(
                from: self.feature(from), to: self.feature(to), profile: profile, closed: closed, languages: languages))
    }

    private func reasons(_ answer: RouteAnswer) -> [String] {
        answer.reasons.map { "\($0.code) \(($0.feature?.low ?? 0) & 0xFFFF)" }
    }

    /// A hall with two rooms, on each of two floors, and a lift and stairs at its end.
    var building: GridVenue {
        var venue = GridVenue()
        for ordinal in 0...1 {
            let base = 100 * ordinal
            venue.addLevel(ordinal)
            venue.addRoom(base + 1, 0, 0, 20_000, 4_000, category: "walkway", ordinal: ordinal)
            venue.addRoom(base + 2, 0, 4_100, 8_000, 9_000, ordinal: ordinal)
            venue.addRoom(base + 3, 8_100, 4_100, 20_000, 9_000, ordinal: ordinal)
            venue.addRoom(base + 4, 20_100, 0, 22_000, 1_900, category: "elevator", ordinal: ordinal)
            venue.addRoom(base + 5, 20_100, 2_000, 24_000, 4_000, category: "stairs", ordinal: ordinal)
            venue.addDoor(base + 12, (3_000, 4_050), (4_000, 4_050), ordinal: ordinal)
            venue.addDoor(base + 13, (12_000, 4_050), (13_000, 4_050), ordinal: ordinal)
            venue.addDoor(base + 14, (20_050, 500), (20_050, 1_500), ordinal: ordinal)
            venue.addDoor(base + 15, (20_050, 2_500), (20_050, 3_500), ordinal: ordinal)
        }
        return venue
    }

    // MARK: - Portals

    @Test(arguments: [(0, true), (290, true), (350, false)])
    func `an opening joins units within 30 centimeters`(distance: Int, isJoined: Bool) {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 5_000, 5_000)
        venue.addRoom(2, 5_000 + distance, 0, 10_000, 5_000)
        venue.addDoor(3, (5_000, 1_000), (5_000, 2_000))
        let answer = self.route(venue, 1, 2)
        #expect(answer.status == (isJoined ? .route : .unknown))
        if !isJoined { #expect(self.reasons(answer) == ["no-opening 1", "no-opening 2"]) }
    }

    @Test func `an opening of a room that is drawn over a hall joins both`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 20_000, 20_000)
        venue.addRoom(2, 8_000, 8_000, 12_000, 12_000)
        venue.addDoor(3, (8_000, 9_000), (8_000, 10_000))
        let map = venue.map
        let answer = map.route(RouteQuery(from: GridVenue.place(2_000, 9_500), to: self.feature(2)))
        #expect(answer.status == .route)
        #expect(answer.legs.map(\.decimeters) == [80])
    }

    @Test func `an opening across a hall joins nothing and stops nobody`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 20_000, 2_000)
        venue.addDoor(2, (10_000, 0), (10_000, 2_000))
        let map = venue.map
        #expect(map.mesh.portals.isEmpty)
        let answer = map.route(
            RouteQuery(from: GridVenue.place(1_000, 1_000), to: GridVenue.place(19_000, 1_000)))
        #expect(answer.status == .route)
        #expect(answer.legs.map(\.decimeters) == [180])
    }

    @Test func `an opening on a wall is kept beside another one that is near the wall and not parallel to it`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 30_000, 3_000)
        venue.addDoor(2, (7_638, -154), (9_138, -184))
        venue.addDoor(3, (6_663, 0), (8_163, 0))
        #expect(venue.map.mesh.portals.map(\.doorway) == [0, 1])
    }

    @Test func `two thousand openings of one unit all lead to their rooms`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 2_000_000, 3_000, category: "walkway")
        for room in 0..<2_000 {
            venue.addRoom(10_000 + room, 1_000 * room, 3_000, 1_000 * room + 1_000, 6_000)
            venue.addDoor(20_000 + room, (1_000 * room + 50, 3_000), (1_000 * room + 950, 3_000))
        }
        let map = venue.map
        #expect(map.mesh.portals.count == 2_000)
        let answer = map.route(RouteQuery(from: self.feature(10_000), to: self.feature(11_999)))
        #expect(answer.status == .route)
        #expect(answer.legs.map(\.mode) == [.walk])
    }

    @Test func `an opening opens walls of its own level, not those of another level of the same ordinal`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addLevel(1)
        venue.features[1] = WayfindingFeature(
            id: GridVenue.id(1_001), type: .level, properties: ["ordinal": 0], geometry: .null)
        for ordinal in 0...1 {
            venue.addRoom(100 * ordinal + 1, 0, 0, 10_000, 5_000, ordinal: ordinal)
            venue.addRoom(100 * ordinal + 2, 0, 5_000, 10_000, 10_000, ordinal: ordinal)
        }
        venue.addRoom(3, 10_000, 0, 20_000, 5_000)
        venue.addDoor(110, (2_000, 5_000), (3_000, 5_000), ordinal: 1)
        venue.addDoor(111, (10_000, 1_000), (10_000, 2_000), ordinal: 1)
        #expect(self.route(venue, 101, 102).status == .route)
        #expect(self.route(venue, 1, 2).status == .unknown)
        #expect(self.route(venue, 101, 3).legs.map(\.level) == [1_001, 1_000].map { GridVenue.id($0) })
        #expect(self.route(venue, 1, 3).status == .unknown)
    }

    @Test func `the parts of a unit that was cut at the antimeridian are joined`() {
        var venue = GridVenue()
        venue.add(1_000, .level, ["ordinal": 0])
        func rectangle(_ left: Double, _ right: Double) -> JSONValue {
            .array([
                .array(
                    [(left, 0.0), (right, 0.0), (right, 0.0001), (left, 0.0001), (left, 0.0)].map {
                        [.number($0.0), .number($0.1)]
                    })
            ])
        }
        venue.add(
            1, .unit, ["category": "room", "level_id": .string(GridVenue.id(1_000).description)],
            ["type": "MultiPolygon", "coordinates": [rectangle(179.9998, 180), rectangle(-180, -179.9998)]])
        let answer = venue.map.route(
            RouteQuery(
                from: .position(longitude: 179.9999, latitude: 0.00005, ordinal: 0),
                to: .position(longitude: -179.9999, latitude: 0.00005, ordinal: 0)))
        #expect(answer.status == .route)
        #expect(answer.legs.map(\.decimeters) == [223])
    }

    // MARK: - Floors

    @Test func `stairs and lifts that lie above each other join floors, as derived`() {
        let answer = self.route(self.building, 2, 103)
        #expect(answer.status == .route)
        #expect(answer.legs.map(\.mode) == [.walk, .stairs, .walk])
        #expect(answer.legs.map(\.isStated) == [true, false, true])
        let stepFree = self.route(self.building, 2, 103, .stepFree)
        #expect(stepFree.legs.map(\.mode) == [.walk, .elevator, .walk])
        #expect(stepFree.legs[1].seconds == 110)
    }

    @Test func `a relationship joins units that do not overlap, in its direction`() {
        var venue = self.building
        for number in [104, 105] { venue.remove(number) }
        venue.addRoom(106, 30_000, 0, 33_000, 4_000, category: "escalator", ordinal: 1)
        venue.addRoom(6, 20_100, 5_000, 24_000, 7_000, category: "escalator")
        venue.addDoor(16, (20_050, 5_500), (20_050, 6_500))
        venue.addRoom(107, 20_100, 0, 29_900, 3_900, ordinal: 1)
        venue.addDoor(116, (29_950, 500), (29_950, 1_500), ordinal: 1)
        venue.addRelationship(50, "escalator", [6, 106], directed: true)
        let up = self.route(venue, 2, 103)
        #expect(up.status == .route)
        #expect(up.legs.map(\.mode) == [.walk, .escalator, .walk])
        #expect(up.legs[1].isStated)
        #expect(self.route(venue, 103, 2).status == .unknown)
        let stepFree = self.route(venue, 2, 103, .stepFree)
        #expect(stepFree.status == .unknown)
        #expect(self.reasons(stepFree) == ["leads-nowhere 4", "escalator 6"])
        #expect(stepFree.alternative?.profile == .walk)
    }

    // MARK: - Answers

    @Test func `without a lift there is no step-free way, and the way by the stairs is named as such`() {
        var venue = self.building
        for number in [4, 104] { venue.remove(number) }
        let answer = self.route(venue, 2, 103, .stepFree)
        #expect(answer.status == .none)
        #expect(self.reasons(answer) == ["stairs 5"])
        #expect(answer.legs.isEmpty)
        #expect(answer.alternative?.legs.map(\.mode) == [.walk, .stairs, .walk])
    }

    @Test func `a lift on one floor only is missing data`() {
        var venue = self.building
        venue.remove(104)
        let answer = self.route(venue, 2, 103, .stepFree)
        #expect(answer.status == .unknown)
        #expect(self.reasons(answer).first == "leads-nowhere 4")
    }

    @Test func `a lift that nothing enters is missing data`() {
        var venue = self.building
        for number in [14, 114] { venue.remove(number) }
        let answer = self.route(venue, 2, 103, .stepFree)
        #expect(answer.status == .unknown)
        #expect(self.reasons(answer).prefix(2) == ["no-opening 4", "no-opening 104"])
        #expect(venue.map.faults().levels.map(\.unitsWithoutOpening) == [[GridVenue.id(4)], [GridVenue.id(104)]])
    }

    @Test func `relationships about doors have hours, and can be closed`() {
        var venue = GridVenue()
        venue.addLevel(0)
        for number in 1...2 { venue.addRoom(number, 5_000 * number, 0, 5_000 * number + 4_900, 5_000) }
        venue.addDoor(11, (9_950, 1_000), (9_950, 2_000))
        venue.addRelationship(50, "movingwalkway", [1, 11, 2], directed: true, hours: "Mo-Su 10:00-20:00")
        #expect(venue.map.timetables.map(\.feature) == [GridVenue.id(50)])
        let closed = self.route(venue, 1, 2, closed: [GridVenue.id(50): nil])
        #expect(closed.status == .infeasible && self.reasons(closed) == ["closed 50"])
        venue.addRelationship(51, "traversal", [1, 2])
        #expect(self.route(venue, 1, 2, closed: [GridVenue.id(50): nil]).status == .route)
    }

    @Test func `an occupant and an anchor are closed with their unit, and what is no part of a way cannot be`() {
        var venue = self.building
        venue.add(80, .anchor, ["unit_id": .string(GridVenue.id(1).description)])
        venue.add(81, .occupant, ["anchor_id": .string(GridVenue.id(80).description)])
        venue.add(82, .amenity, ["category": "restroom", "unit_ids": [.string(GridVenue.id(1).description)]])
        venue.addRoom(83, 30_000, 0, 31_000, 1_000, category: "structure")
        for number in [80, 81] {
            #expect(self.reasons(self.route(venue, 2, 3, closed: [GridVenue.id(number): nil])) == ["closed \(number)"])
        }
        let map = venue.map
        #expect([1, 12, 1_000, 80, 81].allSatisfy { map.canClose(GridVenue.id($0)) })
        #expect(![82, 83, 99].contains { map.canClose(GridVenue.id($0)) })
    }

    @Test func `a unit without an opening is missing data`() {
        var venue = self.building
        venue.remove(12)
        let answer = self.route(venue, 2, 3)
        #expect(answer.status == .unknown)
        #expect(self.reasons(answer) == ["no-opening 2"])
    }

    @Test func `what is closed makes a route infeasible, or leads around`() {
        let lift = GridVenue.id(104)
        let closed = self.route(self.building, 2, 103, .stepFree, closed: [lift: "2026-01-01T09:00:00Z"])
        #expect(closed.status == .infeasible)
        #expect(closed.reasons == [.init(code: "closed", feature: lift, until: "2026-01-01T09:00:00Z")])
        #expect(closed.alternative?.legs.map(\.mode) == [.walk, .stairs, .walk])
        let stairs = GridVenue.id(5)
        #expect(self.route(self.building, 2, 103, .stepFree, closed: [lift: nil, stairs: nil]).alternative == nil)
        let around = self.route(self.building, 2, 103, closed: [GridVenue.id(15): nil])
        #expect(around.legs.map(\.mode) == [.walk, .elevator, .walk])
        let level = self.route(self.building, 2, 103, closed: [GridVenue.id(1_001): nil])
        #expect(self.reasons(level) == ["closed \(1_001)"])
    }

    @Test func `a restricted unit is a destination but not a passage`() {
        var venue = GridVenue()
        venue.addLevel(0)
        for (number, category) in [(1, "room"), (2, "nonpublic"), (3, "room")] {
            venue.addRoom(number, 5_000 * number, 0, 5_000 * number + 5_000, 5_000, category: category)
        }
        venue.addDoor(11, (10_000, 1_000), (10_000, 2_000))
        venue.addDoor(12, (15_000, 1_000), (15_000, 2_000))
        #expect(self.route(venue, 1, 2).status == .route)
        let answer = self.route(venue, 1, 3)
        #expect(answer.status == .none)
        #expect(self.reasons(answer) == ["restricted 2"])
    }

    /// A room, a restricted one and another room in a row.
    private func row(restriction: String) -> GridVenue {
        var venue = GridVenue()
        venue.addLevel(0)
        for number in 1...3 {
            venue.addRoom(
                number, 5_000 * number, 0, 5_000 * number + 5_000, 5_000, restriction: number == 2 ? restriction : nil)
        }
        venue.addDoor(11, (10_000, 1_000), (10_000, 2_000))
        venue.addDoor(12, (15_000, 1_000), (15_000, 2_000))
        return venue
    }

    @Test func `openings and positions of a restricted unit do not lead through it`() {
        let venue = self.row(restriction: "employeesonly")
        #expect(self.route(venue, 1, 12).status == .none)
        #expect(self.reasons(self.route(venue, 11, 3)) == ["restricted 2"])
        #expect(self.route(venue, 2, 3).status == .route)
        let map = venue.map
        let inside = map.route(RouteQuery(from: GridVenue.place(12_000, 2_000), to: self.feature(3)))
        #expect(inside.status == .none)
        #expect(self.reasons(inside) == ["restricted 2"])
        let among = [2, 3].map { GridVenue.id($0) }
        #expect(map.nearest(from: self.feature(1), among: among, limit: 3).map(\.feature) == [GridVenue.id(2)])
        #expect(map.nearest(from: self.feature(2), among: among, limit: 3).map(\.feature) == among)
    }

    @Test(arguments: ["", " \n"])
    func `a blank restriction is none`(restriction: String) {
        #expect(self.route(self.row(restriction: restriction), 1, 3).status == .route)
    }

    @Test func `a narrow door is not step-free, and an emergency exit is no way`() {
        for (width, category, reason) in [
            (700, "pedestrian", "narrow-opening 3"), (900, "emergencyexit", "emergency-exit 3"),
        ] {
            var venue = GridVenue()
            venue.addLevel(0)
            venue.addRoom(1, 0, 0, 5_000, 5_000)
            venue.addRoom(2, 5_100, 0, 10_000, 5_000)
            venue.addDoor(3, (5_050, 1_000), (5_050, 1_000 + width), category: category)
            let answer = self.route(venue, 1, 2, .stepFree)
            #expect(answer.status == .none)
            #expect(self.reasons(answer) == [reason])
        }
    }

    @Test(arguments: [10_000, 9_350, 10_690])
    func `an opening is as wide as all its stretches together`(corner: Int) {
        for middle in [[], [(10_000, 10_000)]] {
            var venue = GridVenue()
            venue.addLevel(0)
            venue.addUnit(1, [[(0, 0), (20_000, 0), (20_000, 10_000), (corner, 10_000), (0, 10_000)]])
            venue.addRoom(2, 0, 10_000, 20_000, 20_000)
            let line = [(9_300, 10_000)] + middle + [(10_700, 10_000)]
            venue.add(
                3, .opening, ["category": "pedestrian", "level_id": .string(GridVenue.id(1_000).description)],
                ["type": "LineString", "coordinates": .array(line.map { GridVenue.position($0.0, $0.1) })])
            #expect(self.route(venue, 1, 2, .stepFree).status == .route)
            #expect(venue.map.mesh.portals.allSatisfy { ($0.width - 1_400).magnitude < 3 })
        }
    }

    @Test func `an opening into two rooms is as wide as its stretch of each`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 20_000, 10_000)
        venue.addRoom(2, 0, 10_000, 10_000, 20_000)
        venue.addRoom(3, 10_000, 10_000, 20_000, 20_000)
        venue.addDoor(4, (9_300, 10_000), (10_700, 10_000))
        #expect(self.route(venue, 1, 2, .stepFree).status == .none)
    }

    @Test(arguments: 0..<30)
    func `an opening of exactly 80 centimeters is step-free in every direction`(step: Int) {
        let (sine, cosine) = [(0, 1_000), (600, 800), (280, 960), (352, 936), (96, 995)][step % 5]
        func turned(_ x: Int, _ y: Int) -> (Int, Int) {
            let shift = 7 * step
            return ((x * cosine - y * sine) / 1_000 + shift, (x * sine + y * cosine) / 1_000)
        }
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addUnit(1, [[turned(0, 0), turned(20_000, 0), turned(20_000, 10_000), turned(0, 10_000)]])
        venue.addUnit(2, [[turned(0, 10_000), turned(20_000, 10_000), turned(20_000, 20_000), turned(0, 20_000)]])
        venue.addDoor(3, turned(9_000, 10_000), turned(9_801, 10_000))
        #expect(self.route(venue, 1, 2, .stepFree).status == .route)
    }

    @Test func `places that are not on the map are named`() {
        let map = self.building.map
        let far = map.route(RouteQuery(from: .position(longitude: 0, latitude: 0, ordinal: 0), to: self.feature(2)))
        #expect(far.status == .unknown)
        #expect(far.reasons == [.init(code: "outside-units", feature: nil, until: nil)])
        #expect(
            self.reasons(map.route(RouteQuery(from: self.feature(9), to: self.feature(2)))) == ["unknown-feature 9"])
        #expect(
            map.route(RouteQuery(from: GridVenue.place(1_000, 1_000, ordinal: 7), to: self.feature(2))).status
                == .unknown)
        // Half a meter from a wall, and on it.
        for x in [-500, 0] {
            #expect(map.route(RouteQuery(from: GridVenue.place(x, 1_000), to: self.feature(2))).status == .route)
        }
        #expect(WayfindingMap([]).route(RouteQuery(from: self.feature(1), to: self.feature(2))).status == .unknown)
    }

    @Test func `the nearest features come first, also on other floors`() {
        let map = self.building.map
        let near = map.nearest(
            from: GridVenue.place(14_000, 3_000), among: [2, 3, 102, 103, 77].map { GridVenue.id($0) }, limit: 3)
        #expect(near.map(\.feature) == [3, 2, 103].map { GridVenue.id($0) })
        #expect(near.map(\.seconds) == near.map(\.seconds).sorted())
    }

    @Test func `a map does not depend on the order of the features`() {
        let venue = self.building
        let query = RouteQuery(from: self.feature(2), to: self.feature(103))
        let reversed = WayfindingMap(venue.features.reversed()).route(query)
        #expect(reversed == venue.map.route(query))
    }
}
