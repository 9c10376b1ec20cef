import Foundation
import IMDF
import OGCFeatures
import Testing

/// The parameters of requests for features, and the columns of features.
@Suite struct ItemsQueryTests {
    private static func query(_ values: [String: String]) throws -> ItemsQuery { try ItemsQuery { values[$0] } }

    @Test(arguments: [
        ("bbox", "1,2,3"), ("bbox", "1,2,3,4,5"), ("bbox", "1,2,3,x"), ("bbox", "1,2,3,nan"), ("bbox", "1,2,inf,4"),
        ("bbox", "1,4,3,2"), ("bbox", ",,,"), ("bbox", "1,2,3,4,5,6,7"), ("limit", "0"), ("limit", "-1"),
        ("limit", "ten"), ("limit", "1.5"), ("offset", "-1"), ("offset", "99999999999999999999"), ("crs", "4326"),
        ("bbox-crs", "http://www.opengis.net/def/crs/EPSG/0/1"), ("datetime", "yesterday"), ("datetime", "2024-01-01"),
        ("datetime", "2024-02-30T00:00:00Z"), ("datetime", "2024-01-02T00:00:00Z/2024-01-01T00:00:00Z"),
        ("datetime", "2024-01-01T00:00:00Z/2024-01-02T00:00:00Z/2024-01-03T00:00:00Z"), ("datetime", "/x"),
    ])
    func `an invalid parameter is refused by name`(name: String, value: String) throws {
        let error = #expect(throws: InvalidParameter.self) { try Self.query([name: value]) }
        #expect(error?.name == name)
    }

