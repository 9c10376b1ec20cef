import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct SettingsTests {
    private static func settings(_ harness: Harness) async throws -> JSONValue {
        let venue = try await harness.send(.get, "/venues/mall").json
        return try #require(venue["settings"])
    }

    @Test(
        arguments: [
            ("public", true), ("validation", "strict"), ("identity", "trust"), ("removal_guard", false),
            ("time_zone", "Asia/Tokyo"), ("keep_revisions", 20), ("overrides", "yield"),
            ("appearance", ["accent": "#00aa00", "hidden": ["parking"]]), ("embed_origins", ["https://example.com"]),
            ("basemap", ["tiles": "/tiles/{z}/{x}/{y}.png", "tile_size": 512]),
            ("wayfinding", ["step_free_speed": 0.7, "elevator_seconds": 120]),
        ] as [(String, JSONValue)])
    func `venue settings: each can be changed by itself and changed back`(name: String, value: JSONValue) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let before = try await Self.settings(harness)
        let old = try #require(before[name])
        #expect(old != value)
        try await harness.set(name, to: value)
        var expected = try #require(before.object)
        expected[name] = value
        #expect(try await Self.settings(harness) == .object(expected))
        try await harness.set(name, to: old)
        #expect(try await Self.settings(harness) == before)
    }

    @Test func `venue settings: several are changed together or not at all`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let before = try await Self.settings(harness)
        let half: JSONValue = ["public": true, "time_zone": "Nowhere/Land"]
        try await harness.send(.patch, "/venues/mall", json: half).problem(400)
        #expect(try await Self.settings(harness) == before)
        let both: JSONValue = ["time_zone": "Europe/Rome", "keep_revisions": 3]
        #expect(try await harness.send(.patch, "/venues/mall", json: both).status.kind == .successful)
        let after = try await Self.settings(harness)
        #expect(after["time_zone"] == "Europe/Rome" && after["keep_revisions"] == 3)
    }

    @Test func `time zone must match exactly, also when its name is already cached`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("time_zone", to: "Asia/Tokyo")
        for name in ["Asia/Tokyo\0", "Asia/Tokyo\0x", "Asia/Tokyo ", "Asia/Tōkyō"] {
            let refusal = try await harness.send(.patch, "/venues/mall", json: ["time_zone": .string(name)])
            #expect(try refusal.problem(400).pointer == "/time_zone")
        }
    }

    @Test func `venue settings: an invalid or unknown one is refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let before = try await Self.settings(harness)
        for body in [
            #"{"public":true,}"#, #"{"public":true,"public":false}"#,
            #"{"public":true} x"#, "{'public':true}", #"{"public":"yes"}"#, #"{"public":null}"#,
            #"{"validation":"lax"}"#, #"{"validation":true}"#,
            #"{"identity":"guess"}"#, #"{"overrides":"ours"}"#,
            #"{"removal_guard":1}"#, #"{"time_zone":"Tokyo time"}"#, #"{"time_zone":"../../etc/passwd"}"#,
            #"{"time_zone":9}"#,
            #"{"keep_revisions":0}"#, #"{"keep_revisions":-1}"#, #"{"keep_revisions":1.5}"#,
            #"{"keep_revisions":"all"}"#,
            #"{"wayfinding":{"walk_speed":0}}"#, #"{"wayfinding":{"walk_speed":"1"}}"#, #"{"wayfinding":{"speed":1}}"#,
            #"{"wayfinding":{"elevator_seconds":901}}"#, #"{"wayfinding":[]}"#, #"{"wayfinding":1.2}"#,
            #"{"colour":"red"}"#, #"{"head":1}"#, "[]", "{", "null",
        ] as [String] {
            let response = try await harness.send(
                .patch, "/venues/mall", type: "application/json", body: Array(body.utf8))
            try response.problem(400, "\(body)")
            #expect(try await Self.settings(harness) == before)
        }
    }

    @Test func `venue lists its venue-wide part before its levels`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let response = try await harness.send(.get, "/venues/mall").json
        #expect(response.keys.isSuperset(of: ["venue", "id", "head", "digest", "name", "about", "public", "levels"]))
        #expect(response["venue"] == "mall" && response["head"] == 1 && response["public"] == false)
        let feature = try #require(venue.features.first { $0.type == .venue })
        #expect(response["id"]?.string == feature.id.description && response["name"] == feature["name"])
        let levels = try #require(response["levels"]?.array)
        let members: Set = ["level_id", "ordinal", "short_name", "name", "digest", "features", "bytes"]
        #expect(levels.allSatisfy { $0.keys.isSuperset(of: members) })
        #expect(levels.first?["level_id"]?.isNull == true)
        #expect(levels.compactMap { $0["level_id"]?.string }.count == venue.ids(of: .level).count)
        for level in levels.dropFirst() {
            let id = try #require(level["level_id"]?.string.flatMap { FeatureID($0) })
            let source = try #require(venue.feature(id))
            #expect(level["short_name"] == source["short_name"] && level["name"] == source["name"])
            #expect(level["ordinal"] == source["ordinal"])
        }
        let counts = levels.compactMap { $0["features"]?.number }.reduce(0, +)
        let bytes = levels.compactMap { $0["bytes"]?.number }.reduce(0, +)
        #expect(counts == Double(venue.features.count))
        #expect(bytes == Double(venue.bodies.values.reduce(0) { $0 + $1.count }))
    }

    @Test func `venue deletion needs the venue's name, and clients of the venue are answered 410`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let cursor = try await harness.sync().cursor
        try await harness.send(.delete, "/venues/mall").problem(400)
        for name in ["office", "MALL", ""] as [String] {
            try await harness.send(.delete, "/venues/mall", json: ["confirm": .string(name)]).problem(400)
        }
        #expect(try await harness.sync().to == 1)
        let response = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
        #expect(response.status.kind == .successful)
        for path in ["sync", "sync?since=\(cursor)"] {
            let problem = try await harness.send(.get, "/venues/mall/\(path)").problem(410)
            #expect(problem.type == "/problems/venue-gone")
        }
        #expect(try await harness.send(.get, "/venues").json["venues"] == [])
        let again = try await harness.push(venue.archive())
        #expect(again.createdVenue && again.revision == 1)
        #expect(try await harness.sync().cursor != cursor)
    }
}
