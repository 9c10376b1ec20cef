import IMDF
import OGCFeatures
import SampleVenue
import Testing

/// Columns on the way back to the properties that they are made from.
@Suite struct ColumnPatchTests {
    private static let patch = ColumnPatch(type: .occupant, language: "en")

    private static func shop(_ properties: JSONObject) -> JSONObject {
        [
            "id": "x", "type": "Feature", "feature_type": "occupant", "geometry": .null,
            "properties": .object(properties),
        ]
    }

    /// What a patch of columns makes of properties.
    private static func result(_ columns: JSONObject, of properties: JSONObject) throws -> JSONValue? {
        let patch = try Self.patch.patch(["properties": .object(columns)], of: Self.shop(properties), on: nil)
        return MergePatch.apply(.object(patch), to: .object(Self.shop(properties)))["properties"]
    }

    private static let names: JSONObject = ["name": ["en": "Shoes", "zh-Hant": "鞋"], "hours": "24/7"]

    @Test(
        arguments: [
            (["name_en": "Boots"], ["name": ["en": "Boots", "zh-Hant": "鞋"], "hours": "24/7"]),
            (["name_zh-hant": "靴"], ["name": ["en": "Shoes", "zh-Hant": "靴"], "hours": "24/7"]),
            (["name_fr": "Souliers"], ["name": ["en": "Shoes", "zh-Hant": "鞋", "fr": "Souliers"], "hours": "24/7"]),
            (["name": "Boots"], ["name": ["en": "Boots", "zh-Hant": "鞋"], "hours": "24/7"]),
            (["name": "Boots", "name_en": "Shoes"], ["name": ["en": "Boots", "zh-Hant": "鞋"], "hours": "24/7"]),
            (["name": "Shoes", "name_en": "Boots"], ["name": ["en": "Boots", "zh-Hant": "鞋"], "hours": "24/7"]),
            (
                ["name": ["fr": "Souliers"]],
                ["name": ["en": "Shoes", "zh-Hant": "鞋", "fr": "Souliers"], "hours": "24/7"]
            ),
            (["name_en": nil], ["name": ["zh-Hant": "鞋"], "hours": "24/7"]),
            (["name_en": nil, "name_zh-hant": nil], ["hours": "24/7"]), (["name": nil], ["hours": "24/7"]),
            (
                ["alt_name_en": "S"],
                ["name": ["en": "Shoes", "zh-Hant": "鞋"], "hours": "24/7", "alt_name": ["en": "S"]]
            ),
            (["alt_name": "S"], ["name": ["en": "Shoes", "zh-Hant": "鞋"], "hours": "24/7", "alt_name": ["en": "S"]]),
            (["alt_name": nil, "alt_name_en": nil], ["name": ["en": "Shoes", "zh-Hant": "鞋"], "hours": "24/7"]),
            (["hours": nil, "feature_type": "occupant"], ["name": ["en": "Shoes", "zh-Hant": "鞋"]]),
            (
                ["display_point_lon": 139, "display_point_lat": 35.5],
                [
                    "name": ["en": "Shoes", "zh-Hant": "鞋"], "hours": "24/7",
                    "display_point": ["type": "Point", "coordinates": [139, 35.5]],
                ]
            ),
        ] as [(JSONObject, JSONValue)])
    func `columns change the properties that they are made from`(columns: JSONObject, expected: JSONValue) throws {
        #expect(try Self.result(columns, of: Self.names) == expected)
    }

    @Test(
        arguments: [
            (["name_en": 7], "/properties/name_en"), (["name": 7], "/properties/name"),
            (["name": "A", "name_en": "B"], "/properties/name"), (["name": nil, "name_en": "B"], "/properties/name"),
            (["name": ["fr": "A"], "name_en": "B"], "/properties/name"),
            (["feature_type": "unit"], "/properties/feature_type"),
            (["level_id": "11111111-1111-4111-8111-111111111111"], "/properties/level_id"),
            (["display_point_lon": 139], "/properties/display_point_lon"), (["door": "{"], "/properties/door"),
            (["door": .string(#"{"type":"\#(String(repeating: #"\u0301"#, count: 31))"}"#)], "/properties/door"),
        ] as [(JSONObject, String)])
    func `columns that contradict each other or cannot be changed are refused`(
        columns: JSONObject, pointer: String
    ) throws {
        let properties = JSONObject(Self.names.members + [.init(key: "door", value: ["automatic": true])])
        let error = #expect(throws: InvalidColumn.self) { try Self.result(columns, of: properties) }
        #expect(error?.pointer == pointer)
    }

    @Test func `JSON text is read as what it was, and display points are changed by one number`() throws {
        let properties: JSONObject = [
            "door": ["automatic": true, "type": "sliding"], "restriction": "{}",
            "display_point": ["type": "Point", "coordinates": [139, 35]],
        ]
        #expect(
            try Self.result(
                ["door": #"{"automatic":false}"#, "restriction": "[1]", "display_point_lat": 36], of: properties)
                == [
                    "door": ["automatic": false], "restriction": "[1]",
                    "display_point": ["type": "Point", "coordinates": [139, 36]],
                ])
        #expect(
            try Self.result(["display_point_lat": nil, "display_point_lon": nil], of: properties)?["display_point"]
                == nil)
    }

    @Test func `a feature that replaces another one has what was sent, and nothing else`() throws {
        let stored = Self.shop(Self.names)
        func replaced(_ properties: JSONObject) throws -> JSONValue? {
            let sent: JSONObject = ["type": "Feature", "geometry": .null, "properties": .object(properties)]
            let patch = try Self.patch.replacement(sent, of: stored, on: nil)
            return MergePatch.apply(.object(patch), to: .object(stored))["properties"]
        }
        #expect(try replaced(["name_en": "Boots"]) == ["name": ["en": "Boots"]])
        #expect(try replaced(["name": ["ja": "靴"], "phone": "1"]) == ["name": ["ja": "靴"], "phone": "1"])
        #expect(try replaced([:]) == [:])
        #expect(throws: InvalidColumn.self) {
            try Self.patch.replacement(["type": "Feature", "properties": [:]], of: stored, on: nil)
        }
    }

    /// The opposite of each other: what a client was shown and sends back changes nothing, and adds the same feature again.
    @Test func `features sent back as they are shown stay as they are`() throws {
        for feature in SampleVenue(.init(levels: 2, unitsPerLevel: 30)).features {
            let stored = feature.body
            let properties = stored["properties"]?.object ?? [:]
            for language in ["en", "ja", nil] {
                let columns = FeatureColumns.properties(
                    properties, type: feature.type, level: .random(), columns: ["name_xx", "alt_name", "other"],
                    language: language)
                let level = columns["level_id"]?.string.flatMap { FeatureID($0) }
                let sent: JSONObject = [
                    "type": "Feature", "geometry": stored["geometry"] ?? .null, "properties": .object(columns),
                ]
                let patch = ColumnPatch(type: feature.type, language: language)
                for made in [
                    try patch.patch(sent, of: stored, on: level), try patch.replacement(sent, of: stored, on: level),
                ] {
                    let result = MergePatch.apply(.object(made), to: .object(stored))
                    #expect(Self.withoutNulls(result["properties"]) == Self.withoutNulls(.object(properties)))
                    // A merge patch with null leaves the member out, which means the same.
                    #expect((result["geometry"] ?? .null) == (stored["geometry"] ?? .null))
                }
            }
        }
    }

    private static func withoutNulls(_ value: JSONValue?) -> JSONObject {
        JSONObject((value?.object?.members ?? []).filter { !$0.value.isNull })
    }
}
