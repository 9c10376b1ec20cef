import Foundation
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

    /// What the clients in all languages have in common: `Tests/Conformance/touched-levels.json`.
    private static let shared = Result {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Array(Data(contentsOf: tests.appending(path: "Conformance/touched-levels.json"))).json
    }

    private static func integer(_ value: JSONValue?) throws -> Int {
        try #require(value?.number.flatMap { Int(exactly: $0) })
    }

    @Test(arguments: [false, true])
    func `venue-wide features touch the levels of all clients`(isReversed: Bool) throws {
        let shared = try Self.shared.get()
        let entries = try #require(shared["features"]?.array).map { feature in
            Self.entry(
                try Self.integer(feature["number"]),
                FeatureType(rawValue: try #require(feature["feature_type"]?.string)),
                on: feature["level"]?.number.flatMap { Int(exactly: $0) },
                Self.adapted(try #require(feature["properties"])))
        }
        let map = VenueMap(isReversed ? entries.reversed() : entries)
        let touched = try #require(shared["touched"]?.array)
        #expect(touched.count > 15)
        for pair in touched {
            let number = try Self.integer(pair.array?.first)
            let levels = try #require(pair.array?.last?.array).map { FeatureID(try Self.integer($0)) }
            #expect(map.features[FeatureID(number)]?.placement.touches == levels, "\(number)")
        }
    }

    /// The ids of the shared cases as ids of this suite.
    private static func adapted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text):
            guard text.hasPrefix("00000000-0000-4000-8000-"), let number = Int(text.suffix(12)) else { return value }
            return Make.id(number)
        case .array(let elements): return .array(elements.map(self.adapted))
        case .object(let object):
            return .object(JSONObject(object.members.map { .init(key: $0.key, value: self.adapted($0.value)) }))
        default: return value
        }
    }

    @Test func `a feature that leads to very many levels belongs to the whole venue`() throws {
        let maximum = try Self.integer(try Self.shared.get()["maximum"])
        let levels = Array(10_000...10_000 + maximum)
        func hub(_ number: Int, _ targets: some Sequence<Int>) -> VenueMap.Entry {
            Self.entry(number, FeatureType(rawValue: "hub"), ["all": .array(targets.map { Make.id($0) })])
        }
        let map = VenueMap(
            levels.map { Self.entry($0, .level) }
                + [hub(1, levels.dropFirst()), hub(2, levels), hub(3, [1]), hub(4, [1, levels[0]])])
        func touches(_ id: Int) -> [FeatureID] { map.features[FeatureID(id)]?.placement.touches ?? [] }
        let most = levels.dropFirst().map { FeatureID($0) }
        #expect([1, 2, 3, 4].map(touches) == [most, [], most, []])
        #expect(map.features(of: FeatureType(rawValue: "hub"), on: most[0]).map(\.id) == [FeatureID(1), FeatureID(3)])
    }
}
