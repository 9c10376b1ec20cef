import Foundation
import IMDF
import Testing
import VenueMap

/// The search of the server.
@Suite struct SearchIndexTests {
    private static let map = VenueMap(
        [
            .init(2, .level, ["ordinal": 0, "short_name": ["en": "G"]]),
            .init(3, .level, ["ordinal": 1, "short_name": ["en": "L1"]]),
            .init(
                10, .unit, on: 2, ["category": "restroom"],
                geometry: Make.polygon(Make.square(139.7008, 35.6008, 0.0001))),
            .init(
                11, .unit, on: 3, ["category": "restroom.female"],
                geometry: Make.polygon(Make.square(139.7004, 35.6004, 0.0001))),
            .init(12, .amenity, on: 2, ["category": "restroom"], geometry: Make.point(139.70085, 35.60085)),
            .init(
                20, .occupant, on: 2, ["name": ["en": "Café Tram"], "hours": "Mo-Su 09:00-18:00"],
                geometry: Make.point(139.7001, 35.6001)),
            .init(
                21, .occupant, on: 3, ["name": ["en": "Tram Books"], "hours": "Mo-Su 20:00-26:00"],
                geometry: Make.point(139.7002, 35.6002)),
            .init(
                22, .occupant, on: 3,
                [
                    "name": ["en": "Tramway"], "hours": "24/7",
                    "validity": ["start": "2031-01-01T00:00:30Z", "end": "2032-01-01T00:00:00Z"],
                ], geometry: Make.point(139.7003, 35.6003)),
        ], language: "en")

    private let index = SearchIndex(Self.map)

    private func found(_ change: (inout SearchIndex.Conditions) -> Void) -> [Int] {
        var conditions = SearchIndex.Conditions()
        change(&conditions)
        return self.index.search(conditions).map { Int($0.place.id.low) }
    }

    private static let here = Position(longitude: 139.7001, latitude: 35.6001)

    private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test func `conditions are about levels, types and categories with their subcategories`() {
        #expect(self.found { $0.text = "tram" } == [21, 22, 20])
        #expect(self.found { ($0.text, $0.limit) = ("tram", 1) } == [21])
        #expect(self.found { ($0.text, $0.limit) = ("tram", 0) } == [])
        #expect(self.found { ($0.text, $0.levels) = ("tram", [FeatureID(2)]) } == [20])
        #expect(self.found { ($0.text, $0.levels) = ("tram", []) } == [])
        #expect(self.found { ($0.text, $0.types) = ("tram", [.unit]) } == [])
        #expect(self.found { $0.category = "restroom" } == [10, 11, 12])
        #expect(self.found { $0.category = "rest" } == [])
        #expect(self.found { ($0.text, $0.category) = ("toilet", "restroom.female") } == [11])
    }

    @Test func `nearest facilities are those of the map, each once`() {
        for level in [2, 3] {
            let nearest = Self.map.nearest(10, category: "restroom", from: Self.here, on: FeatureID(level))
            let found = self.found {
                $0.category = "restroom"
                $0.origin = .init(position: Self.here, levels: [FeatureID(level)])
            }
            #expect(found == nearest.map { Int($0.id.low) } && Set(found) == [11, 12])
        }
        let byDistance = self.found {
            $0.category = "restroom"
            $0.origin = .init(position: Self.here, levels: nil)
        }
        #expect(byDistance == [11, 12])
    }

    @Test func `equal matches are ordered by floors, then by distance`() {
        let origin = SearchIndex.Origin(
            position: Position(longitude: 139.7004, latitude: 35.6004), levels: [FeatureID(3)])
        #expect(self.found { ($0.text, $0.origin) = ("tram", origin) } == [22, 21, 20])
        var conditions = SearchIndex.Conditions()
        (conditions.text, conditions.origin) = ("tram", origin)
        let results = self.index.search(conditions)
        #expect(results.map(\.floors) == [0, 0, -1])
        #expect(results.allSatisfy { ($0.distance ?? 0) > 10 && ($0.distance ?? 0) < 60 })
    }

    @Test func `what is open is known with a time zone only, and for what is present`() throws {
        let noon = try Self.date("2031-03-10T03:00:00Z")
        #expect(self.found { ($0.text, $0.openAt) = ("tram", noon) } == [])
        let tokyo = TimeZone(identifier: "Asia/Tokyo")
        #expect(self.found { ($0.text, $0.openAt, $0.timeZone) = ("tram", noon, tokyo) } == [22, 20])
        let night = try Self.date("2031-03-09T16:30:00Z")
        #expect(self.found { ($0.openAt, $0.timeZone) = (night, tokyo) } == [21, 22])
        let later = try Self.date("2032-03-10T03:00:00Z")
        #expect(self.found { ($0.text, $0.openAt, $0.timeZone) = ("tram", later, tokyo) } == [20])
    }

    @Test func `steady time ends with the minute, or when a place appears or disappears`() throws {
        let time = self.index.steadyTime(around: try Self.date("2031-03-10T03:00:45Z"))
        #expect(time == (try Self.date("2031-03-10T03:00:00Z"))..<(try Self.date("2031-03-10T03:01:00Z")))
        let before = self.index.steadyTime(around: try Self.date("2031-01-01T00:00:10Z"))
        #expect(before == (try Self.date("2031-01-01T00:00:00Z"))..<(try Self.date("2031-01-01T00:00:30Z")))
        let after = self.index.steadyTime(around: try Self.date("2031-01-01T00:00:30Z"))
        #expect(after == (try Self.date("2031-01-01T00:00:30Z"))..<(try Self.date("2031-01-01T00:01:00Z")))
    }

