import IMDF
import Testing

@testable import Wayfinding

/// Maps that need more work than is done: routes and reports say so, instead of what was not compared.
@Suite struct WorkLimitTests {
    /// Two floors that a lift joins. On the lower one are a hall of two parts with a column and an exit, on the upper one two rooms.
    private func venue() -> GridVenue {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addLevel(1)
        let parts = [0, 10_000].map { left -> JSONValue in
            let right = left + 10_000
            let ring = [(left, 0), (right, 0), (right, 10_000), (left, 10_000), (left, 0)]
            return .array([.array(ring.map { GridVenue.position($0.0, $0.1) })])
        }
        venue.add(
            1, .unit, ["category": "walkway", "level_id": .string(GridVenue.id(1_000).description)],
            ["type": "MultiPolygon", "coordinates": .array(parts)])
        venue.addRoom(2, 4_000, 4_000, 5_000, 5_000, category: "column")
        venue.addRoom(3, 0, 10_100, 3_000, 13_000, category: "elevator")
        venue.addDoor(11, (0, 1_000), (0, 3_000), category: "pedestrian.principal")
        venue.addDoor(12, (1_000, 10_050), (2_000, 10_050))
        venue.addRoom(4, 0, 10_100, 3_000, 13_000, category: "elevator", ordinal: 1)
        venue.addRoom(5, 3_100, 10_100, 6_000, 13_000, ordinal: 1)
        venue.addRoom(6, 6_100, 10_100, 9_000, 13_000, ordinal: 1)
        venue.addDoor(13, (3_050, 11_000), (3_050, 12_000), ordinal: 1)
        venue.addDoor(14, (6_050, 11_000), (6_050, 12_000), category: "emergencyexit", ordinal: 1)
        return venue
    }

    private func map(_ limits: WorkLimits, reusing former: WayfindingMap? = nil) -> WayfindingMap {
        WayfindingMap(self.venue().features, reusing: former, limits: limits)
    }

    /// The status and the codes of the reasons.
    private func answer(_ map: WayfindingMap, from: Place, to: Int) -> [String] {
        let answer = map.route(RouteQuery(from: from, to: .feature(GridVenue.id(to))))
        return [answer.status.rawValue] + answer.reasons.map(\.code)
    }

    private func answer(_ map: WayfindingMap, _ from: Int, _ to: Int) -> [String] {
        self.answer(map, from: .feature(GridVenue.id(from)), to: to)
    }

    @Test func `nothing is given up within the limits`() {
        let map = self.map(WorkLimits())
        #expect(!map.isTooComplex && map.mesh.tooComplexOrdinals.isEmpty)
        #expect(self.answer(map, 1, 5) == ["route"])
        #expect(self.answer(map, 5, 6) == ["none", "emergency-exit"])
    }

    @Test(arguments: [
        WorkLimits(wallPairs: 1), WorkLimits(blockerPositions: 1), WorkLimits(blockerComparisons: 1),
    ])
    func `a floor that needs more work has no routes, and an answer names the reason`(limits: WorkLimits) {
        let map = self.map(limits)
        #expect(map.isTooComplex && map.mesh.tooComplexOrdinals == [0])
        for (index, space) in map.plan.spaces.enumerated() {
            #expect(map.mesh.trianglesOfSpace[index].isEmpty == (space.ordinal == 0))
        }
        #expect(self.answer(map, 1, 5) == ["unknown", "too-far"])
        #expect(self.answer(map, from: GridVenue.place(1_000, 1_000), to: 5) == ["unknown", "too-far"])
        // The other floor has its routes, and what it lacks may exist by way of the first one.
        #expect(self.answer(map, 4, 5) == ["route"])
        #expect(self.answer(map, 5, 6) == ["unknown", "emergency-exit", "too-far"])
    }

    @Test func `a floor whose openings need more comparisons has no routes`() {
        let map = self.map(WorkLimits(openingComparisons: 1))
        #expect(map.mesh.tooComplexOrdinals == [0, 1])
        #expect(map.triangleCount == 0 && map.mesh.portals.isEmpty)
        #expect(self.answer(map, 5, 6) == ["unknown", "too-far"])
    }

    @Test func `units above each other that were not all compared are not joined, and an answer names the reason`() {
        let map = self.map(WorkLimits(trianglePairs: 1))
        #expect(map.isTooComplex && map.mesh.tooComplexOrdinals.isEmpty && map.shafts.shafts.isEmpty)
        #expect(self.answer(map, 1, 3) == ["route"])
        #expect(self.answer(map, 1, 5) == ["unknown", "leads-nowhere", "leads-nowhere", "too-far"])
    }

