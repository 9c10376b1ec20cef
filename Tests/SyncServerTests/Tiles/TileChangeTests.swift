import FloorTiles
import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

/// The tiles that differ between revisions, over HTTP.
@Suite(.server)
struct TileChangeTests {
    private static func floors(_ harness: Harness, _ query: String) async throws -> [JSONValue] {
        let response = try await harness.send(.get, "/venues/mall/tiles/changes?\(query)")
        #expect(response.status == .ok)
        let json = try response.json
        return try #require(json["floors"]?.array)
    }

    @Test func `changes list exactly the tiles whose entity tags differ`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.recategorise, 1)).archive())
        for (format, file) in [("png", ".png"), ("mvt", ".mvt")] {
            let floors = try await Self.floors(harness, "since=1&to=2&format=\(format)")
            #expect(!floors.isEmpty)
            for floor in floors {
                let level = try #require(floor["level_id"]?.string)
                let tiles = (floor["tiles"]?.array ?? []).compactMap(\.string)
                #expect(!tiles.isEmpty)
                for tile in tiles.prefix(12) {
                    let suffixes = format == "png" ? [file, "@2x.png"] : [file]
                    var differs = false
                    for suffix in suffixes {
                        let path = "tiles/\(level)/\(tile)\(suffix)"
                        let before = try await harness.send(.get, "/venues/mall/revisions/1/\(path)")
                        let after = try await harness.send(.get, "/venues/mall/revisions/2/\(path)")
                        differs = differs || before.headers[.eTag] != after.headers[.eTag]
                    }
                    #expect(differs, "\(tile)")
                }
            }
        }
    }

    @Test func `changes of a rollback are none, and those of another edition are all`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.rename, 1)).archive())
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        #expect(try await Self.floors(harness, "since=1").isEmpty)
        let response = try await harness.send(.get, "/venues/mall/tiles/changes?since=1&to=3").json
        let edition = try #require(response["edition"]?.string)
        #expect(response["from"] == 1 && response["to"] == 3)
        #expect(try await Self.floors(harness, "since=1&edition=\(edition)").isEmpty)
        let other =
            String(edition.reversed()) == edition ? String(repeating: "0", count: 64) : String(edition.reversed())
        let all = try await Self.floors(harness, "since=1&edition=\(other)")
        let levels = venue.features.filter { $0.type == .level }.count
        #expect(all.count == levels && all.allSatisfy { $0["tiles"] == "all" })
    }

    @Test func `levels that there was no time for are listed with all tiles, which is not kept`() async throws {
        let harness = Harness.current
        let sample = SampleVenue.tiny
        try await harness.push(sample.archive())
        try await harness.push(sample.edited(Edit(.recategorise, 1)).archive())
        let readModel = ReadModel(store: harness.store)
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        let comparison = try await TileComparison(of: venue, from: 1, to: 2, generation: 0, readModel: readModel)
        let tiles = TileService(readModel: readModel, fonts: [])
        func changes(within timeout: Duration) async throws -> TileChanges {
            try await comparison.changes(TileVariant(format: .png), by: tiles, edition: "", timeout: timeout)
        }
        let hasty = try await changes(within: .zero)
        #expect(!hasty.isComplete && !hasty.floors.isEmpty && hasty.floors.allSatisfy { $0.tiles == .all })
        let complete = try await changes(within: .seconds(600))
        #expect(complete.isComplete && !complete.floors.isEmpty && complete.floors.allSatisfy { $0.tiles != .all })
    }

    @Test func `a level with another ordinal has all tiles of both, also for clients with another edition`()
        async throws
    {
        let harness = Harness.current
        let edition = String(repeating: "0", count: 64)
        for ordinal in [1, 2] {
            try await harness.push(
                Handmade.zip([
                    Handmade.feature(1, .venue, geometry: Self.area(0, 0, 200, 200)),
                    Handmade.feature(
                        2, .level, ["ordinal": .number(Double(ordinal)), "category": "unspecified"],
                        geometry: Self.area(0, 0, 200, 200)),
                ]))
        }
        for query in ["since=1&to=2", "since=1&to=2&edition=\(edition)"] {
            let floors = try await Self.floors(harness, query)
            #expect(floors.allSatisfy { $0["tiles"] == "all" }, "\(query)")
            #expect(Set(floors.map { $0["ordinal"] }) == [1, 2], "\(query)")
        }
    }

    @Test func `changes of a level that is new or removed are all its tiles`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        try await harness.push(venue.edited(Edit(.floor)).archive())
        for query in ["since=1&to=2", "since=2&to=1"] {
            let all = try await Self.floors(harness, query).filter { $0["tiles"] == "all" }
            #expect(all.count == 1, "\(query)")
        }
        try await harness.send(.get, "/venues/mall/tiles/changes").problem(400)
        try await harness.send(.get, "/venues/mall/tiles/changes?since=9").problem(404)
    }

    /// About metres from a point.
    private static func position(_ x: Double, _ y: Double) -> JSONValue {
        .array([.number(139.7 + x * 1e-5), .number(35.6 + y * 1e-5)])
    }

    private static func area(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> JSONValue {
        let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        return ["type": "Polygon", "coordinates": [.array(corners.map(Self.position))]]
    }

    private static func level(_ number: Int, outdoor: Bool, _ area: JSONValue) -> JSONValue {
        let properties: JSONValue = ["ordinal": 0, "category": "unspecified", "outdoor": .bool(outdoor)]
        return Handmade.feature(number, .level, properties, geometry: area)
    }

    private static func unit(_ number: Int, _ category: JSONValue, on level: Int, _ area: JSONValue) -> JSONValue {
        let properties: JSONValue = ["level_id": Handmade.reference(level), "category": category]
        return Handmade.feature(number, .unit, properties, geometry: area)
    }

    /// A site with two amenities at nearly one point, and a building that reaches the pictogram of the first alone at the largest zoom. On
    /// the site alone, the second one never has a pictogram.
    private static func site(withHidden category: JSONValue) throws -> [UInt8] {
        func amenity(_ number: Int, _ category: JSONValue, at x: Double) -> JSONValue {
            Handmade.feature(
                number, .amenity, ["category": category, "unit_ids": [Handmade.reference(3)]],
                geometry: ["type": "Point", "coordinates": Self.position(x, 100)])
        }
        let building = Self.area(20, 60, 99.85, 140)
        return try Handmade.zip([
            Handmade.feature(1, .venue, geometry: Self.area(0, 0, 200, 200)),
            Self.level(2, outdoor: true, Self.area(0, 0, 200, 200)),
            Self.unit(3, "walkway", on: 2, Self.area(10, 10, 190, 190)),
            Self.level(4, outdoor: false, building), Self.unit(5, "walkway", on: 4, building),
            amenity(6, "restroom.male", at: 100), amenity(7, category, at: 100.35),
        ])
    }

    /// The entity tags of an image in both sizes, in each of two revisions.
    private static func tags(of floor: String, _ tile: String) async throws -> [[String?]] {
        var tags: [[String?]] = []
        for revision in 1...2 {
            var both: [String?] = []
            for suffix in [".png", "@2x.png"] {
                let path = "/venues/mall/revisions/\(revision)/tiles/\(floor)/\(tile)\(suffix)"
                both.append(try await Harness.current.send(.get, path).headers[.eTag])
            }
            tags.append(both)
        }
        return tags
    }

    @Test func `images of an ordinal that differ are listed, also if those of no level do`() async throws {
        let harness = Harness.current
        for category in ["restroom.female", "atm"] as [JSONValue] {
            try await harness.push(Self.site(withHidden: category))
        }
        let floors = try await Self.floors(harness, "since=1&to=2&format=png")
        #expect(floors.map { $0["level_id"] } == [.null] && floors.first?["ordinal"] == 0)
        let tiles = (floors.first?["tiles"]?.array ?? []).compactMap(\.string)
        #expect(!tiles.isEmpty)
        for tile in tiles {
            let tags = try await Self.tags(of: "0", tile)
            #expect(tags[0] != tags[1], "\(tile)")
        }
    }

    /// A site and a building on it. The pictogram of the site's restroom gives way to the building.
    private static func site(buildingFrom west: Double) throws -> [UInt8] {
        let building = Self.area(west, 60, 180, 140)
        return try Handmade.zip([
            Handmade.feature(1, .venue, geometry: Self.area(0, 0, 200, 200)),
            Self.level(2, outdoor: true, Self.area(0, 0, 200, 200)),
            Self.unit(3, "restroom", on: 2, Self.area(40, 40, 160, 160)),
            Self.level(4, outdoor: false, building), Self.unit(5, "room", on: 4, building),
        ])
    }

    @Test func `images of an ordinal that differ where none of its levels does are listed without a level`()
        async throws
    {
        let harness = Harness.current
        for west in [100.0, 80] { try await harness.push(Self.site(buildingFrom: west)) }
        let floors = try await Self.floors(harness, "since=1&to=2&format=png")
        // The site itself is the same in both revisions.
        #expect(floors.map { $0["level_id"] } == [Handmade.reference(4), .null])
        #expect(floors.allSatisfy { $0["ordinal"] == 0 })
        let lists = floors.map { ($0["tiles"]?.array ?? []).compactMap(\.string) }
        try #require(lists.count == 2 && lists.allSatisfy { !$0.isEmpty })
        #expect(Set(lists[0]).isDisjoint(with: lists[1]))
        for tile in lists[1] {
            for (floor, isSame) in [("0", false), ("\(Handmade.id(2))", true), ("\(Handmade.id(4))", true)] {
                let tags = try await Self.tags(of: floor, tile)
                #expect((tags[0] == tags[1]) == isSame, "\(floor) \(tile)")
            }
        }
        // Labels of vector tiles do not give way to other levels.
        let vectors = try await Self.floors(harness, "since=1&to=2&format=mvt")
        #expect(vectors.map { $0["level_id"] } == [Handmade.reference(4)])
    }
}
