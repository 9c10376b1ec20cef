import IMDF
import Testing
import VenueMap

/// The levels that a venue-wide feature touches, determined from a replica.
struct TouchedLevelTests {
    private static func entry(
        _ id: Int, _ type: FeatureType, on level: Int? = nil, _ properties: JSONValue = [:]
    ) -> VenueMap.Entry {
        let entry = VenueMap.Entry(id, type, on: level, properties)
        return .init(id: entry.id, type: type, level: level.map { FeatureID($0) }, body: entry.body)
    }

    @Test func `a lift touches the levels of its units, and so do features that refer to it`() {
        let map = VenueMap([
            Self.entry(1, .level), Self.entry(2, .level), Self.entry(3, .level), Self.entry(9, .building),
            Self.entry(11, .unit, on: 1), Self.entry(12, .unit, on: 2),
            Self.entry(20, .amenity, ["unit_ids": [Make.id(12), Make.id(11)]]),
            Self.entry(21, .relationship, ["origin": ["id": Make.id(20), "feature_type": "amenity"]]),
            Self.entry(22, .geofence, ["level_ids": [Make.id(3)], "building_ids": [Make.id(9)]]),
            Self.entry(23, .footprint, ["building_ids": [Make.id(9)], "note": Make.id(11)]),
            Self.entry(24, .occupant, ["anchor_id": Make.id(24), "others": [Make.id(25)]]),
            Self.entry(25, .occupant, ["others": [Make.id(24)]]),
        ])
        func touches(_ id: Int) -> [FeatureID] { map.features[FeatureID(id)]?.placement.touches ?? [] }
        #expect(touches(20) == [FeatureID(1), FeatureID(2)])
        #expect(touches(21) == touches(20))
        #expect(touches(22) == [FeatureID(3)])
        #expect(touches(23).isEmpty && touches(24).isEmpty && touches(25).isEmpty)
        #expect(touches(11).isEmpty, "it lies on one")
        #expect(map.features(of: .amenity, on: FeatureID(2)).map(\.id) == [FeatureID(20)])
        #expect(map.graph.levels.first { $0.id == FeatureID(1) }?.spanning.contains(FeatureID(20)) == true)
    }

    // Followed every way, it would be hours.
    @Test(.timeLimit(.minutes(30)))
    func `features that all refer to each other are processed in bounded time`() {
        let ids = Array(1...250)
        let everyone: JSONValue = ["others": .array(ids.map { Make.id($0) })]
        let crowd = ids.map { Self.entry($0, FeatureType(rawValue: "crowd"), everyone) }
        let map = VenueMap(crowd + [Self.entry(1_000, .level)])
        #expect(map.features.count == 251)
        #expect(map.features.values.allSatisfy { $0.placement.touches.isEmpty })
    }
}