    @Test func `a floor that is taken over stays given up`() {
        let limits = WorkLimits(blockerPositions: 1)
        let map = self.map(limits, reusing: self.map(limits))
        #expect(map.computedOrdinals == [] && map.mesh.tooComplexOrdinals == [0])
        #expect(self.answer(map, 1, 5) == ["unknown", "too-far"])
    }

    @Test(arguments: [WorkLimits(blockerPositions: 1), WorkLimits(trianglePairs: 1)])
    func `of a map that is too complex nothing is known to be reached`(limits: WorkLimits) {
        let known = self.map(WorkLimits()).reachabilityReport()
        #expect(known.isKnown && !known.hasMore && !known.mends.isEmpty)
        let map = self.map(limits)
        let report = map.reachabilityReport()
        #expect(!report.isKnown && report.hasMore && report.mends.isEmpty)
        #expect(report.json["reasons"] == [["code": "too-far"]])
        #expect(report.json["units"]?["walk"] == ["reached": nil, "total": 5])
        #expect(!report.cutOff.isEmpty && report.cutOff.allSatisfy { $0.status == .unknown })
        let units = map.egressReport().units
        // Also those of a floor that is too complex.
        #expect(units.map(\.unit) == [1, 3, 4, 5, 6].map { GridVenue.id($0) })
        #expect(units.allSatisfy { $0.status == .exit || $0.status == .tooFar })
        #expect(units.allSatisfy { $0.hasSecond == nil })
    }

    @Test func `a unit of a floor that is too complex is cut off because of that`() {
        let report = self.map(WorkLimits(blockerPositions: 1)).reachabilityReport()
        let hall = report.cutOff.first { $0.feature == GridVenue.id(1) }
        #expect(hall?.reasons.map(\.code) == ["too-far"])
    }

    @Test(arguments: [999, 1_000])
    func `a report says that more may be cut off if an opening is near to more units than are looked at`(count: Int) {
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(5_000, 100_000, 0, 110_000, 10_000, category: "walkway")
        for index in 0..<count {
            let (left, bottom) = (30 * (index % 32), 30 * (index / 32))
            venue.addRoom(6_000 + index, left, bottom, left + 25, bottom + 25, category: "nonpublic")
        }
        venue.addDoor(8_000, (100_000, 1_000), (100_000, 3_000), category: "pedestrian.principal")
        venue.addDoor(8_001, (400, 1_300), (500, 1_300))
        let report = venue.map.reachabilityReport()
        #expect(report.isKnown && report.cutOff.isEmpty)
        #expect(report.hasMore == (count == 1_000))
    }

    @Test func `what is closed is an answer without the way for those who can use steps, if that needs more work`() {
        // A closed door joins two rooms, and a detour over steps and through a row of rooms.
        let count = 12
        var venue = GridVenue()
        venue.addLevel(0)
        venue.addRoom(1, 0, 0, 3_000, 3_000)
        venue.addRoom(2, 3_000, 0, 3_000 * count, 3_000)
        venue.addDoor(11, (3_000, 1_000), (3_000, 2_000))
        for index in 0..<count {
            let left = 3_000 * index
            venue.addRoom(20 + index, left, 3_000, left + 3_000, 6_000, category: index == 1 ? "stairs" : "room")
            if index > 0 { venue.addDoor(50 + index, (left, 4_000), (left, 5_000)) }
        }
        venue.addDoor(12, (1_000, 3_000), (2_000, 3_000))
        venue.addDoor(13, (3_000 * count - 2_000, 3_000), (3_000 * count - 1_000, 3_000))
        let query = RouteQuery(
            from: .feature(GridVenue.id(1)), to: .feature(GridVenue.id(2)), profile: .stepFree,
            closed: [GridVenue.id(11): nil])
        var answers: [[String]] = []
        for nodes in 1...400 {
            let answer = WayfindingMap(venue.features, limits: WorkLimits(searchNodes: nodes)).route(query)
            let words =
                [answer.status.rawValue] + answer.reasons.map(\.code) + (answer.alternative == nil ? [] : ["walk"])
            if answers.last != words { answers.append(words) }
        }
        #expect(answers == [["unknown", "too-far"], ["infeasible", "closed"], ["infeasible", "closed", "walk"]])
    }
}
