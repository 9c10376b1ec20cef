import IMDF
import Testing

@testable import Wayfinding

@Suite struct ReachabilityTests {
    /// A corridor with an exit, three rooms and an occupant in each; rooms are 2, 3, …, their doors 12, 13, ….
    private func corridor() -> GridVenue {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 30_000, 4_000, category: "walkway")
        for room in 2...4 {
            let left = 6_000 * (room - 2)
            venue.addRoom(room, left, 4_100, left + 5_900, 9_000)
            venue.addDoor(10 + room, (left + 1_000, 4_050), (left + 2_000, 4_050))
            venue.add(20 + room, .anchor, ["unit_id": .string(GridVenue.id(room).description)])
            venue.add(
                30 + room, .occupant,
                ["anchor_id": .string(GridVenue.id(20 + room).description), "name": ["en": .string("Shop \(room)")]])
        }
        venue.addDoor(90, (0, 1_000), (0, 2_500), category: "pedestrian.principal")
        return venue
    }

    private func reasons(_ report: ReachabilityReport, _ number: Int) -> [String]? {
        report.cutOff.first { $0.feature == GridVenue.id(number) }?.reasons.map { reason in
            "\(reason.code) \((reason.feature?.low ?? 0) & 0xFFFF)"
        }
    }

    @Test func `everything is reached where all doors are`() {
        let report = self.corridor().map.reachabilityReport()
        #expect(report.isKnown && report.exits.map(\.feature) == [GridVenue.id(90)])
        for profile in Profile.allCases {
            #expect(report.shares.units[profile] == .init(total: 4, reached: 4))
            #expect(report.shares.occupants[profile] == .init(total: 3, reached: 3))
        }
        #expect(report.cutOff.isEmpty && report.mends.isEmpty && !report.hasMore)
        #expect(report.levels.first?.shares == report.shares)
    }

    private final class Counter {
        var count = 0
    }

    @Test func `the report asks for every unit whether to stop, and lists nothing then`() {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 1_000_000, 4_000, category: "walkway")
        venue.addDoor(900, (0, 1_000), (0, 2_500), category: "pedestrian.principal")
        for room in 2...200 { venue.addRoom(room, 4_000 * room, 4_100, 4_000 * room + 3_900, 9_000) }
        let (map, asked) = (venue.map, Counter())
        let report = map.reachabilityReport {
            asked.count += 1
            return false
        }
        #expect(report.cutOff.count == 199)
        // When it is looked for, and when it is listed.
        #expect(asked.count >= 200 + 199)
        #expect(map.reachabilityReport { true }.cutOff.isEmpty)
    }

    @Test func `a unit without an opening is to be mended`() {
        var venue = self.corridor()
        venue.remove(13)
        let report = venue.map.reachabilityReport()
        #expect(report.shares.units[.walk] == .init(total: 4, reached: 3))
        #expect(report.shares.occupants[.stepFree] == .init(total: 3, reached: 2))
        #expect(self.reasons(report, 3) == ["no-opening 3"])
        #expect(report.cutOff.map(\.status) == [.unknown] && report.cutOff.map(\.profile) == [.walk])
        #expect(report.cutOff.first?.occupants == [GridVenue.id(33)])
        #expect(report.cutOff.first?.name == ["en": "Unit 3", "ja": "3号室"])
        #expect(report.mends.map(\.feature) == [GridVenue.id(3)])
        #expect(report.mends.map(\.units) == [1] && report.mends.map(\.occupants) == [1])
    }

    @Test func `an opening near a unit that joins nothing is named`() {
        var venue = self.corridor()
        venue.remove(13)
        // Half a meter inside of the room, where no wall is.
        venue.addDoor(13, (7_000, 4_600), (8_000, 4_600))
        #expect(self.reasons(venue.map.reachabilityReport(), 3) == ["no-opening 3", "joins-nothing 13"])
        // On the outer wall of the room: it has one side only, and is no exit.
        venue.remove(13)
        venue.addDoor(13, (7_000, 9_000), (8_000, 9_000))
        #expect(self.reasons(venue.map.reachabilityReport(), 3) == ["no-opening 3", "joins-nothing 13"])
    }

    @Test func `a narrow door and a restricted room are shown as such`() {
        var venue = self.corridor()
        venue.remove(13)
        venue.addDoor(13, (7_000, 4_050), (7_700, 4_050))
        var report = venue.map.reachabilityReport()
        #expect(self.reasons(report, 3) == ["narrow-opening 13"])
        #expect(report.cutOff.map(\.status) == [.none] && report.cutOff.map(\.profile) == [.stepFree])
        #expect(report.shares.units[.stepFree] == .init(total: 4, reached: 3))
        // A room behind a restricted one; the restricted one is not public, but its occupant is reached.
        venue = self.corridor()
        for number in [3, 14] { venue.remove(number) }
        venue.addRoom(3, 6_000, 4_100, 11_900, 9_000, restriction: "employeesonly")
        venue.addDoor(40, (11_950, 5_000), (11_950, 6_000))
        report = venue.map.reachabilityReport()
        #expect(self.reasons(report, 4) == ["restricted 3"] && report.cutOff.count == 1)
        #expect(report.shares.units[.walk] == .init(total: 3, reached: 2))
        #expect(report.shares.occupants[.walk] == .init(total: 3, reached: 2))
    }

    @Test func `a venue without an exit is unknown, with what is not joined to its largest part`() {
        var venue = self.corridor()
        venue.remove(90)
        venue.remove(13)
        let report = venue.map.reachabilityReport()
        #expect(!report.isKnown && self.reasons(report, 3) == ["no-opening 3"] && report.cutOff.count == 1)
        #expect(report.json["status"] == "unknown" && report.json["reasons"] == [["code": "no-exit-stated"]])
        #expect(report.json["units"]?["walk"] == ["reached": nil, "total": 4])
        #expect(GridVenue().map.reachabilityReport().json["units"]?["walk"]?["total"] == 0)
    }

    @Test func `an occupant without a unit is cut off`() {
        var venue = self.corridor()
        venue.remove(24)
        let report = venue.map.reachabilityReport()
        #expect(self.reasons(report, 34) == ["outside-units 34"])
        #expect(report.shares.occupants[.walk] == .init(total: 3, reached: 2))
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `reports on mutilated venues are those of a graph`(seed: UInt64) {
        let mutilated = MutilatedVenue(seed: seed)
        let map = mutilated.venue.map
        let report = map.reachabilityReport()
        #expect(report.isKnown == mutilated.hasExit)
        for profile in Profile.allCases {
            #expect(report.shares.units[profile]?.total == mutilated.total(profile))
            guard mutilated.hasExit else { continue }
            #expect(report.shares.units[profile]?.reached == mutilated.reachedCount(profile))
            let expected = mutilated.cutOff(profile)
            let found = report.cutOff.filter { $0.profile == profile }
            #expect(found.allSatisfy { !$0.reasons.isEmpty })
            #expect(
                Dictionary(uniqueKeysWithValues: found.map { ($0.feature, $0.status) })
                    == Dictionary(uniqueKeysWithValues: expected.map { (GridVenue.id($0), $1) }))
            // Whatever is cut off has no route, and whatever is not has one.
            for unit in mutilated.floors.keys {
                let id = GridVenue.id(unit)
                let answer = map.route(
                    RouteQuery(
                        from: .feature(GridVenue.id(MutilatedVenue.exit)), to: .feature(id), profile: profile))
                if let status = expected[unit] {
                    #expect(
                        answer.status == status,
                        "unit \(unit): \(answer.reasons.map(\.code)) \(answer.reasons.map(\.feature))")
                }
            }
        }
    }

    // MARK: - Egress

    @Test func `units have their two nearest exits with the distances`() throws {
        var venue = self.corridor()
        venue.addDoor(91, (30_000, 1_000), (30_000, 2_500), category: "emergencyexit")
        venue.remove(13)
        let report = venue.map.egressReport()
        let corridor = try #require(report.units.first { $0.unit == GridVenue.id(1) })
        #expect(corridor.status == .exit && corridor.hasSecond == true)
        #expect(Set(corridor.exits.map(\.exit)) == [GridVenue.id(90), GridVenue.id(91)])
        #expect(corridor.exits.map(\.decimeters) == [150, 150])
        let room = try #require(report.units.first { $0.unit == GridVenue.id(2) })
        #expect(room.exits.map(\.exit) == [GridVenue.id(90), GridVenue.id(91)])
        let cutOff = try #require(report.units.first { $0.unit == GridVenue.id(3) })
        #expect(cutOff.status == .cutOff && cutOff.exits.isEmpty && cutOff.hasSecond == false)
        for number in [90, 91] { venue.remove(number) }
        #expect(venue.map.egressReport().units.allSatisfy { $0.status == .noExitStated && $0.hasSecond == nil })
    }

    @Test func `units without a usable outline are listed, and nothing is known of them`() throws {
        var venue = self.corridor()
        let level = JSONValue.string(GridVenue.id(1_000).description)
        let shape: JSONValue = ["type": "Polygon", "coordinates": []]
        venue.add(5, .unit, ["category": "room", "level_id": level], shape)
        venue.add(6, .unit, ["category": "column", "level_id": level], shape)
        let units = venue.map.egressReport().units
        #expect(units.map(\.unit) == (1...5).map { GridVenue.id($0) })
        let unusable = try #require(units.last)
        #expect(unusable.status == .unusable && unusable.exits.isEmpty && unusable.hasSecond == nil)
        #expect(unusable.json["status"] == "unusable" && unusable.json["second"] == .null)
        venue.remove(90)
        #expect(venue.map.egressReport().units.map(\.status) == Array(repeating: .noExitStated, count: 5))
    }

    @Test func `ways to exits lead over stairs and down escalators, and never by lift`() throws {
        for (category, isDirectedUp, status) in [
            ("elevator", false, EgressReport.Status.cutOff), ("stairs", false, .exit), ("escalator", true, .cutOff),
            ("escalator", false, .exit),
        ] {
            var venue = GridVenue()
            for ordinal in 0...1 {
                let base = 100 * ordinal
                venue.addLevel(ordinal)
                venue.addRoom(base + 1, 0, 0, 20_000, 10_000, category: "walkway", ordinal: ordinal)
                venue.addRoom(base + 4, 8_000, 10_100, 11_000, 13_000, category: category, ordinal: ordinal)
                venue.addDoor(base + 14, (9_000, 10_050), (10_000, 10_050), ordinal: ordinal)
            }
            venue.addDoor(90, (0, 1_000), (0, 2_500), category: "pedestrian.principal")
            if category == "escalator" {
                venue.addRelationship(50, category, isDirectedUp ? [4, 104] : [104, 4], directed: true)
            }
            let unit = try #require(venue.map.egressReport().units.first { $0.unit == GridVenue.id(101) })
            #expect(unit.status == status, "\(category)")
        }
    }
}
