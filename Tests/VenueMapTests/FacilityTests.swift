import Foundation
import IMDF
import OpeningHours
import Testing
import VenueMap

/// What people look for most: what is open, and the nearest restroom or lift.
@Suite struct FacilityTests {
    private static let noon = Date(timeIntervalSince1970: 1_939_172_400)

    private static func shops(_ count: Int, timeZone: String?) -> VenueMap {
        VenueMap(
            (0..<count).map { number in
                VenueMap.Entry(
                    100 + number, .occupant, on: 1,
                    [
                        "name": ["en": .string("Shop \(1_000 + number)")], "category": "shop",
                        "hours": .string(number % 2 == 0 ? "24/7" : "off"),
                    ])
            } + [VenueMap.Entry(1, .level, ["ordinal": 0]), VenueMap.Entry(2, .anchor, on: 1)], timeZone: timeZone)
    }

    @Test func `search for what is open applies the limit after the condition`() {
        let map = Self.shops(202, timeZone: "Asia/Tokyo")
        #expect(map.searchOpen("shop", at: Self.noon, limit: 200).count == 101)
        #expect(map.searchOpen("shop", at: Self.noon).count == 50)
        #expect(map.searchOpen("shop", at: Self.noon).allSatisfy { $0.id.low % 2 == 0 })
        #expect(map.search("shop", limit: 60) { $0.id.low % 2 == 1 }.count == 60)
        #expect(map.search("shop 1101", limit: 1) { $0.id.low % 2 == 0 }.isEmpty)
    }

    @Test func `search without a text finds every feature with a name or category`() {
        let map = Self.shops(5, timeZone: "Asia/Tokyo")
        #expect(map.search("").map(\.text) == ["Shop 1000", "Shop 1001", "Shop 1002", "Shop 1003", "Shop 1004"])
        #expect(map.search(" \n", on: FeatureID(1)).map(\.match) == Array(repeating: .prefix, count: 5))
        #expect(map.searchOpen(at: Self.noon).map(\.id.low) == [100, 102, 104])
        #expect(map.search("", limit: 2).count == 2)
        #expect(map.search("!").isEmpty)
    }

    @Test(arguments: [nil, "", "Asia/Nowhere", "Local"])
    func `opening state is unknown without a known time zone, whatever the zone of the device`(name: String?) {
        var map = Self.shops(3, timeZone: name)
        #expect(map.timeZone == nil)
        #expect(map.openness(of: FeatureID(100), at: Self.noon).state == .unknown)
        #expect(map.openness(of: FeatureID(101), at: Self.noon).nextChange == nil)
        #expect(map.searchOpen(at: Self.noon).isEmpty)
        map.timeZone = TimeZone(identifier: "Asia/Tokyo")
        #expect(map.openness(of: FeatureID(100), at: Self.noon).state == .open)
        #expect(map.searchOpen(at: Self.noon).count == 2)
    }

    private static func unit(_ id: Int, _ category: String, x: Double, on level: Int = 1) -> VenueMap.Entry {
        .init(id, .unit, on: level, ["category": .string(category)], geometry: Make.polygon(Make.square(x, 0, 1)))
    }

    private func nearest(_ category: String, _ entries: [VenueMap.Entry], _ types: Set<FeatureType>? = nil) -> [UInt64]
    {
        let map = VenueMap(entries + [.init(1, .level, ["ordinal": 0]), .init(2, .level, ["ordinal": 1])])
        let here = Position(longitude: 0, latitude: 0)
        guard let types else { return map.nearest(9, category: category, from: here, on: FeatureID(1)).map(\.id.low) }
        return map.nearest(9, category: category, from: here, on: FeatureID(1), types: types).map(\.id.low)
    }

    @Test(arguments: ["restroom", "elevator", "stairs", "escalator"])
    func `nearest counts units, amenities and occupants of a category`(category: String) {
        let entries: [VenueMap.Entry] = [
            Self.unit(10, category, x: 4), Self.unit(11, "\(category).wheelchair", x: 2), Self.unit(12, "room", x: 0),
            .init(20, .amenity, on: 1, ["category": .string(category)], geometry: Make.point(1, 5)),
            .init(30, .occupant, on: 1, ["category": .string(category), "display_point": Make.point(0, 1)]),
        ]
        #expect(self.nearest(category, entries) == [30, 11, 10, 20])
        #expect(self.nearest(category, entries, [.amenity]) == [20])
    }

    @Test func `nearest does not count a unit with an amenity or occupant of the category twice`() {
        let category: JSONValue = "restroom"
        let entries: [VenueMap.Entry] = [
            Self.unit(10, "restroom", x: 0), Self.unit(11, "restroom", x: 2), Self.unit(12, "restroom", x: 4),
            Self.unit(13, "restroom", x: 6), Self.unit(14, "restroom", x: 8), Self.unit(15, "restroom", x: 0, on: 2),
            // Refers to its unit, stands inside it, is an occupant of it.
            .init(
                20, .amenity, on: 1, ["category": category, "unit_ids": [Make.id(10)]], geometry: Make.point(1.5, 0)),
            .init(21, .amenity, on: 1, ["category": "restroom.male"], geometry: Make.point(2.5, 0.5)),
            .init(30, .anchor, on: 1, ["unit_id": Make.id(12)], geometry: Make.point(5.5, 0)),
            .init(31, .occupant, on: 1, ["category": category, "anchor_id": Make.id(30)]),
            // Of another category, or on another level.
            .init(
                22, .amenity, on: 1, ["category": "elevator", "unit_ids": [Make.id(13)]], geometry: Make.point(6.5, 0.5)
            ),
            .init(
                23, .amenity, on: 2, ["category": category, "unit_ids": [Make.id(14)]], geometry: Make.point(8.5, 0.5)),
        ]
        #expect(self.nearest("restroom", entries) == [20, 21, 31, 13, 14, 15, 23])
        #expect(self.nearest("restroom", entries, [.unit]) == [10, 11, 12, 13, 14, 15])
    }
}