    @Test func `limits are clamped, and boxes are read in their coordinate system`() throws {
        #expect(try Self.query([:]).limit == 100)
        #expect(try Self.query(["limit": "5000000"]).limit == 10_000)
        let box = GeographicBox(west: 139, south: 35, east: 140, north: 36)
        #expect(try Self.query(["bbox": "139,35,140,36"]).boxes == [box])
        #expect(try Self.query(["bbox": "139,35,-7,140,36,1e3"]).boxes == [box])
        let latitudeFirst = CoordinateSystem.epsg4326.rawValue
        #expect(try Self.query(["bbox": "35,139,36,140", "bbox-crs": latitudeFirst]).boxes == [box])
        let metres = "15473409.22,4163881.14,15584728.71,4300621.37"
        let mercator = try #require(
            try Self.query(["bbox": metres, "bbox-crs": CoordinateSystem.epsg3857.rawValue]).boxes?.first)
        #expect(abs(mercator.west - 139) < 1e-6 && abs(mercator.south - 35) < 1e-6)
        #expect(abs(mercator.east - 140) < 1e-6 && abs(mercator.north - 36) < 1e-6)
        #expect(try Self.query(["bbox": "170,-1,-170,1"]).boxes?.count == 2)
    }

    @Test func `datetime is a time, or the end of an interval`() throws {
        let time = try #require(try Self.query(["datetime": "2024-01-01T00:00:00Z"]).datetime?.end)
        #expect(time.timeIntervalSince1970 == 1_704_067_200)
        for text in [
            "2023-01-01T00:00:00Z/2024-01-01T09:00:00+09:00", "../2024-01-01T00:00:00Z", "/2024-01-01T00:00:00Z",
        ] {
            #expect(try Self.query(["datetime": text]).datetime?.end == time, "\(text)")
        }
        for text in ["2023-01-01T00:00:00Z/..", "2023-01-01T00:00:00Z/", "../.."] {
            let interval = try #require(try Self.query(["datetime": text]).datetime)
            #expect(interval.end == nil, "\(text)")
        }
    }

    @Test func `a long time is refused before it is parsed`() throws {
        let time = "2024-01-01T00:00:00.\(String(repeating: "0", count: 40_000))Z"
        for text in [time, "../\(time)", "\(time)/..", "2023-01-01T00:00:00Z/\(time)"] {
            let error = #expect(throws: InvalidParameter.self) { try Self.query(["datetime": text]) }
            #expect(error?.name == "datetime" && error?.detail == "A time has 64 bytes at most.")
        }
        #expect(try Self.query(["datetime": "2024-01-01T00:00:00.123+09:00"]).datetime?.end != nil)
    }

    @Test func `geometries have the axis order of their coordinate system`() throws {
        let point: JSONValue = ["type": "Point", "coordinates": [139.7, 35.6, 12]]
        #expect(CoordinateSystem.crs84.geometry(point) == point)
        #expect(CoordinateSystem.epsg4326.geometry(point)["coordinates"] == [35.6, 139.7, 12])
        let line: JSONValue = ["type": "LineString", "coordinates": [[180, 0], [0, 45]]]
        let metres = try #require(CoordinateSystem.epsg3857.geometry(line)["coordinates"]?.array)
        #expect(abs((metres[0].array?[0].number ?? 0) - 20_037_508.342789244) < 1e-6)
        #expect(abs((metres[1].array?[1].number ?? 0) - 5_621_521.486192066) < 1e-6)
        // An upload may have any numbers, and the result is written as JSON.
        let endless: JSONValue = ["type": "LineString", "coordinates": [[1e308, 1e308], [-1e308, -1e308]]]
        for position in CoordinateSystem.epsg3857.geometry(endless)["coordinates"]?.array ?? [] {
            #expect(position.array?.allSatisfy { $0.number?.isFinite ?? false } == true)
        }
        let collection: JSONValue = ["type": "GeometryCollection", "geometries": [point]]
        #expect(
            CoordinateSystem.epsg4326.geometry(collection)["geometries"]?.array?[0]["coordinates"] == [35.6, 139.7, 12])
        #expect(CoordinateSystem.epsg4326.geometry(.null) == .null)
    }

    @Test func `properties are flat columns`() throws {
        let properties: JSONObject = [
            "category": "walkway", "name": ["en": "Hall", "ja": "広間", "zh-Hant": nil], "alt_name": nil,
            "display_point": ["type": "Point", "coordinates": [139.7, 35.6]], "building_ids": ["a", "b"],
            "restriction": nil, "extra": ["b": [1], "a": nil], "list": [["x": 1]], "name_en": "own",
        ]
        let level = FeatureID(high: 1, low: 2)
        let columns = FeatureColumns.properties(
            properties, type: .unit, level: level, columns: ["name_fr", "category"], language: "ja")
        #expect(
            columns == [
                "alt_name": nil, "building_ids": ["a", "b"], "category": "walkway", "display_point_lat": 35.6,
                "display_point_lon": 139.7, "extra": #"{"a":null,"b":[1]}"#, "feature_type": "unit",
                "level_id": .string(level.description), "list": #"[{"x":1}]"#, "name": "広間", "name_en": "own",
                "name_fr": nil, "name_ja": "広間", "name_zh-hant": nil, "restriction": nil,
            ])
        let names = Set(FeatureColumns.names(of: properties))
        #expect(names.union(["level_id", "feature_type", "name_fr"]) == Set(columns.members.map(\.key)))
        let own = FeatureColumns.properties(
            ["level_id": "x", "display_point": nil, "feature_type": 1], type: .unit, level: level, columns: [],
            language: nil)
        #expect(
            own == [
                "level_id": "x", "feature_type": "unit", "display_point_lat": nil, "display_point_lon": nil,
            ])
    }

    @Test func `HTML pages have columns that all features have, so they grow with the features only`() {
        let features = (0..<200).map { number -> JSONValue in
            let own = (0..<20).map { JSONObject.Member(key: "own_\(number)_\($0)", value: "x") }
            let shared = JSONObject.Member(key: "category", value: "walkway")
            return ["id": .string("\(number)"), "properties": .object(JSONObject(own + [shared]))]
        }
        let text = String(decoding: HTMLDocument.page("Units", ["features": .array(features)]), as: UTF8.self)
        #expect(text.contains("<tr><th>id</th><th>geometry</th><th>category</th></tr>"))
        #expect(text.split(separator: "<td>").count == 1 + 200 * 3)
    }

    @Test func `HTML pages escape texts and link to web addresses only`() {
        let hostile = #"<script>alert("x")</script>'&"#
        let value: JSONValue = [
            "title": .string(hostile), "<b>": 1,
            "links": [
                ["rel": "self", "href": "javascript:alert(1)"], ["rel": "data", "href": "http://a/?b=1&c=\"2"],
            ],
            "features": [
                ["id": .string(hostile), "properties": ["<script>": .string(hostile)], "href": "data:text/html,x"]
            ],
        ]
        let text = String(decoding: HTMLDocument.page(hostile, value), as: UTF8.self)
        #expect(!text.contains("<script") && !text.contains("alert(\"") && !text.contains("href=\"javascript"))
        #expect(!text.contains("href=\"data:") && text.contains("href=\"http://a/?b=1&amp;c=&quot;2\""))
        #expect(text.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;"))
    }
}
