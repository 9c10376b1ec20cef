import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Search over HTTP.
@Suite(.server)
struct SearchTests {
    /// A venue with two floors, shops with hours, and restrooms, of which one unit contains its amenity.
    static let features: [JSONValue] = [
        Handmade.feature(1, .venue, ["category": "shoppingcenter"], geometry: Handmade.square()),
        Handmade.feature(
            2, .level, ["ordinal": 0, "category": "unspecified", "short_name": ["en": "G", "ja": "1階"]],
            geometry: Handmade.square()),
        Handmade.feature(
            3, .level, ["ordinal": 1, "category": "unspecified", "short_name": ["en": "L1", "ja": "2階"]],
            geometry: Handmade.square()),
        Self.unit(10, "room", on: 2, 0.0001), Self.unit(11, "room", on: 3, 0.0002),
        Self.unit(12, "restroom", on: 2, 0.0008), Self.unit(13, "restroom.female", on: 3, 0.0004),
        Handmade.feature(20, .anchor, ["unit_id": Handmade.reference(10)], geometry: Self.point(0.0001)),
        Handmade.feature(21, .anchor, ["unit_id": Handmade.reference(11)], geometry: Self.point(0.0002)),
        Self.shop(30, ["en": "Café <Tram>", "ja": "カフェ"], anchor: 20, hours: "Mo-Su 09:00-18:00"),
        Self.shop(31, ["en": "Tram Books"], anchor: 21, hours: "Mo-Su 20:00-26:00"),
        Self.shop(32, ["en": "Tramway"], anchor: 21, hours: "ask at the desk"),
        Handmade.feature(
            40, .amenity, ["category": "restroom", "unit_ids": [Handmade.reference(12)]], geometry: Self.point(0.0008)),
    ]

    static func point(_ offset: Double) -> JSONValue {
        ["type": "Point", "coordinates": [.number(139.7 + offset), .number(35.6 + offset)]]
    }

    private static func unit(_ number: Int, _ category: String, on level: Int, _ offset: Double) -> JSONValue {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
        let ring = corners.map { x, y in
            JSONValue.array([.number(139.7 + offset + x * 0.00004), .number(35.6 + offset + y * 0.00004)])
        }
        return Handmade.feature(
            number, .unit, ["category": .string(category), "level_id": Handmade.reference(level)],
            geometry: ["type": "Polygon", "coordinates": [.array(ring)]])
    }

    static func shop(_ number: Int, _ name: JSONValue, anchor: Int, hours: String) -> JSONValue {
        Handmade.feature(
            number, .occupant,
            [
                "name": name, "category": "specialty", "anchor_id": Handmade.reference(anchor), "hours": .string(hours),
            ])
    }

    private func publish(_ features: [JSONValue] = Self.features) async throws {
        let upload = try await Harness.current.push(Handmade.zip(features))
        try #require(upload.state == .published, "\(upload)")
    }

    private func search(_ query: String) async throws -> JSONValue {
        let response = try await Harness.current.send(.get, "/venues/mall/search?\(query)")
        try #require(response.status == .ok, "\(query): \(response.text)")
        return try response.json
    }

    private func ids(_ query: String) async throws -> [FeatureID] {
        try #require(try await self.search(query)["results"]?.array).compactMap { $0["id"]?.string }
            .compactMap { FeatureID($0) }
    }

    private func expect(_ query: String, _ numbers: [Int], sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        #expect(try await self.ids(query) == numbers.map(Handmade.id), "\(query)", sourceLocation: sourceLocation)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test(arguments: [nil, "rooms"])
    func `search over HTTP has the results of all clients`(part: String?) async throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var shared = try JSONReader.value(
            of: Array(Data(contentsOf: tests.appending(path: "Conformance/search.json"))))
        if let part { shared = try #require(shared[part]) }
        func number(_ value: JSONValue?) -> Int? { value?.number.flatMap { Int(exactly: $0) } }
        var features = [Handmade.feature(900, .venue, geometry: Handmade.square())]
        for feature in try #require(shared["features"]?.array) {
            var properties = try #require(feature["properties"]?.object)
            if let level = number(feature["level"]) { properties["level_id"] = Handmade.reference(level) }
            if let buildings = feature["buildings"]?.array {
                properties["building_ids"] = .array(buildings.compactMap { number($0).map(Handmade.reference) })
            }
            features.append(
                Handmade.feature(
                    try #require(number(feature["number"])),
                    FeatureType(rawValue: try #require(feature["feature_type"]?.string)), .object(properties)))
        }
        try await self.publish(features)
        let types = Set(features.compactMap { $0["feature_type"]?.string }).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: (0..<1_000).map { (Handmade.id($0), Double($0)) })
        for search in try #require(shared["cases"]?.array) {
            let text = try #require(search["text"]?.string)
            // A search without any condition is refused.
            let wanted = search["types"]?.array?.compactMap(\.string) ?? types
            let query = "q=\(Self.encoded(text))&limit=100" + wanted.map { "&type=\($0)" }.joined()
            let found = try #require(try await self.search(query)["results"]?.array).map { result -> JSONValue in
                let id = result["id"]?.string.flatMap { FeatureID($0) }
                return [
                    .number(id.flatMap { numbers[$0] } ?? -1), result["match"] ?? .null, result["text"] ?? .null,
                ]
            }
            let expected = (search["results"]?.array ?? []) + (search["related"]?.array ?? [])
            #expect(found == expected, "“\(text)”")
        }
    }

