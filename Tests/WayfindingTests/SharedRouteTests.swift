import Foundation
import IMDF
import Testing

@testable import Wayfinding

/// The routes and reports that the clients in all languages have in common: `wayfinding.json` and `reachability.json` in
/// `Tests/Conformance`.
@Suite struct SharedRouteTests {
    private static let routes = Result { try Self.cases("wayfinding.json") }

    private static func cases(_ name: String) throws -> JSONValue {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appending(path: "Conformance/\(name)"))
        return try JSONDecoder().decode(JSONValue.self, from: data)
    }

    private func venues() throws -> [JSONValue] {
        let venues = try #require(try Self.routes.get()["venues"]?.array)
        try #require(venues.count > 3)
        return venues
    }

    private func id(_ value: JSONValue?) throws -> FeatureID {
        try #require(value?.string.flatMap { FeatureID($0) })
    }

    private func place(_ value: JSONValue?) throws -> Place {
        if let feature = value?["feature"] { return .feature(try self.id(feature)) }
        return .position(
            longitude: try #require(value?["longitude"]?.number), latitude: try #require(value?["latitude"]?.number),
            ordinal: Int(try #require(value?["ordinal"]?.number)))
    }

    private func map(of venue: JSONValue) throws -> WayfindingMap {
        let features = try #require(venue["features"]?.array).map { feature in
            WayfindingFeature(
                id: try self.id(feature["id"]), type: FeatureType(rawValue: try #require(feature["type"]?.string)),
                properties: try #require(feature["properties"]?.object), geometry: feature["geometry"] ?? .null)
        }
        return WayfindingMap(features, language: venue["language"]?.string)
    }

    private func closures(_ query: JSONValue) throws -> [FeatureID: String?] {
        var closed: [FeatureID: String?] = [:]
        for entry in try #require(query["closed"]?.array) {
            closed[try self.id(entry.array?.first)] = .some(entry.array?.last?.string)
        }
        return closed
    }

    @Test func `routes have the bytes of all clients`() throws {
        for venue in try self.venues() {
            let map = try self.map(of: venue)
            for query in try #require(venue["queries"]?.array) {
                let answer = map.route(
                    RouteQuery(
                        from: try self.place(query["from"]), to: try self.place(query["to"]),
                        profile: try #require(query["profile"]?.string.flatMap { Profile(rawValue: $0) }),
                        closed: try self.closures(query),
                        languages: try #require(query["languages"]?.array).compactMap(\.string)))
                #expect(JSONValue.object(answer.json) == query["answer"])
            }
        }
    }

    @Test func `what can be reached is that of all clients`() throws {
        let venues = try #require(try Self.cases("reachability.json")["venues"]?.array)
        try #require(venues.count > 30)
        for venue in venues {
            let map = try self.map(of: venue)
            var report = map.reachabilityReport()
            report.egress = map.egressReport()
            #expect(JSONValue.object(report.json) == venue["report"], "\(venue["name"] ?? .null)")
        }
    }

    @Test func `the nearest features are those of all clients`() throws {
        for venue in try self.venues() {
            let map = try self.map(of: venue)
            for query in try #require(venue["queries"]?.array) {
                let near = map.nearest(
                    from: try self.place(query["from"]),
                    among: try #require(query["among"]?.array).map { try self.id($0) },
                    profile: try #require(query["profile"]?.string.flatMap { Profile(rawValue: $0) }),
                    closed: try self.closures(query), limit: 3)
                let expected = try #require(query["near"]?.array)
                #expect(near.map(\.feature) == (try expected.map { try self.id($0["feature"]) }))
                #expect(near.map(\.seconds) == expected.compactMap { $0["seconds"]?.number }.map { Int($0) })
            }
        }
    }
}
