import Foundation
import IMDF
import SampleVenue
import Testing
import VenueMap

@Suite struct CollectionTests {
    private static let parts: JSONValue = [
        "type": "MultiPolygon",
        "coordinates": [
            [Make.ring(Make.square(0, 0, 4)), Make.ring(Make.square(1, 1, 1))], [Make.ring(Make.square(10, 10, 2))],
        ],
    ]

    /// A level with a plain unit, one with two polygons, a broken one, a lift that touches it, and a body that is not JSON.
    private static let map = VenueMap([
        .init(1, .level, ["ordinal": 0], geometry: Make.polygon(Make.square(0, 0, 20))),
        .init(2, .unit, on: 1, ["name": ["en": "\"properties\":{"]], geometry: Make.polygon(Make.square(0, 0, 1))),
        .init(3, .unit, on: 1, geometry: Self.parts),
        .init(4, .unit, on: 1, ["id": "mine"], geometry: ["type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]]),
        .init(5, .unit, touching: [1, 9], nil, geometry: Make.polygon(Make.square(5, 5, 1))),
        VenueMap.Entry(
            id: FeatureID(6), type: .unit, placement: Placement(level: FeatureID(1)), body: Array("{\"id\":".utf8)),
        VenueMap.Entry(
            id: FeatureID(7), type: .unit, placement: Placement(level: FeatureID(1)),
            body: Array("{\"properties\":{\"a\":1}}".utf8)),
        .init(8, .occupant, on: 1, ["name": ["en": "Shop"]]),
    ])

    private func members(_ type: FeatureType, _ options: CollectionOptions = .init()) throws -> [JSONValue] {
        let json = try Self.map.collection(of: type, on: FeatureID(1), options: options).json
        #expect(json["type"] == "FeatureCollection")
        return try #require(json["features"]?.array)
    }

    @Test func `a collection has Features with a string id, an object as properties, and a geometry or null`()
        throws
    {
        let members = try self.members(.unit)
        #expect(members.map { $0["id"] } == [2, 3, 4, 5, 7].map { Make.id($0) })
        for member in members {
            #expect(member["type"] == "Feature")
            #expect(member["properties"]?.object != nil)
            #expect(member["geometry"] != nil)
        }
        #expect(members.map { $0["geometry"]?["type"]?.string } == ["Polygon", "MultiPolygon", nil, "Polygon", nil])
        #expect(Self.map.unreadable == [FeatureID(6)])
        #expect(try self.members(.occupant).map { $0["geometry"] } == [.some(.null)])
    }

    @Test func `a collection leaves out features without a geometry on request`() throws {
        #expect(try self.members(.unit, .init(needsGeometry: true)).map { $0["id"] } == [2, 3, 5].map { Make.id($0) })
        #expect(try self.members(.occupant, .init(needsGeometry: true)).isEmpty)
    }

    @Test func `a collection repeats the id as a property on request and changes nothing else`() throws {
        let plain = try self.members(.unit)
        let promoted = try self.members(.unit, .init(idProperty: "id"))
        #expect(promoted.map { $0["properties"]?["id"] } == [2, 3, 4, 5, 7].map { Make.id($0) })
        for (before, after) in zip(plain, promoted) {
            var before = try #require(before.object)
            var properties = try #require(before["properties"]?.object)
            properties["id"] = before["id"]
            before["properties"] = .object(properties)
            #expect(after == .object(before))
        }
        let text = String(
            decoding: Self.map.collection(of: .unit, on: FeatureID(1), options: .init(idProperty: "a\"b")),
            as: UTF8.self)
        #expect(text.contains("\"properties\":{\"a\\\"b\":\"\(FeatureID(2))\",\"name\""))
    }

    @Test func `a collection splits MultiPolygons on request and keeps holes`() throws {
        let members = try self.members(.unit, .init(idProperty: "id", splitsMultiPolygons: true))
        let parts = members.filter { $0["id"]?.string?.hasPrefix(FeatureID(3).description) == true }
        #expect(parts.map { $0["id"]?.string } == ["\(FeatureID(3))#1", "\(FeatureID(3))#2"])
        #expect(parts.map { $0["properties"]?["id"] } == parts.map { $0["id"] })
        #expect(parts.map { $0["geometry"]?["type"] } == ["Polygon", "Polygon"])
        #expect(parts.map { $0["geometry"]?["coordinates"] } == Self.parts["coordinates"]?.array ?? [])
    }

    @Test func `a collection copies bodies that need no change`() throws {
        let venue = SampleVenue(.small)
        let map = VenueMap(venue)
        var seen: Set<FeatureID> = []
        for level in [nil] + venue.features.filter({ $0.type == .level }).map({ Optional($0.id) }) {
            for type in map.types(on: level) {
                let features = map.features(of: type, on: level)
                let expected = features.map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: ",")
                #expect(
                    String(decoding: map.collection(of: type, on: level), as: UTF8.self)
                        == "{\"features\":[\(expected)],\"type\":\"FeatureCollection\"}")
                seen.formUnion(features.map(\.id))
            }
        }
        #expect(seen.count == venue.features.count)
        #expect(map.unreadable.isEmpty)
    }
}