    @Test func `results have names, floors and positions in the wanted language`() async throws {
        try await self.publish()
        let response = try await self.search("q=cafe&lang=fr,ja")
        #expect(response["venue"] == "mall" && response["revision"] == 1 && response["count"] == 1)
        #expect(response["query"]?["lang"] == ["fr", "ja"] && response["more"] == false)
        let result = try #require(response["results"]?.array?.first)
        #expect(result["name"] == "カフェ" && result["text"] == "Café <Tram>" && result["match"] == "prefix")
        #expect(result["category_name"] == "専門店" || result["category_name"]?.string?.isEmpty == false)
        #expect(result["level_id"] == Handmade.reference(2) && result["rank"] == 1)
        #expect(
            result["point"] == Self.point(0.0001)["coordinates"] && result["distance"] == nil && result["open"] == nil)
        #expect(
            response["floors"] == [
                ["level_id": Handmade.reference(2), "ordinal": 0, "name": "1階", "ranks": [1]]
            ])
        #expect(try await self.search("q=cafe")["results"]?[0]?["name"] == "Café <Tram>")
        // Ranked over all floors, and grouped by floor.
        let trams = try await self.search("q=tram")
        #expect(trams["floors"]?.array?.compactMap { $0["ranks"] } == [[1, 2], [3]])
        try await self.expect("q=tram", [31, 32, 30])
        let first = try await self.search("q=tram&limit=1")
        #expect(first["count"] == 1 && first["more"] == true)
        try await self.expect("q=tram&level=ordinal:0", [30])
        try await self.expect("q=tram&level=\(Handmade.id(3))&level=ordinal:0", [31, 32, 30])
        try await self.expect("q=tram&level=ordinal:7", [])
        try await self.expect("q=tram&level=venue", [])
        try await self.expect("type=level", [2, 3])
        try await self.expect("type=level&level=ordinal:0", [])
        try await self.expect("q=tram&type=unit", [])
        try await self.expect("category=restroom", [12, 13, 40])
    }

    @Test func `near orders by floor, then by distance, and finds each facility once`() async throws {
        try await self.publish()
        // The unit 12 is the same restroom as the amenity 40.
        try await self.expect("category=restroom&near=139.7001,35.6001", [13, 40])
        try await self.expect("category=restroom&near=139.7001,35.6001&near_level=ordinal:0", [40, 13])
        try await self.expect("category=restroom&near=139.7001,35.6001&near_level=\(Handmade.id(3))", [13, 40])
        try await self.expect("category=restroom.female&near=139.7008,35.6008&near_level=ordinal:0", [13])
        let results = try #require(
            try await self.search("category=restroom&near=139.7001,35.6001&near_level=ordinal:0")["results"]?.array)
        #expect(results.map { $0["floors"] } == [0, 1])
        let distances = results.compactMap { $0["distance"]?.number }
        #expect(distances.count == 2 && (95...105).contains(distances[0]) && (38...48).contains(distances[1]))
        // A better match comes first, wherever it is; equal matches by nearness.
        try await self.expect("q=tram&near=139.7001,35.6001&near_level=ordinal:0", [31, 32, 30])
        let restrooms = try await self.ids("q=restroom&near=139.7004,35.6004&near_level=ordinal:1")
        #expect(Set(restrooms.prefix(2)) == Set([12, 40].map(Handmade.id)) && restrooms.last == Handmade.id(13))
        try await self.expect(
            "q=tram&near=139.7001,35.6001&near_level=ordinal:1&type=occupant&level=ordinal:1", [31, 32])
        #expect(Set(try await self.ids("near=139.7001,35.6001&limit=2")) == Set([10, 30].map(Handmade.id)))
    }

    @Test func `open_at finds what is open, until the next change`() async throws {
        try await self.publish()
        try await Harness.current.set("time_zone", to: nil)
        try await self.expect("q=tram&open_at=2031-03-10T03:00:00Z", [])
        try await Harness.current.set("time_zone", to: "Asia/Tokyo")
        try await self.expect("q=tram&open_at=2031-03-10T03:00:00Z", [30])
        try await self.expect("q=tram&open_at=2031-03-10T01:30:00%2B09:00", [31])
        try await self.expect("open_at=2031-03-10T12:00:00%2B09:00", [30])
        let open = try await self.search("q=tram&open_at=2031-03-10T03:00:00Z")
        #expect(open["time_zone"] == "Asia/Tokyo")
        #expect(
            open["results"]?[0]?["open"] == ["state": "open", "next_change": "2031-03-10T09:00:00.000Z"], "\(open)")
        let now = try await Harness.current.send(.get, "/venues/mall/search?q=tram&open_at=now")
        let age = try #require(now.headers[.cacheControl]?.firstMatch(of: /max-age=(\d+)/)).1
        #expect(try #require(Int(age)) <= 60 && now.parts(of: .cacheControl).contains("private"))
    }

    @Test func `responses have an entity tag of revision and query`() async throws {
        let harness = Harness.current
        try await self.publish()
        let path = "/venues/mall/search?q=tram&lang=en"
        let first = try await harness.send(.get, path)
        let tag = try #require(first.headers[.eTag])
        #expect(first.parts(of: .cacheControl) == ["private", "no-cache"])
        #expect(first.parts(of: .vary) == ["authorization", "accept-encoding"])
        let unchanged = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(unchanged.status == .notModified && unchanged.data.isEmpty)
        #expect(try await harness.send(.get, "\(path)&limit=3").headers[.eTag] != tag)
        try await self.publish(
            Self.features + [Self.shop(33, ["en": "Tram"], anchor: 20, hours: "24/7")])
        let changed = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
        try await self.expect("q=tram", [33, 31, 32, 30])
        try await harness.set("public", to: true)
        let open = try await harness.send(.get, path, key: nil)
        #expect(open.status == .ok && open.parts(of: .cacheControl).contains("public"))
    }

    @Test func `hostile parameters are refused with their names, and cost little`() async throws {
        let harness = Harness.current
        try await self.publish()
        let accents = String(repeating: "\u{301}", count: 128)
        for (query, name) in [
            ("", "q"), ("q=", "q"), ("q=%20", "q"), ("q=\(String(repeating: "a", count: 257))", "q"),
            ("q=\(String(repeating: "a", count: 10 << 20))", "q"), ("q=a%00", "q"),
            ("q=\(Self.encoded(accents + accents))", "q"), ("q=a&lang=x", "lang"),
            ("q=a&lang=en,,ja", "lang"), ("q=a&lang=en,ja,fr,de,it,es", "lang"), ("q=a&level=x", "level"),
            ("q=a&near=1", "near"), ("q=a&near=181,0", "near"), ("q=a&near=0,91", "near"), ("q=a&near=nan,0", "near"),
            ("q=a&near=1,2,3", "near"), ("q=a&near=0x10,inf", "near"), ("q=a&near_level=ordinal:0", "near_level"),
            ("q=a&near=1,2&near_level=ordinal:9", "near_level"), ("q=a&near=1,2&near_level=venue", "near_level"),
            ("q=a&open_at=tomorrow", "open_at"), ("q=a&open_at=2031-02-30T00:00:00Z", "open_at"),
            ("q=a&limit=0", "limit"), ("q=a&limit=x", "limit"), ("q=a&q=b", "q"), ("category=a&category=b", "category"),
            ("category=\(String(repeating: "a", count: 101))", "category"),
            ("q=a" + String(repeating: "&type=unit", count: 1) + (0..<40).map { "&type=t\($0)" }.joined(), "type"),
        ] {
            let problem = try await harness.send(.get, "/venues/mall/search?\(query)").problem(
                400, String(query.prefix(40)))
            #expect(problem.title.contains("“\(name)”"), "\(query.prefix(40)): \(problem.title)")
        }
        for text in [
            accents, String(repeating: "a ", count: 128), String(repeating: "coffee ", count: 36),
            String(repeating: "\u{FDFA}", count: 85), "%", "\\", "'; DROP TABLE venue", "\u{202E}\u{200D}", "🏬",
        ] {
            let results = try await self.search("q=\(Self.encoded(text))&type=occupant")
            #expect(results["count"]?.number != nil, "\(text)")
        }
        #expect(try await self.search("q=a&limit=1000")["query"]?["limit"] == 100)
    }

    @Test func `search needs the permission to read`() async throws {
        let harness = Harness.current
        try await self.publish()
        try await harness.send(.get, "/venues/mall/search?q=a", key: nil).problem(401)
        let other = try await harness.makeKey(.read, for: ["hall"])
        try await harness.send(.get, "/venues/mall/search?q=a", key: other).problem(404)
        try await harness.send(.get, "/venues/nowhere/search?q=a").problem(404)
        let own = try await harness.makeKey(.read, for: ["mall"])
        #expect(try await harness.send(.get, "/venues/mall/search?q=a", key: own).status == .ok)
    }
}
