import IMDF
import SampleVenue
import Testing

@Suite struct StrictProfileTests {
    typealias Entry = (id: FeatureID, type: FeatureType, body: JSONValue)

    static let square: JSONValue = ["type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]]
    static let point: JSONValue = ["type": "Point", "coordinates": [0.5, 0.5]]
    static let line: JSONValue = ["type": "LineString", "coordinates": [[0, 0], [1, 0]]]

    static func id(_ number: Int) -> JSONValue { .string(FeatureID(number).description) }

    static func entry(_ id: Int, _ type: FeatureType, _ geometry: JSONValue, _ properties: JSONValue) -> Entry {
        (FeatureID(id), type, ["type": "Feature", "geometry": geometry, "properties": properties])
    }

    static let level: JSONValue = [
        "category": "unspecified", "ordinal": 0, "short_name": ["en": "G"], "outdoor": false,
    ]

    static func occupant(_ properties: JSONObject) -> JSONValue {
        var properties = properties
        properties["category"] = "foodservice"
        properties["name"] = ["en": "Baker"]
        return .object(properties)
    }

    /// One feature of each type, and everything in order.
    static let venue: [Entry] = [
        Self.entry(1, .address, nil, ["address": "1 Main St", "locality": "Tokyo", "country": "JP"]),
        Self.entry(2, .venue, Self.square, ["category": "stadium", "website": "https://example.com"]),
        Self.entry(3, .building, nil, ["category": "parking"]),
        Self.entry(4, .footprint, Self.square, ["category": "ground", "building_ids": [Self.id(3)]]),
        Self.entry(5, .level, Self.square, Self.level),
        Self.entry(6, .unit, Self.square, ["category": "room", "level_id": Self.id(5)]),
        Self.entry(7, .anchor, Self.point, ["unit_id": Self.id(6)]),
        Self.entry(
            8, .occupant, nil, Self.occupant(["anchor_id": Self.id(7), "hours": nil, "phone": "+815012345678"])),
        Self.entry(
            9, .amenity, Self.point, ["category": "atm", "unit_ids": [Self.id(6)], "hours": "24/7"]),
        Self.entry(10, .opening, Self.line, ["category": "pedestrian", "level_id": Self.id(5)]),
        Self.entry(11, .detail, Self.line, ["level_id": Self.id(5)]),
        Self.entry(12, .kiosk, Self.square, ["level_id": Self.id(5), "anchor_id": Self.id(7)]),
        Self.entry(13, .fixture, Self.square, ["level_id": Self.id(5), "anchor_id": nil]),
        Self.entry(14, .section, Self.square, ["level_id": Self.id(5)]),
        Self.entry(15, .geofence, Self.square, ["category": "concourse", "level_ids": [Self.id(99)]]),
        Self.entry(
            16, .relationship, nil,
            ["category": "elevator", "direction": "undirected", "origin": ["id": Self.id(99)]]),
        Self.entry(17, .init(rawValue: "navPath"), Self.line, [:]),
    ]

    private static func outcome(replacing replacement: Entry) -> StrictProfile.Outcome {
        StrictProfile.outcome(of: self.venue.filter { $0.id != replacement.id } + [replacement])
    }

    private static func gone(_ outcome: StrictProfile.Outcome) -> Set<UInt64> {
        Set(self.venue.map(\.id).filter { !outcome.survivors.contains($0) }.map(\.low))
    }

    @Test func `strict profile: a valid venue is accepted completely`() {
        let outcome = StrictProfile.outcome(of: Self.venue)
        #expect(outcome.survivors.count == Self.venue.count)
        #expect(outcome.leftOut.isEmpty)
    }

    @Test func `strict profile: features that require a left-out feature are left out`() {
        let outcome = Self.outcome(replacing: Self.entry(5, .level, Self.point, Self.level))
        #expect(Self.gone(outcome) == [5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
        #expect(outcome.leftOut == [.geometry: 1, .dependency: 9])
        #expect(outcome.leftOutCount == 10)
    }

    @Test func `strict profile: a dangling anchor leaves out its occupants and kiosks`() {
        let outcome = Self.outcome(replacing: Self.entry(7, .anchor, Self.point, ["unit_id": Self.id(99)]))
        #expect(Self.gone(outcome) == [7, 8, 12])
        #expect(outcome.leftOut == [.reference: 1, .dependency: 2])
    }

    @Test(arguments: [
        Self.entry(8, .occupant, nil, Self.occupant(["anchor_id": Self.id(6)])),
        Self.entry(8, .occupant, nil, Self.occupant(["anchor_id": "u1"])),
        Self.entry(8, .occupant, nil, Self.occupant([:])),
        Self.entry(8, .occupant, nil, Self.occupant(["anchor_id": 7])),
        Self.entry(9, .amenity, Self.point, ["category": "atm", "unit_ids": []]),
        Self.entry(9, .amenity, Self.point, ["category": "atm", "unit_ids": Self.id(6)]),
        Self.entry(9, .amenity, Self.point, ["category": "atm", "unit_ids": [Self.id(6), Self.id(99)]]),
        Self.entry(9, .amenity, Self.point, ["category": "atm", "unit_id": Self.id(6)]),
        Self.entry(10, .opening, Self.line, ["category": "pedestrian", "level_id": nil]),
        Self.entry(14, .section, Self.square, [:]),
        Self.entry(15, .geofence, Self.square, ["category": "concourse", "level_id": Self.id(6)]),
        Self.entry(17, .init(rawValue: "navPath"), nil, ["unit_ids": [Self.id(5)]]),
        Self.entry(17, .init(rawValue: "navPath"), nil, ["anchor_id": Self.id(99)]),
    ])
    func `strict profile: a required reference must name a feature of its type`(entry: Entry) {
        let outcome = Self.outcome(replacing: entry)
        #expect(Self.gone(outcome) == [entry.id.low])
        #expect(outcome.leftOut == [.reference: 1])
    }

    @Test func `strict profile: references ignore case`() {
        let anchor = JSONValue.string(FeatureID(0xABCDEF).description.uppercased())
        let outcome = StrictProfile.outcome(
            of: Self.venue + [
                Self.entry(0xABCDEF, .anchor, Self.point, ["unit_id": Self.id(6)]),
                Self.entry(18, .occupant, nil, Self.occupant(["anchor_id": anchor])),
            ])
        #expect(outcome.leftOut.isEmpty)
    }

    @Test(
        arguments: [
            ("website", "", StrictProfile.Reason.website), ("website", 1, .website), ("hours", 8, .contact),
            ("phone", [:], .contact), ("hours", ["Mo"], .contact),
        ] as [(String, JSONValue, StrictProfile.Reason)])
    func `strict profile: a member of the wrong type leaves out its feature`(
        key: String, value: JSONValue, reason: StrictProfile.Reason
    ) {
        let properties: JSONObject = ["level_id": Self.id(5), key: value]
        let outcome = Self.outcome(replacing: Self.entry(13, .fixture, Self.square, .object(properties)))
        #expect(Self.gone(outcome) == [13])
        #expect(outcome.leftOut == [reason: 1])
    }

    @Test(
        arguments: [
            ["type": "Feature", "geometry": nil], ["type": "Feature", "geometry": nil, "properties": nil],
            ["type": "Feature", "geometry": nil, "properties": []],
            ["type": "Point", "geometry": nil, "properties": [:]],
            ["geometry": nil, "properties": [:]], 7,
        ] as [JSONValue])
    func `strict profile: a body without properties is refused`(body: JSONValue) {
        #expect(StrictProfile.outcome(of: [(FeatureID(1), .building, body)]).leftOut == [.shape: 1])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `strict profile: the selection is closed and as large as possible`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let entries = (0..<40).map { number in
                let type = [FeatureType.level, .unit, .anchor, .occupant].randomElement(using: &random) ?? .unit
                let target = Self.id(Int.random(in: 0..<42, using: &random))
                let (geometry, key) =
                    switch type {
                    case .level: (Bool.random(using: &random) ? Self.square : Self.point, "alt_name")
                    case .unit: (Self.square, "level_id")
                    case .anchor: (Self.point, "unit_id")
                    default: (JSONValue.null, "anchor_id")
                    }
                var properties = Self.level.object ?? [:]
                properties["name"] = ["en": "Shop"]
                properties[key] = target
                return Self.entry(number, type, geometry, .object(properties))
            }
            // From everything that is well-formed by itself, take away what names nothing that is left, until it stays.
            let right: [FeatureType: (key: String, type: FeatureType)] = [
                .unit: ("level_id", .level), .anchor: ("unit_id", .unit), .occupant: ("anchor_id", .anchor),
            ]
            var left = entries.filter { $0.type != .level || $0.body["geometry"] == Self.square }
            while true {
                let next = left.filter { entry in
                    guard let rule = right[entry.type] else { return true }
                    return left.contains { target in
                        target.type == rule.type
                            && .string(target.id.description) == entry.body["properties"]?[rule.key]
                    }
                }
                if next.count == left.count { break }
                left = next
            }
            let outcome = StrictProfile.outcome(of: entries.shuffled(using: &random))
            #expect(outcome.survivors == Set(left.map(\.id)))
            #expect(outcome.leftOutCount == entries.count - left.count)
        }
    }
}
