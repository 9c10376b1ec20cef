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
}