    @Test func `hostile texts find nothing or little`() {
        for text in [
            String(repeating: "\u{301}", count: 128), "・!", String(repeating: "a ", count: 128),
            String(repeating: "coffee ", count: 36), String(repeating: "\u{FDFA}", count: 85), "\u{202E}\u{200D}", "🏬",
        ] {
            #expect(self.found { $0.text = text } == [], "\(text.debugDescription)")
        }
        #expect(self.index.cost > 1_000)
    }

    /// A venue with levels that all name one building, and a unit on the first one.
    private static func entries(levels: Int, buildings: [JSONValue], names: Int = 1) -> [VenueMap.Entry] {
        let labels = JSONObject(
            (0..<names).map { JSONObject.Member(key: "x-\($0)", value: .string("Building \($0)")) })
        let entries = [
            VenueMap.Entry(1, .building, ["name": .object(labels), "category": "unspecified"]),
            VenueMap.Entry(2, .unit, on: 10, ["name": ["en": "Gate"], "category": "room"]),
        ]
        let floors = (0..<levels).map { number in
            VenueMap.Entry(
                10 + number, .level, ["ordinal": .number(Double(number)), "building_ids": .array(buildings)])
        }
        return entries + floors
    }

    @Test func `names of a building are kept once, however many levels name it, and how often`() {
        func cost(levels: Int, times: Int) -> Int {
            let buildings = Array(repeating: Make.id(1), count: times)
            return SearchIndex(VenueMap(Self.entries(levels: levels, buildings: buildings, names: 1_000))).cost
        }
        let one = cost(levels: 1, times: 1)
        #expect(one > 100_000)
        #expect(cost(levels: 64, times: 16) < 2 * one)
    }

    @Test func `names of a building are compared once per word, however often a level names it`() {
        func calls(times: Int) -> Int {
            let buildings = Array(repeating: Make.id(1), count: times)
            let index = SearchIndex(VenueMap(Self.entries(levels: 1, buildings: buildings)))
            var conditions = SearchIndex.Conditions()
            conditions.text = "gate nowhere"
            var calls = 0
            let found = index.search(conditions) {
                calls += 1
                return false
            }
            #expect(found.isEmpty)
            conditions.text = "gate building"
            #expect(index.search(conditions).map { Int($0.place.id.low) } == [2])
            return calls
        }
        #expect(calls(times: 16) == calls(times: 1))
    }

    @Test func `making an index asks before the names of each level whether to stop`() {
        func calls(levels: Int) -> Int {
            var calls = 0
            _ = SearchIndex(VenueMap(Self.entries(levels: levels, buildings: [Make.id(1)]))) {
                calls += 1
                return false
            }
            return calls
        }
        // Once for each as a feature, and once for what is around it.
        #expect(calls(levels: 60) - calls(levels: 10) == 100)
    }

    @Test func `preparing texts asks often whether to stop, also among the names of one feature`() {
        let names = JSONObject(
            (0..<2_000).map { JSONObject.Member(key: "x-\($0)", value: .string("Kiosk \($0)")) })
        let entries = [VenueMap.Entry(1, .occupant, ["name": .object(names)])]
        func prepared(calls limit: Int) -> (map: VenueMap, calls: Int) {
            var calls = 0
            let map = VenueMap(
                entries,
                shouldStop: {
                    calls += 1
                    return calls > limit
                }
            ) { (try? $0.json)?.object }
            return (map, calls)
        }
        let whole = prepared(calls: .max)
        #expect(whole.calls > 20 && whole.map.search("kiosk 1999").count == 1)
        // The first names by tag are there, and the rest was not folded.
        let part = prepared(calls: 2)
        #expect(part.calls <= 5)
        #expect(part.map.search("kiosk 0").count == 1 && part.map.search("kiosk 1999").isEmpty)
    }

    @Test func `a search asks before it evaluates the hours of each place whether to stop`() throws {
        let entries = (0..<30).map { number in
            VenueMap.Entry(
                100 + number, .occupant,
                ["name": ["en": "Shop"], "hours": .string("Mo 10:00-11:\(10 + number)")])
        }
        let index = SearchIndex(VenueMap(entries))
        var conditions = SearchIndex.Conditions()
        (conditions.text, conditions.limit) = ("shop", 100)
        func calls() -> Int {
            var calls = 0
            _ = index.search(conditions) {
                calls += 1
                return false
            }
            return calls
        }
        let all = calls()
        // A Tuesday, on which all are closed.
        conditions.openAt = try Self.date("2031-06-17T03:00:00Z")
        conditions.timeZone = TimeZone(identifier: "Asia/Tokyo")
        #expect(calls() >= all + 30)
    }

    /// The time limit makes it fail: to fold or to hash all marks of one of these names takes half a minute.
    @Test(.timeLimit(.minutes(10)))
    func `names of many marks are searched in a bounded time`() {
        // More in a row are not accepted by anything that reads JSON.
        let name = "Kiosk" + String(repeating: "a" + String(repeating: "\u{301}\u{323}", count: 15), count: 4_000)
        let map = VenueMap(
            (0..<40).map { number in
                VenueMap.Entry(100 + number, .occupant, on: 1, ["name": ["en": .string(name)]])
            } + [VenueMap.Entry(1, .level, ["ordinal": 0])], language: "en")
        var conditions = SearchIndex.Conditions()
        conditions.text = "kiosk"
        #expect(SearchIndex(map).search(conditions).count == min(40, conditions.limit))
    }
}
