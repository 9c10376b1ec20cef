import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing
import VenueMap

/// The appearance of a venue in its tiles and styles, and the sites that may show its map.
@Suite(.server)
struct AppearanceTests {
    private static let venue = "/venues/mall"

    /// The tile of zoom 18 with the middle of the lowest floor.
    private func middle() async throws -> (x: Int, y: Int) {
        let json = try await Harness.current.send(.get, "\(Self.venue)/tiles/0.json?format=png").json
        let center = (json["center"]?.array ?? []).compactMap(\.number)
        try #require(center.count == 3)
        let tile = WebMercator.tile(of: Position(longitude: center[0], latitude: center[1]), zoom: 18)
        return (tile.x, tile.y)
    }

    private func tile(_ path: String) async throws -> (tag: String, data: Data) {
        let response = try await Harness.current.send(.get, "\(Self.venue)/tiles/\(path)")
        try #require(response.status == .ok, "\(response.text)")
        return (try #require(response.headers[.eTag]), response.data)
    }

    /// The edition of tiles, which `tiles/changes` reports.
    private func changes(_ query: String = "") async throws -> JSONValue {
        try await Harness.current.send(.get, "\(Self.venue)/tiles/changes?since=1\(query)").json
    }

    @Test func `appearance changes images, vector tiles, styles and the edition, and back`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (x, y) = try await self.middle()
        let paths = ["L0_18_\(x)_\(y).png", "0/18/\(x)/\(y).mvt"]
        let before = [try await self.tile(paths[0]), try await self.tile(paths[1])]
        let edition = try #require(try await self.changes()["edition"]?.string)
        try await harness.set("appearance", to: ["accent": "#123456"])
        #expect(try await self.changes()["edition"]?.string == edition)
        let categories = SampleVenue.tiny.features.filter { $0.type == .unit }.compactMap { $0["category"]?.string }
        let category = try #require(categories.first)
        let groups = CategoryGroup.allCases.map { (key: $0.rawValue, value: JSONValue.string("#123456")) }
        let colours = JSONValue.object(JSONObject(groups.map { .init(key: $0.key, value: $0.value) }))
        try await harness.set("appearance", to: ["colours": colours])
        let colored = [try await self.tile(paths[0]), try await self.tile(paths[1])]
        for (old, new) in zip(before, colored) { #expect(old.tag != new.tag && old.data != new.data) }
        let current = try #require(try await self.changes()["edition"]?.string)
        #expect(current != edition)
        // A logo and an accent change no tile.
        try await harness.set("appearance", to: ["colours": colours, "logo": "/logo.png", "accent": "#123456"])
        #expect(try await self.changes()["edition"]?.string == current)
        // A client with tiles of the earlier edition gets a list of all.
        let all = try #require(try await self.changes("&edition=\(edition)")["floors"]?.array)
        let levels = SampleVenue.tiny.features.filter { $0.type == .level }.count
        #expect(all.count == levels && all.allSatisfy { $0["tiles"] == "all" })
        #expect(try await self.changes("&edition=\(current)")["floors"] == [])
        let style = try await harness.send(.get, "\(Self.venue)/style.json").text
        #expect(style.contains("#123456") && style.contains("\"colour\""))
        let pinned = try await harness.send(.get, "\(Self.venue)/revisions/1/style.json").text
        #expect(pinned.contains("edition=\(current)"))
        try await harness.set("appearance", to: ["hidden": [.string(category)]])
        let hidden = try await self.tile(paths[1])
        #expect(hidden.data.count < before[1].data.count && hidden.tag != before[1].tag)
        try await harness.set("appearance", to: nil)
        #expect(try await self.tile(paths[0]) == before[0])
        #expect(try await self.tile(paths[1]) == before[1])
        #expect(try await self.changes()["edition"]?.string == edition)
    }

    @Test func `appearance of one venue leaves another one with the same features alone`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.archive(), to: "hall")
        try await harness.set("appearance", to: ["colours": ["shop": "#010203", "room": "#010203"]])
        let (x, y) = try await self.middle()
        let own = try await self.tile("L0_18_\(x)_\(y).png")
        let other = try await harness.send(.get, "/venues/hall/tiles/L0_18_\(x)_\(y).png")
        #expect(other.status == .ok && own.data != other.data)
        #expect(try await harness.send(.get, "/venues/hall").json["appearance"] == nil)
    }

    @Test func `readers find the appearance in the venue, without its settings`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let appearance: JSONValue = [
            "accent": ["light": "#00aa00", "dark": "#00FF00"], "logo": "https://example.com/logo.svg",
            "hidden": ["parking"],
        ]
        try await harness.set("appearance", to: appearance)
        let key = try await harness.makeKey(.read, for: ["mall"])
        let venue = try await harness.send(.get, Self.venue, key: key).json
        #expect(venue["appearance"] == appearance && venue["settings"] == nil)
    }

    @Test func `appearance with a fault is refused with a JSON pointer`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let many = JSONValue.object(
            JSONObject((0...200).map { .init(key: "c\($0)", value: "#000000") }))
        for (value, pointer) in [
            (["colors": [:]], "“/colors”"), (["colours": []], "“/colours”"),
            (["colours": ["shop": "red"]], "“/colours/shop”"), (["colours": ["shop": "#12345g"]], "“/colours/shop”"),
            (["colours": ["a/b~": "#1234567"]], "“/colours/a~1b~0”"),
            (["colours": ["shop": ["light": "#000000"]]], "“/colours/shop/dark”"),
            (["colours": ["shop": ["light": "#000000", "dark": "#000000", "x": 1]]], "“/colours/shop/x”"),
            (["colours": ["": "#000000"]], "“/colours/”"), (["colours": many], "“/colours”"),
            (["hidden": "parking"], "“/hidden”"), (["hidden": ["ok", 1]], "“/hidden/1”"),
            (["hidden": ["a\nb"]], "“/hidden/0”"), (["accent": "blue"], "“/accent”"), (["accent": nil], "“/accent”"),
            (["logo": "http://example.com/x"], "“/logo”"), (["logo": "https://example.com/\" onerror="], "“/logo”"),
            (["logo": "javascript:alert(1)"], "“/logo”"),
        ] as [(JSONValue, String)] {
            let problem = try await harness.send(.patch, Self.venue, json: ["appearance": value]).problem(
                400, "\(value)")
            #expect(
                problem.detail?.contains(pointer) == true || problem.title.contains(pointer), "\(value): \(problem)")
            #expect(problem.pointer == "/appearance\(pointer.dropFirst().dropLast())")
        }
        let long = JSONValue.array([.string(String(repeating: "x", count: 17 << 10))])
        for value in [["hidden": long], [], "blue", 1, true] as [JSONValue] {
            try await harness.send(.patch, Self.venue, json: ["appearance": value]).problem(
                400, "\(value)".prefix(50).description)
        }
        #expect(try await harness.send(.get, Self.venue).json["appearance"] == nil)
    }

    // MARK: - Embedding

    private func ancestors(_ path: String) async throws -> String {
        let response = try await Harness.current.send(.get, path, key: nil)
        try #require(response.status == .ok, "\(path): \(response.text)")
        let policy = try #require(response.headers[.contentSecurityPolicy])
        let match = try #require(policy.firstMatch(of: /frame-ancestors ([^;]+)/))
        return String(match.1)
    }

    @Test func `only the allowed origins may show the page of a public venue in a frame`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("embed_origins", to: ["https://www.example.com", "https://*.example.org:8443"])
        // Not yet public.
        #expect(try await self.ancestors("/embed/mall") == "'none'")
        try await harness.set("public", to: true)
        #expect(try await self.ancestors("/embed/mall") == "https://www.example.com https://*.example.org:8443")
        for path in ["/", "/console/app.js", "/embed/nowhere", "/embed/Not-a-key", "/?embed"] {
            #expect(try await self.ancestors(path) == "'none'", "\(path)")
        }
        let page = try await harness.send(.get, "/embed/mall", key: nil)
        #expect(page.data == (try await harness.send(.get, "/", key: nil).data))
        let tag = try #require(page.headers[.eTag])
        try await harness.set("embed_origins", to: ["http://localhost:5173"])
        // Caches may keep the policy with the page, so the page with another policy has another tag.
        let changed = try await harness.send(.get, "/embed/mall", key: nil, headers: [.ifNoneMatch: tag])
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
        #expect(changed.headers[.contentSecurityPolicy]?.contains("frame-ancestors http://localhost:5173") == true)
        try await harness.set("embed_origins", to: nil)
        #expect(try await self.ancestors("/embed/mall") == "'none'")
        #expect(try await harness.send(.get, Self.venue).json["settings"]?["embed_origins"]?.isNull == true)
    }

    @Test func `embed origins that could change the policy are refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for origin in [
            "*", "https://*", "https://a.*.com", "http://example.com", "https://example.com/",
            "https://example.com/path",
            "https://example.com; script-src *", "https://example.com https://b.com", "'self'", "data:", "https://",
            "https://exa\nmple.com", "https://user@example.com", "https://example.com:", "https://example.com:123456",
            "https://EXAMPLE.com", "http://localhost.example.com", "", String(repeating: "a", count: 400),
        ] {
            try await harness.send(.patch, Self.venue, json: ["embed_origins": [.string(origin)]]).problem(400, origin)
        }
        let many = JSONValue.array((0...50).map { .string("https://a\($0).example.com") })
        for value in [many, "https://example.com", [1], [:]] as [JSONValue] {
            try await harness.send(.patch, Self.venue, json: ["embed_origins": value]).problem(
                400, "\(value)".prefix(60).description)
        }
        let reader = try await harness.makeKey(.publish, for: ["mall"])
        let change: JSONValue = ["embed_origins": ["https://example.com"]]
        try await harness.send(.patch, Self.venue, json: change, key: reader).problem(403)
    }
}
