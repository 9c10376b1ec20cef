import Foundation
import IMDF
import OpeningHours
import SampleVenue
import Testing
import VenueMap

@Suite struct QueryTests {
    /// Two levels of a building and one without an ordinal; a shop with a kiosk and a hole, and amenities.
    private static let map = VenueMap(
        [
            .init(
                1, .level, ["ordinal": 0, "short_name": ["en": "G", "ja": "1階"]],
                geometry: Make.polygon(Make.square(0, 0, 20))),
            .init(2, .level, ["ordinal": 1, "name": ["en": "Upper"]], geometry: Make.polygon(Make.square(0, 0, 20))),
            .init(3, .level, geometry: Make.polygon(Make.square(0, 0, 20))),
            .init(4, .venue, geometry: Make.polygon(Make.square(-10, -10, 50))),
            .init(10, .unit, on: 1, geometry: Make.polygon(Make.square(0, 0, 10), Make.square(4, 4, 2))),
            .init(11, .unit, on: 1, geometry: Make.polygon(Make.square(1, 1, 1))),
            .init(12, .kiosk, on: 1, geometry: Make.polygon(Make.square(0, 0, 3))),
            .init(13, .unit, on: 2, geometry: Make.polygon(Make.square(0, 0, 10))),
            .init(20, .anchor, on: 1, ["unit_id": Make.id(11)], geometry: Make.point(1.5, 1.5)),
            .init(
                21, .occupant, on: 1,
                [
                    "anchor_id": Make.id(20), "hours": "Mo-Fr 10:00-18:00; PH off", "name": ["en": "Shop", "ja": "店"],
                    "validity": ["start": "2031-04-01T00:00:00.5+09:00", "end": "2032-01-01T00:00:00+09:00"],
                ]),
            .init(22, .occupant, on: 1, ["anchor_id": Make.id(20), "hours": "daily", "validity": ["start": "soon"]]),
            .init(30, .amenity, on: 1, ["category": "restroom"], geometry: Make.point(9, 9)),
            .init(31, .amenity, on: 1, ["category": "restroom.female"], geometry: Make.point(2, 2)),
            .init(32, .amenity, on: 2, ["category": "restroom"], geometry: Make.point(1, 1)),
            .init(33, .amenity, on: 3, ["category": "restroom"], geometry: Make.point(1, 1)),
            .init(34, .amenity, on: 1, ["category": "restrooms"], geometry: Make.point(1, 1)),
            .init(35, .amenity, touching: [2, 3], ["category": "elevator"], geometry: Make.point(1, 1)),
            .init(36, .amenity, on: 1, ["category": "restroom"]),
        ], timeZone: "Asia/Tokyo", language: "ja")

    private func hits(_ longitude: Double, _ latitude: Double, reach: Double = 0) -> [UInt64] {
        Self.map.features(at: Position(longitude: longitude, latitude: latitude), on: FeatureID(1), reach: reach)
            .map(\.id.low)
    }

    @Test func `features at a position are ordered from the top`() {
        #expect(self.hits(1.5, 1.5) == [12, 21, 22, 11, 10, 1, 4])
        #expect(self.hits(2, 2, reach: 1) == [31, 12, 21, 22, 11, 10, 1, 4])
        #expect(self.hits(5, 5) == [1, 4])
        #expect(self.hits(4, 5) == [10, 1, 4])
        #expect(self.hits(10, 10) == [10, 1, 4])
        #expect(self.hits(-5, -5) == [4])
        #expect(self.hits(90, 0) == [])
    }

    @Test func `nearest prefers the same level, then fewer floors, then distance`() {
        let here = Position(longitude: 1, latitude: 1)
        let found = Self.map.nearest(9, category: "restroom", from: here, on: FeatureID(1))
        #expect(found.map(\.id.low) == [31, 30, 32, 33])
        #expect(found.map(\.floors) == [0, 0, 1, nil])
        #expect(found.map(\.ordinal) == [0, 0, 1, nil])
        #expect(abs(found[0].distance - 157_225) < 100)
        #expect(Self.map.nearest(1, category: "restroom", from: here, on: FeatureID(2)).map(\.id.low) == [32])
        let lift = Self.map.nearest(1, category: "elevator", from: here, on: FeatureID(1))
        #expect(lift.map(\.level) == [FeatureID(2)])
        #expect(lift.map(\.floors) == [1])
        #expect(Self.map.nearest(1, category: "elevator", from: here, on: FeatureID(3)).map(\.floors) == [0])
        #expect(Self.map.nearest(-1, category: "restroom", from: here, on: FeatureID(1)).isEmpty)
    }

    @Test func `openness uses the time zone of the venue`() throws {
        // A Friday.
        let noon = try Date("2031-06-13T12:00:00+09:00", strategy: .iso8601)
        let shop = Self.map.openness(of: FeatureID(21), at: noon)
        #expect(shop.state == .open)
        #expect(shop.nextChange == noon + 6 * 3_600)
        #expect(Self.map.hours(of: FeatureID(21))?.week.exceptions == ["PH off"])
        let friday = Holidays(publicHolidays: [try #require(CalendarDate(year: 2031, month: 6, day: 13))])
        #expect(Self.map.openness(of: FeatureID(21), at: noon, holidays: friday).state == .closed)
        #expect(Self.map.openness(of: FeatureID(22), at: noon).state == .unknown)
        #expect(Self.map.openness(of: FeatureID(30), at: noon).state == .unknown)
        let homeless = VenueMap([.init(1, .occupant, ["hours": "24/7"])])
        #expect(homeless.openness(of: FeatureID(1), at: noon).state == .unknown)
        #expect(homeless.hours(of: FeatureID(1)) != nil)
    }

    @Test func `an occupant is present from the start to the end of its validity`() throws {
        let start = try Date("2031-03-31T15:00:00Z", strategy: .iso8601) + 0.5
        let end = try Date("2031-12-31T15:00:00Z", strategy: .iso8601)
        let shop = FeatureID(21)
        #expect(!Self.map.isPresent(shop, at: start - 1))
        #expect(Self.map.isPresent(shop, at: start))
        #expect(Self.map.isPresent(shop, at: end - 1))
        #expect(!Self.map.isPresent(shop, at: end))
        #expect(Self.map.nextPresenceChange(of: shop, after: start - 1) == start)
        #expect(Self.map.nextPresenceChange(of: shop, after: start) == end)
        #expect(Self.map.nextPresenceChange(of: shop, after: end) == nil)
        #expect(Self.map.isPresent(FeatureID(22), at: start))
        #expect(Self.map.isPresent(FeatureID(30), at: start))
    }

    @Test func `names and bounding boxes`() throws {
        #expect(Self.map.name(of: FeatureID(21), for: ["en-GB"]) == "Shop")
        #expect(Self.map.name(of: FeatureID(21), for: ["fr"]) == "店")
        #expect(Self.map.name(of: FeatureID(30)) == nil)
        #expect(Self.map.shortName(of: FeatureID(1), for: ["en"]) == "G")
        #expect(Self.map.shortName(of: FeatureID(2)) == "Upper")
        #expect(Self.map.shortName(of: FeatureID(3)) == nil)
        #expect(Self.map.shortName(of: FeatureID(10)) == nil)
        let box = try #require(Self.map.box(of: FeatureID(1)))
        #expect([box.west, box.south, box.east, box.north] == [0, 0, 20, 20])
        let all = try #require(Self.map.box)
        #expect([all.west, all.south, all.east, all.north] == [-10, -10, 40, 40])
        #expect(Self.map.box(of: FeatureID(99)) == nil)
    }
}
