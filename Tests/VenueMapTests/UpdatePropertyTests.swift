import Foundation
import IMDF
import SampleVenue
import Testing
import VenueMap

/// Maps that follow random changes, compared with maps that are built from scratch after every step.
@Suite struct UpdatePropertyTests {
    private static let positions = [(0.5, 0.5), (3.5, 2.5), (6, 6)].map { Position(longitude: $0.0, latitude: $0.1) }
    private static let types: [FeatureType] = [
        .level, .level, .building, .unit, .unit, .unit, .anchor, .anchor, .occupant, .occupant, .amenity, .kiosk,
        .relationship, .opening, .address, .footprint, FeatureType(rawValue: "attraction"),
    ]
    /// Few ids, so that most references name something, sometimes of the wrong type.
    private static let ids = 1...36

    private func queries(_ map: VenueMap) -> MapQueries {
        MapQueries(map, at: Self.positions, texts: ["shop", "2", "restroom", ""], categories: ["restroom", "shop"])
    }

    private static func geometry(_ type: FeatureType, using random: inout SplitMix64) -> JSONValue {
        let (x, y) = (Double(Int.random(in: 0...6, using: &random)), Double(Int.random(in: 0...6, using: &random)))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return nil
        case 1: return ["type": "LineString", "coordinates": [[.number(x), .number(y)], [.number(y), .number(x)]]]
        case 2...4 where type != .level: return Make.point(x, y)
        default: return Make.polygon(Make.square(x, y, Double(Int.random(in: 1...4, using: &random))))
        }
    }

    private static func entry(_ id: Int, using random: inout SplitMix64) -> VenueMap.Entry {
        func reference() -> JSONValue { Make.id(Int.random(in: Self.ids, using: &random)) }
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
        guard number(0...30) > 0 else {
            return .init(id: FeatureID(id), type: .unit, level: FeatureID(number(1...8)), body: Array("{".utf8))
        }
        let type = Self.types[number(0...Self.types.count - 1)]
        var properties: JSONObject = ["category": number(0...1) == 0 ? "restroom" : "shop"]
        if number(0...1) == 0 { properties["name"] = ["en": .string("Shop \(number(0...5))")] }
        switch type {
        case .level:
            properties["ordinal"] = .number(Double(number(-1...2)))
            properties["building_ids"] = [reference()]
        case .anchor: properties["unit_id"] = reference()
        case .occupant, .kiosk: properties["anchor_id"] = reference()
        case .amenity: properties["unit_ids"] = [reference(), reference(), nil]
        case .relationship: properties["origin"] = ["id": reference()]
        default: if number(0...3) == 0 { properties["other"] = reference() }
        }
        if number(0...5) == 0 { properties["hours"] = "Mo-Fr 10:00-18:00" }
        let entry = VenueMap.Entry(id, type, .object(properties), geometry: Self.geometry(type, using: &random))
        let level = type == .level || number(0...2) == 0 ? nil : FeatureID(number(1...8))
        return .init(id: entry.id, type: type, level: level, body: entry.body)
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func `an updated map equals a new map of the same features`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var entries: [FeatureID: VenueMap.Entry] = [:]
        for id in Self.ids where Bool.random(using: &random) {
            entries[FeatureID(id)] = Self.entry(id, using: &random)
        }
        var map = VenueMap(entries.values, timeZone: "Asia/Tokyo")
        for step in 0..<12 {
            let before = VenueMap(entries.values, timeZone: "Asia/Tokyo")
            let put = Self.ids.shuffled(using: &random).prefix(.random(in: 0...5, using: &random))
                .map { Self.entry($0, using: &random) }
            let removed = Self.ids.shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
                .map { FeatureID($0) }
            for id in removed { entries[id] = nil }
            for entry in put { entries[entry.id] = entry }
            let update = map.update(putting: put, removing: removed)
            let fresh = VenueMap(entries.values, timeZone: "Asia/Tokyo")
            try #require(self.queries(map) == self.queries(fresh), "step \(step)")

            #expect(update.changes.map(\.id) == update.changes.map(\.id).sorted())
            let kinds = Dictionary(uniqueKeysWithValues: update.changes.map { ($0.id, $0.kind) })
            #expect(kinds == MapUpdate.expected(from: before, to: fresh), "step \(step)")
            for change in update.changes {
                #expect(change.old == before.drawn(change.id) && change.new == fresh.drawn(change.id))
                #expect(!change.aspects.isEmpty)
            }
        }
    }

    @Test(arguments: 0..<2 as Range<UInt64>)
    func `an updated map of a venue follows its revisions`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 8, seed: seed))
        var entries = Self.entries(of: venue)
        var map = VenueMap(entries.values)
        let kinds: [Edit.Kind] = [
            .rename, .move, .recategorise, .hours, .add, .remove, .relevel, .retype, .floor, .removeFloor,
        ]
        for kind in kinds.shuffled(using: &random) {
            _ = venue.apply(Edit(kind, [.floor, .removeFloor].contains(kind) ? nil : 3), using: &random)
            let next = Self.entries(of: venue)
            map.update(
                putting: next.values.filter { entries[$0.id] != $0 }, removing: entries.keys.filter { next[$0] == nil })
            entries = next
            try #require(self.queries(map) == self.queries(VenueMap(entries.values)), "after \(kind)")
        }
    }

    private static func entries(of venue: SampleVenue) -> [FeatureID: VenueMap.Entry] {
        Dictionary(
            uniqueKeysWithValues: venue.features.map { feature in
                let level = feature["level_id"]?.string.flatMap { FeatureID($0) }
                let body = CanonicalJSON.data(.object(feature.body))
                return (feature.id, VenueMap.Entry(id: feature.id, type: feature.type, level: level, body: body))
            })
    }
}
