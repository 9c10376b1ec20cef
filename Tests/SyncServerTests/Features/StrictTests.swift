import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Collections and archives for decoders that reject a whole venue because of one member.
@Suite(.server)
struct StrictTests {
    /// The members that decoders require of every unit, opening and occupant here.
    private static func members(_ key: String, _ number: Int, _ others: JSONObject = [:]) -> JSONValue {
        var members = others
        members["category"] = "unspecified"
        members["name"] = ["en": "Baker"]
        members[key] = Handmade.reference(number)
        return .object(members)
    }
    private static let level = members("level_id", 2)

    private static let features = sound + flawed

    private static let sound: [JSONValue] = [
        Handmade.feature(
            1, .venue, ["category": "stadium", "website": "https://example.com/"], geometry: Handmade.square()),
        Handmade.feature(
            2, .level, ["ordinal": 0, "category": "unspecified", "short_name": ["en": "G"], "outdoor": true],
            geometry: Handmade.square()),
        Handmade.feature(3, .unit, level, geometry: Handmade.square(0.0005)),
        Handmade.feature(4, .anchor, ["unit_id": Handmade.reference(3)], geometry: Handmade.point),
        Handmade.feature(5, .occupant, members("anchor_id", 4, ["website": nil, "hours": nil])),
        Handmade.feature(
            6, .amenity, ["category": "atm", "unit_ids": [Handmade.reference(3)]], geometry: Handmade.point),
    ]

    /// Each is invalid or depends on an invalid feature.
    private static let flawed: [JSONValue] = [
        // A missing level removes the unit, the anchor and the occupant.
        Handmade.feature(20, .unit, members("level_id", 90), geometry: Handmade.square(0.0005)),
        Handmade.feature(21, .anchor, ["unit_id": Handmade.reference(20)], geometry: Handmade.point),
        Handmade.feature(22, .occupant, members("anchor_id", 21)),
        Handmade.feature(
            23, .amenity, ["category": "atm", "unit_ids": [Handmade.reference(3), Handmade.reference(20)]],
            geometry: Handmade.point),
        Handmade.feature(24, .occupant, members("anchor_id", 91)),
        Handmade.feature(25, .anchor, ["unit_id": Handmade.reference(92)], geometry: Handmade.point),
        Handmade.feature(26, .occupant, members("anchor_id", 4, ["website": "not a url"])),
        Handmade.feature(27, .unit, level, geometry: Handmade.point),
        Handmade.feature(28, .occupant, members("anchor_id", 4, ["hours": 24])),
        Handmade.feature(29, .opening, level, geometry: Handmade.square(0.0005)),
        Handmade.feature(30, .unit, level),
    ]
    private static let whole = Set((1...6).map { Handmade.id($0) })

    @Test func `strict collection leaves out dangling features and their dependents, and counts them`() async throws {
        let harness = Harness.current
        try await harness.push(Handmade.zip(Self.features))
        let answer = try await harness.send(.get, "/venues/mall/revisions/1/features?strict=true")
        #expect(Set(try answer.features.map(Handmade.id(of:))) == Self.whole)
        let header = try #require(HTTPField.Name("VenueSync-Left-Out"))
        #expect(answer.headers[header] == "\(Self.features.count - Self.whole.count)")
        // Sync and the plain collection are complete.
        #expect(try await harness.features(at: 1, "strict=false").count == Self.features.count)
        #expect(try await harness.sync().blocks.reduce(0) { $0 + $1.features.count } == Self.features.count)
    }

    @Test func `strict part is judged against the whole revision and counts its own omissions`() async throws {
        let harness = Harness.current
        try await harness.push(Handmade.zip(Self.features))
        let answer = try await harness.send(.get, "/venues/mall/revisions/1/features?strict=true&type=occupant")
        #expect(try answer.features.map(Handmade.id(of:)) == [Handmade.id(5)])
        let header = try #require(HTTPField.Name("VenueSync-Left-Out"))
        #expect(answer.headers[header] == "4")
    }

    @Test func `strict archive has no dangling reference`() async throws {
        let harness = Harness.current
        try await harness.push(Handmade.zip(Self.features))
        let answer = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip?strict=true")
        let header = try #require(HTTPField.Name("VenueSync-Left-Out"))
        #expect(answer.headers[header] == "\(Self.features.count - Self.whole.count)")
        var archive = try ArchiveReader().read(bytes: Array(answer.data))
        archive.resolveReferences(base: [])
        #expect(Set(archive.features.map(\.id)) == Self.whole)
        let types = Dictionary(uniqueKeysWithValues: archive.features.map { ($0.id, $0.type) })
        for reference in archive.features.flatMap(\.references) {
            switch reference.role {
            case .level: #expect(types[reference.target] == .level)
            case .unit, .units: #expect(types[reference.target] == .unit)
            case .anchor: #expect(types[reference.target] == .anchor)
            default: break
            }
        }
        #expect(archive.manifest?["language"] == "en")
    }

    @Test func `strict collection of a valid venue leaves nothing out`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.extended.archive())
        let answer = try await harness.send(.get, "/venues/mall/revisions/1/features?strict=true")
        let header = try #require(HTTPField.Name("VenueSync-Left-Out"))
        #expect(answer.headers[header] == "0")
        #expect(Set(try answer.features) == Set(SampleVenue.extended.bodies.values))
    }
}
