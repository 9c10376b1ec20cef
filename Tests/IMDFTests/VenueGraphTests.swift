import IMDF
import SampleVenue
import Testing

@Suite struct VenueGraphTests {
    typealias Entry = (id: FeatureID, type: FeatureType, body: JSONValue, placement: Placement)

    private static func entry(
        _ id: Int, _ type: FeatureType, on level: Int? = nil, touching touches: [Int] = [], _ properties: JSONValue
    ) -> Entry {
        (
            FeatureID(id), type, ["properties": properties],
            Placement(level: level.map { FeatureID($0) }, touches: touches.map { FeatureID($0) })
        )
    }

    private static func level(_ id: Int, _ ordinal: JSONValue, in building: Int?) -> Entry {
        let buildings = building.map { JSONValue.array([.string(FeatureID($0).description)]) } ?? nil
        return self.entry(
            id, .level,
            ["ordinal": ordinal, "building_ids": buildings, "short_name": ["en": .string("\(ordinal.number ?? 0)")]])
    }

    private static func id(_ number: Int) -> JSONValue { .string(FeatureID(number).description) }

    /// Two buildings, a basement, an outdoor level, and levels that do not say where they are.
    private static let mall: [Entry] = [
        Self.entry(1, .building, [:]), Self.entry(2, .building, [:]),
        Self.level(10, 0, in: 2), Self.level(11, 0, in: 1), Self.level(12, 3, in: 1), Self.level(13, -1, in: 2),
        Self.level(14, 0, in: nil), Self.level(15, "1", in: 1), Self.level(16, 1.5, in: 99),
        Self.level(17, 1e300, in: 1),
        Self.entry(20, .unit, on: 10, ["name": ["en": "Shop"]]), Self.entry(21, .unit, on: 10, ["name": 7]),
        Self.entry(22, .unit, touching: [10, 13], [:]),
        Self.entry(30, .anchor, on: 10, ["unit_id": Self.id(20)]), Self.entry(31, .anchor, ["unit_id": Self.id(99)]),
        Self.entry(40, .occupant, on: 10, ["anchor_id": Self.id(30)]),
        Self.entry(41, .occupant, ["anchor_id": Self.id(31)]),
        Self.entry(42, .occupant, ["anchor_id": Self.id(20)]), Self.entry(43, .occupant, ["anchor_id": nil]),
        Self.entry(44, .occupant, on: 10, ["anchor_id": Self.id(30)]),
        Self.entry(50, .amenity, on: 10, ["unit_ids": [Self.id(20), Self.id(21), Self.id(99), Self.id(20), 5]]),
        Self.entry(60, .opening, on: 10, [:]), Self.entry(61, .kiosk, on: 10, [:]),
        Self.entry(62, .fixture, on: 10, [:]),
        Self.entry(63, .section, on: 10, [:]), Self.entry(64, .detail, on: 10, 7),
    ]

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `venue graph: floors contain the levels of all buildings, the highest ordinal first`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let graph = VenueGraph(Self.mall.shuffled(using: &random))
        #expect(graph.floors.map(\.ordinal) == [3, 0, -1, nil])
        #expect(graph.floors.map { $0.levels.map(\.id.low) } == [[12], [11, 10, 14], [13], [15, 17, 16]])
        #expect(graph.levels.count == 8)
        #expect(graph == VenueGraph(Self.mall))
    }

    @Test func `venue graph: a level contains the features placed on it`() throws {
        let level = try #require(VenueGraph(Self.mall).levels.first { $0.id == FeatureID(10) })
        #expect(level.shortName?.text() == "0.0")
        #expect(level.buildings == [FeatureID(2)])
        #expect(level.units.map(\.id) == [FeatureID(20), FeatureID(21)])
        #expect(level.units.map { $0.name?.text() } == ["Shop", nil])
        #expect(level.openings == [FeatureID(60)])
        #expect(level.kiosks == [FeatureID(61)])
        #expect(level.fixtures == [FeatureID(62)])
        #expect(level.sections == [FeatureID(63)])
        #expect(level.details == [FeatureID(64)])
        #expect(level.spanning == [FeatureID(22)])
    }

    @Test func `venue graph: a unit has its amenities, and its occupants by their anchors`() throws {
        let level = try #require(VenueGraph(Self.mall).levels.first { $0.id == FeatureID(10) })
        #expect(level.units.map(\.amenities) == [[FeatureID(50)], [FeatureID(50)]])
        #expect(level.units.map(\.occupants) == [[FeatureID(40), FeatureID(44)], []])
    }

    /// The building 99, the unit 99 of an amenity and of an occupant's anchor, the number among units, the anchor 20.
    @Test func `venue graph: a dangling reference is counted and affects nothing else`() {
        #expect(VenueGraph(Self.mall).danglingReferences == 5)
    }
}
