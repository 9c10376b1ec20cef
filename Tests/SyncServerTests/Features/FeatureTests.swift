import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct FeatureTests {
    private static let features = "/venues/mall/revisions/1/features"

    @Test func `features of a revision are those that were uploaded`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        let bodies = try await harness.features(at: 1)
        #expect(bodies.count == venue.features.count && Set(bodies) == Set(venue.bodies.values))
        try await harness.push(venue.edited(Edit(.rename, 3), Edit(.remove, 1)).archive())
        #expect(try await harness.features(at: 1) == bodies)
        try await harness.send(.get, "/venues/mall/revisions/3/features").problem(404)
        for number in ["0", "-1", "one", "99999999999999999999"] {
            try await harness.send(.get, "/venues/mall/revisions/\(number)/features").problem(404)
        }
    }

    @Test func `type filter ignores case, and an export writes such types to one file`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        let occupants = venue.features.indices.filter { venue.features[$0].type == .occupant }
        let odd = try #require(occupants.first)
        venue.features[odd].type = FeatureType(rawValue: "Occupant")
        try await harness.push(venue.archive())
        let ids = Set(occupants.map { venue.features[$0].id })
        for type in ["occupant", "Occupant", "OCCUPANT"] {
            let found = try await harness.send(.get, "\(Self.features)?type=\(type)").features
            #expect(Set(try found.map { try Handmade.id(of: $0) }) == ids, "\(type)")
        }
        let archive = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip").data
        let files = try ArchiveReader().read(bytes: Array(archive)).fileNames
        #expect(files[venue.features[odd].type] == "occupant.geojson")
    }

    @Test func `feature collection: every member satisfies a strict decoder`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.extended.archive())
        let document = try await harness.send(.get, Self.features).json
        #expect(document["type"] == "FeatureCollection")
        for feature in try #require(document["features"]?.array) {
            let id = try #require(feature["id"]?.string)
            #expect(FeatureID(id)?.description == id)
            #expect(feature["type"] == "Feature" && feature["properties"]?.object != nil)
            let geometry = try #require(feature["geometry"])
            #expect(geometry["type"] != "GeometryCollection")
            let type = FeatureType(rawValue: try #require(feature["feature_type"]?.string))
            if [.address, .building, .occupant].contains(type) { #expect(geometry.isNull, "\(id)") }
        }
    }

    @Test func `feature collections and features are GeoJSON without a byte order mark`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let id = SampleVenue.tiny.features[0].id
        for path in [Self.features, "\(Self.features)?type=unit", "/venues/mall/features/\(id)"] {
            let response = try await harness.send(.get, path)
            #expect(response.headers[.contentType]?.hasPrefix("application/geo+json") == true)
            #expect(response.data.first == UInt8(ascii: "{"))
        }
    }

    @Test func `type filter returns the features of a type, and none for an unknown type`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        for type in FeatureType.standard + [.attraction] {
            let bodies = try await harness.features(at: 1, "type=\(type.rawValue)")
            #expect(Set(try bodies.map(Handmade.id(of:))) == venue.ids(of: type), "\(type.rawValue)")
        }
        #expect(try await harness.features(at: 1, "type=unheard-of").isEmpty)
    }

    @Test func `level filter partitions a revision into the same parts as sync`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let whole = Set(try await harness.features(at: 1))
        var parts: [[UInt8]] = []
        for block in try await harness.sync().blocks {
            let part = try await harness.features(at: 1, "level=\(block.level?.description ?? "venue")")
            #expect(Set(part) == Set(block.features) && part.count == block.features.count)
            parts += part
        }
        #expect(parts.count == whole.count && Set(parts) == whole)
        #expect(try await harness.features(at: 1, "level=\(Handmade.id(3))").isEmpty)
        for query in ["level=foo", "spanning=perhaps", "strict=1", "has_geometry=maybe"] {
            try await harness.send(.get, "\(Self.features)?\(query)").problem(400)
        }
    }

    @Test func `level and type filters can be combined`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let level = try #require(venue.ids(of: .level).sorted().first)
        let units = venue.features.filter { $0.type == .unit && $0["level_id"]?.string == level.description }
        let bodies = try await harness.features(at: 1, "level=\(level.description.uppercased())&type=unit")
        #expect(Set(try bodies.map(Handmade.id(of:))) == Set(units.map(\.id)) && !units.isEmpty)
    }

    @Test func `spanning filter adds features that touch several levels`() async throws {
        let harness = Harness.current
        let lift: JSONValue = [
            "category": "elevator", "unit_ids": [Handmade.reference(4), Handmade.reference(5)],
        ]
        let zip = try Handmade.zip([
            Handmade.feature(1, .venue, geometry: Handmade.square()),
            Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
            Handmade.feature(3, .level, ["ordinal": 1], geometry: Handmade.square()),
            Handmade.feature(4, .unit, ["level_id": Handmade.reference(2)], geometry: Handmade.square(0.0005)),
            Handmade.feature(5, .unit, ["level_id": Handmade.reference(3)], geometry: Handmade.square(0.0005)),
            Handmade.feature(6, .amenity, lift, geometry: Handmade.point),
            Handmade.feature(7, .amenity, ["unit_ids": []], geometry: Handmade.point),
        ])
        try await harness.push(zip)
        func ids(_ query: String) async throws -> Set<FeatureID> {
            Set(try await harness.features(at: 1, query).map(Handmade.id(of:)))
        }
        #expect(try await ids("level=\(Handmade.id(2))") == [Handmade.id(4)])
        let floor = try await ids("level=\(Handmade.id(2))&spanning=true")
        #expect(floor.isSuperset(of: [Handmade.id(4), Handmade.id(6)]))
        #expect(floor.isDisjoint(with: [Handmade.id(1), Handmade.id(5), Handmade.id(7)]))
        #expect(try await ids("level=venue").isSuperset(of: [1, 2, 3, 6, 7].map { Handmade.id($0) }))
    }

    @Test func `geometry filter leaves out features without a geometry`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let bodies = try await harness.features(at: 1, "has_geometry=true")
        let expected = venue.features.filter { !$0.geometry.isNull }.map(\.id)
        #expect(Set(try bodies.map(Handmade.id(of:))) == Set(expected) && expected.count < venue.features.count)
        #expect(try await harness.features(at: 1, "has_geometry=true&type=address").isEmpty)
        #expect(try await harness.features(at: 1, "has_geometry=false").count == venue.features.count)
    }

    @Test func `feature is found by its id in either case`() async throws {
        let harness = Harness.current
        let feature = SampleVenue.tiny.features[0]
        try await harness.push(SampleVenue.tiny.archive())
        for id in [feature.id.description, feature.id.description.uppercased()] {
            let response = try await harness.send(.get, "/venues/mall/features/\(id)")
            #expect(response.status == .ok && Array(response.data) == CanonicalJSON.data(.object(feature.body)))
        }
        for id in ["\(Handmade.id(1))", "mall", "%00"] {
            try await harness.send(.get, "/venues/mall/features/\(id)").problem(404)
            try await harness.send(.get, "/venues/mall/features/\(id)/history").problem(404)
        }
    }

    @Test func `uppercase ids are stored in lowercase, and so are references to them`() async throws {
        let harness = Harness.current
        let (venue, level) = ("0000000a-0000-4000-8000-00000000000b", "0000000c-0000-4000-8000-00000000000d")
        func feature(_ id: String, _ type: FeatureType, _ properties: JSONValue) -> JSONValue {
            var feature = Handmade.feature(1, type, properties, geometry: Handmade.square()).object ?? [:]
            feature["id"] = .string(id)
            return .object(feature)
        }
        let zip = try Handmade.zip([
            feature(venue.uppercased(), .venue, [:]), feature(level, .level, ["ordinal": 0]),
            Handmade.feature(
                2, .unit, ["level_id": .string(level.uppercased()), "name": ["en": .string(level.uppercased())]]),
        ])
        try await harness.push(zip)
        #expect(try await harness.send(.get, "/venues/mall/features/\(venue)").json["id"]?.string == venue)
        let unit = try await harness.send(.get, "/venues/mall/features/\(Handmade.id(2))").json["properties"]
        #expect(unit?["level_id"]?.string == level)
        #expect(unit?["name"]?["en"]?.string == level.uppercased())  // a label, although it looks like an id
        #expect(try await harness.features(at: 1, "level=\(level)").count == 1)
    }
}
