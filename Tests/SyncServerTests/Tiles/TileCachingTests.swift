import FloorTiles
import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing
import VenueMap

@testable import SyncServer

/// How long responses about tiles are kept, and their entity tags.
@Suite(.server)
struct TileCachingTests {
    private static let immutable: Set = ["private", "max-age=31536000", "immutable"]

    private static func edition(_ harness: Harness) async throws -> String {
        let json = try await harness.send(.get, "/venues/mall/tiles/changes?since=1&to=1").json
        return try #require(json["edition"]?.string)
    }

    /// The response again with its entity tag.
    private static func expectNotModified(_ path: String, _ response: TestResponse, _ harness: Harness) async throws {
        let tag = try #require(response.headers[.eTag], "\(path)")
        #expect(tag.hasPrefix("\""), "\(path)")
        let again = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(again.status == .notModified && again.data.isEmpty && again.headers[.eTag] == tag, "\(path)")
        #expect(again.headers[.cacheControl] == response.headers[.cacheControl], "\(path)")
    }

    @Test func `changes are checked with their entity tag, and those of two numbered revisions are immutable`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        let edition = try await Self.edition(harness)
        let live = "/venues/mall/tiles/changes?since=1"
        let first = try await harness.send(.get, live)
        for query in ["", "&edition=\(edition)", "&to=2", "&to=2&edition=\(String(repeating: "0", count: 64))"] {
            let response = try await harness.send(.get, live + query)
            #expect(response.parts(of: .cacheControl) == ["private", "no-cache"], "\(query)")
            try await Self.expectNotModified(live + query, response, harness)
        }
        let fixed = try await harness.send(.get, "\(live)&to=2&edition=\(edition)")
        #expect(fixed.parts(of: .cacheControl) == Self.immutable && fixed.data == first.data)
        try await Self.expectNotModified("\(live)&to=2&edition=\(edition)", fixed, harness)
        // Another revision is not said to be unmodified.
        try await harness.push(SampleVenue.tiny.archive())
        let tag = try #require(first.headers[.eTag])
        #expect(try await harness.send(.get, live, headers: [.ifNoneMatch: tag]).status == .ok)
    }

    @Test func `styles and TileJSON have entity tags, and are immutable with their revision and edition`() async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let edition = try await Self.edition(harness)
        for path in ["style.json?lang=en", "tiles/0.json?format=png"] {
            let live = try await harness.send(.get, "/venues/mall/\(path)")
            #expect(live.parts(of: .cacheControl) == ["private", "max-age=60", "stale-if-error=86400"], "\(path)")
            try await Self.expectNotModified("/venues/mall/\(path)", live, harness)
        }
        for path in ["style.json?lang=en", "tiles/0.json?format=png", "tiles/0.pmtiles?format=mvt"] {
            let address = "/venues/mall/revisions/1/\(path)"
            let unnamed = try await harness.send(.get, address)
            #expect(
                unnamed.parts(of: .cacheControl) == ["private", "max-age=86400", "stale-if-error=604800"], "\(path)")
            try await Self.expectNotModified(address, unnamed, harness)
            let named = try await harness.send(.get, "\(address)&edition=\(edition)")
            #expect(named.parts(of: .cacheControl) == Self.immutable, "\(path)")
            try await harness.send(.get, "\(address)&edition=1").problem(400)
        }
        // The colours of the venue are a part of the edition and of the style.
        let before = try await harness.send(.get, "/venues/mall/style.json")
        try await harness.set("appearance", to: ["colours": ["walkway": "#123456"]])
        let tag = try #require(before.headers[.eTag])
        let after = try await harness.send(.get, "/venues/mall/style.json", headers: [.ifNoneMatch: tag])
        #expect(after.status == .ok && after.data != before.data)
        let old = try await harness.send(.get, "/venues/mall/revisions/1/style.json?edition=\(edition)")
        #expect(old.parts(of: .cacheControl).contains("max-age=86400"))
    }

    @Test func `a tag of an If-None-Match may contain commas and stars, and mistakes match nothing`() {
        let matching = [
            "*", " * ", "\"a\"", "W/\"a\"", "\"b\", \"a\"", "\"b\",\t\"a\"", "\"b\" ,W/\"a\",\"c\"", ",\"a\",",
            "\"b,c\", \"a\"",
        ]
        for field in matching { #expect(Response.hasTag("a", in: field), "\(field)") }
        let other = [
            "", "a", "\"b,*,c\"", "\"b,\"a\"", "\"a\"b", "\"a", "*, \"b\"", "\"b\"*", "W/a", "w/\"a\"", "\"A\"",
            "\"ab\"", "\"b,a,c\"",
        ]
        for field in other { #expect(!Response.hasTag("a", in: field), "\(field)") }
    }

    @Test func `304 for a tile that was drawn before draws nothing`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let tiles = harness.server.tiles
        var tags: [String: String] = [:]
        for path in ["L0_14_0_0.png", "L0_14_0_0@2x.png", "0/14/0/0.mvt", "0/18/1/1.png"] {
            tags[path] = try await harness.send(.get, "/venues/mall/tiles/\(path)").headers[.eTag]
        }
        let drawn = tiles.drawnTiles.load(ordering: .relaxed)
        #expect(drawn > 0)
        // Another revision with the same tiles.
        try await harness.push(SampleVenue.tiny.edited(Edit(.hours, 1)).archive())
        for (path, tag) in tags {
            for address in ["tiles/\(path)", "revisions/1/tiles/\(path)", "revisions/2/tiles/\(path)"] {
                let response = try await harness.send(.get, "/venues/mall/\(address)", headers: [.ifNoneMatch: tag])
                #expect(response.status == .notModified, "\(address)")
            }
        }
        #expect(tiles.drawnTiles.load(ordering: .relaxed) == drawn)
    }

    @Test func `entity tag of a tile is known without drawing when the tile itself is no longer in memory`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let readModel = ReadModel(store: harness.store)
        let key = try #require(VenueKey("mall"))
        let venue = try await harness.store.venue(key)
        let revision = try await readModel.revisions(of: venue, at: 1).revision(1, of: venue)
        let tiles = TileService(readModel: readModel, fonts: [], tileBytes: 0)
        let levels = try await tiles.levels.prepared(revision.levels.map(\.id), of: venue, at: revision, generation: 0)
        let address = try #require(TileAddress(zoom: 14, x: 0, y: 0))
        let variant = TileVariant(format: .png)
        #expect(try await tiles.knownTag(of: levels, at: address, variant, for: key) == nil)
        let tag = try await tiles.tile(of: levels, at: address, variant, for: key).tag
        #expect(tiles.drawnTiles.load(ordering: .relaxed) == 1)
        #expect(try await tiles.knownTag(of: levels, at: address, variant, for: key) == tag)
        #expect(tiles.drawnTiles.load(ordering: .relaxed) == 1)
        #expect(try await tiles.tile(of: levels, at: address, variant, for: key).tag == tag)
        #expect(tiles.drawnTiles.load(ordering: .relaxed) == 2)
    }

    @Test func `changes are compared once for all requests at the same time, and for later ones`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.recategorise, 1)).archive())
        let comparisons = { harness.server.tiles.comparisons.load(ordering: .relaxed) }
        let path = "/venues/mall/tiles/changes?since=1&to=2"
        let responses = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 { group.addTask { try await harness.send(.get, path).data } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        let floors = try #require(try await harness.send(.get, path).json["floors"]?.array)
        #expect(responses.count == 1 && !floors.isEmpty)
        // Another theme is compared once, by one request.
        let once = comparisons()
        #expect(once >= floors.count)
        _ = try await harness.send(.get, "\(path)&theme=dark")
        #expect(comparisons() == 2 * once)
    }

    @Test func `rollback restores the entity tag of every tile`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let floors = Set(venue.features.filter { $0.type == .level }.compactMap { $0["ordinal"]?.number }).count
        let boxes = try await harness.send(.get, "/venues/mall/tiles/0.json?format=png").json["bounds"]?.array ?? []
        let bounds = boxes.compactMap(\.number)
        var paths: [String] = []
        for zoom in 14...19 {
            let (first, last) = (
                WebMercator.tile(of: Position(longitude: bounds[0], latitude: bounds[3]), zoom: zoom),
                WebMercator.tile(of: Position(longitude: bounds[2], latitude: bounds[1]), zoom: zoom)
            )
            for x in first.x...last.x {
                for y in first.y...last.y {
                    for floor in 0..<floors {
                        let tile = "\(floor)/\(zoom)/\(x)/\(y)"
                        paths += ["\(tile).mvt", "\(tile).mvt?lang=en", "\(tile).png", "\(tile).png?theme=dark"]
                        paths += ["\(tile)@2x.png", "\(tile)@2x.png?theme=dark&lang=en"]
                    }
                }
            }
        }
        func tags() async throws -> [String: String] {
            var tags: [String: String] = [:]
            for path in paths {
                let response = try await harness.send(.get, "/venues/mall/tiles/\(path)")
                let tag = try #require(response.headers[.eTag], "\(path)")
                tags[path] = tag
            }
            return tags
        }
        let first = try await tags()
        #expect(first.count > 100)
        try await harness.push(venue.edited(Edit(.recategorise, 4)).archive())
        let second = try await tags()
        for format in [".mvt", ".png", ".png?theme=dark", "@2x.png"] {
            #expect(second.contains { $0.key.hasSuffix(format) && $0.value != first[$0.key] }, "\(format)")
        }
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        #expect(try await tags() == first)
    }
}
