import Foundation
import IMDF
import SyncModel
import Testing
import VenueRouting
import Wayfinding

/// The routes that clients in all languages have in common with the server: `Tests/Conformance/venue-routes.json`.
@Suite struct VenueRouteTests {
    private static let shared = Result {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appending(path: "Conformance/venue-routes.json"))
        return try JSONDecoder().decode(JSONValue.self, from: data)
    }

    private func id(_ value: JSONValue?) throws -> FeatureID { try #require(value?.string.flatMap { FeatureID($0) }) }

    private func place(_ value: JSONValue?) throws -> Place {
        if let feature = value?["feature"] { return .feature(try self.id(feature)) }
        return .position(
            longitude: try #require(value?["longitude"]?.number), latitude: try #require(value?["latitude"]?.number),
            ordinal: Int(try #require(value?["ordinal"]?.number)))
    }

    @Test func `venue routes have the bytes of all clients`() throws {
        let shared = try Self.shared.get()
        let features = try #require(shared["features"]?.array).map { feature in
            WayfindingFeature(
                id: try self.id(feature["id"]), type: FeatureType(rawValue: try #require(feature["type"]?.string)),
                content: try #require(feature.object))
        }
        let levels = features.filter { $0.type == .level }.map(\.id)
        let questions = try #require(shared["questions"]?.array)
        #expect(questions.count > 10)
        for question in questions {
            let held = Set(try #require(question["held"]?.array).map { try self.id($0) })
            let map = WayfindingMap(
                features.filter { feature in
                    let level = feature.properties["level_id"]?.string.flatMap { FeatureID($0) }
                    return level.map(held.contains) ?? true
                }, language: shared["language"]?.string)
            let closed = try #require(question["closed"]?.array).map { (try self.id($0), String?.none) }
            let query = RouteQuery(
                from: try self.place(question["from"]), to: try self.place(question["to"]),
                profile: try #require(question["profile"]?.string.flatMap { Profile(rawValue: $0) }),
                closed: Dictionary(uniqueKeysWithValues: closed),
                languages: (question["languages"]?.array ?? []).compactMap(\.string))
            let route = VenueRoute(
                query, at: try #require(question["at"]?.string.flatMap { Timestamp.date(of: $0) }),
                in: question["time_zone"]?.string.flatMap { TimeZone(identifier: $0) }, map, PassageHours(of: map),
                venue: try #require(shared["venue"]?.string.flatMap { VenueKey($0) }),
                revision: shared["revision"]?.number.map { Int64($0) },
                missing: levels.filter { !held.contains($0) })
            #expect(JSONValue.object(route.json) == question["response"])
        }
    }

    @Test func `the end of a closure is searched only as long as the route is wanted`() throws {
        var venue = GridVenue()
        venue.addLevel(0)
        for number in 1...2 { venue.addRoom(number, 5_000 * number, 0, 5_000 * number + 4_900, 5_000) }
        venue.addDoor(11, (9_950, 1_000), (9_950, 2_000))
        // Closed for more than a year.
        venue.addRelationship(50, "movingwalkway", [1, 11, 2], directed: true, hours: "2040")
        let map = venue.map
        let key = try #require(VenueKey("mall"))
        let instant = try #require(Timestamp.date(of: "2031-06-13T12:00:00Z"))
        func calls(in zone: String?) -> Int {
            var calls = 0
            let route = VenueRoute(
                RouteQuery(from: .feature(GridVenue.id(1)), to: .feature(GridVenue.id(2))), at: instant,
                in: zone.flatMap { TimeZone(identifier: $0) }, map, PassageHours(of: map), venue: key, revision: 1,
                shouldStop: {
                    calls += 1
                    return false
                })
            if zone != nil { #expect(route.reasons.map(\.code) == ["closed"] && route.reasons[0].until == nil) }
            return calls
        }
        // Without a time zone nothing is known to be closed.
        #expect(calls(in: "UTC") - calls(in: nil) > 360)
    }
}
