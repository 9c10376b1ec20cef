import IMDF
import Testing

/// What decoders require of the properties of each type, and what is repaired.
@Suite struct StrictBodyTests {
    private static func strict(_ type: FeatureType, _ properties: JSONValue) -> JSONValue? {
        let body = StrictProfileTests.entry(1, type, StrictProfileTests.square, properties).body
        return (StrictProfile.strictBody(of: type, body) ?? body)["properties"]
    }

    @Test(
        arguments: [
            (5, "category"), (5, "ordinal"), (5, "short_name"), (6, "category"), (8, "category"), (8, "name"),
            (9, "category"), (10, "category"), (3, "category"), (4, "category"), (4, "building_ids"), (1, "address"),
            (1, "locality"), (1, "country"), (15, "category"), (16, "category"), (16, "direction"),
        ] as [(Int, String)], [.none, .null, 0.5, [0]] as [JSONValue?])
    func `strict body: a feature without a required member is left out`(
        member: (id: Int, key: String), value: JSONValue?
    ) throws {
        var features = StrictProfileTests.venue
        let index = try #require(features.firstIndex { $0.id == FeatureID(member.id) })
        var body = try #require(features[index].body.object)
        var properties = try #require(body["properties"]?.object)
        properties[member.key] = value
        body["properties"] = .object(properties)
        features[index].body = .object(body)
        let outcome = StrictProfile.outcome(of: features)
        #expect(outcome.leftOut[.member] == 1)
        #expect(!outcome.survivors.contains(FeatureID(member.id)))
    }

    @Test(
        arguments: [
            (.unit, "name", "Shop", ["und": "Shop"]), (.unit, "name", 7, .null),
            (.unit, "name", ["en": "Shop", "ja": nil], ["en": "Shop"]), (.unit, "name", ["en": nil], .null),
            (.unit, "name", [:], [:]), (.unit, "display_point", [1, 2], .null),
            (.unit, "display_point", StrictProfileTests.point, StrictProfileTests.point),
            (.level, "short_name", "1F", ["und": "1F"]), (.level, "outdoor", "yes", false),
            (.level, "building_ids", [1], .null), (.level, "building_ids", ["b1"], ["b1"]),
            (.anchor, "address_id", 7, .null), (.address, "province", ["JP"], .null),
            (.venue, "category", 7, "unspecified"), (.venue, "website", "x", .null), (.venue, "hours", 24, .null),
        ] as [(FeatureType, String, JSONValue, JSONValue)])
    func `strict body: a malformed optional member is repaired`(
        type: FeatureType, key: String, value: JSONValue, expected: JSONValue
    ) {
        #expect(Self.strict(type, .object([key: value]))?[key] == .some(expected))
    }

    @Test func `strict body: only outdoor and the category of a venue are added where they are missing`() {
        #expect(Self.strict(.level, [:]) == .some(["outdoor": false]))
        #expect(Self.strict(.venue, [:]) == .some(["category": "unspecified"]))
        for type in FeatureType.standard where type != .level && type != .venue {
            #expect(Self.strict(type, [:]) == .some([:]), "\(type.rawValue)")
        }
    }

    @Test(arguments: [nil, "text", 7, ["id": "x"], ["type": "Point", "properties": []]] as [JSONValue])
    func `strict body: a venue is never left out`(body: JSONValue) throws {
        let body = body.object.map { JSONValue.object($0) } ?? ["type": "Feature", "properties": body]
        #expect(StrictProfile.outcome(of: [(FeatureID(1), .venue, body)]).survivors == [FeatureID(1)])
        let strict = try #require(StrictProfile.strictBody(of: .venue, body))
        #expect(strict["type"] == "Feature" && strict["geometry"] == .some(.null))
        #expect(strict["properties"] == .some(["category": "unspecified"]))
    }

    @Test func `strict body: members that become ambiguous without snake_case are removed`() {
        let level = StrictProfileTests.id(5)
        for key in ["levelId", "Level_Id", "LEVEL_ID", "level__id"] {
            let properties: JSONValue = .object(["level_id": level, key: "x", "_level_id": 1, "levelid": 2])
            #expect(
                Self.strict(.unit, properties) == .some(["level_id": level, "_level_id": 1, "levelid": 2]), "\(key)")
        }
    }

    @Test func `strict body: a valid feature and an extension stay as they are`() {
        for entry in StrictProfileTests.venue {
            #expect(StrictProfile.strictBody(of: entry.type, entry.body) == nil, "\(entry.type.rawValue)")
        }
        let body: JSONValue = ["type": "Feature", "properties": ["name": "path", "levelId": 1, "outdoor": nil]]
        #expect(StrictProfile.strictBody(of: FeatureType(rawValue: "navPath"), body) == nil)
    }
}
