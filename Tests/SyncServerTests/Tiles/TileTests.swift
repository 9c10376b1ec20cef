import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing
import VenueMap

/// Tiles over HTTP.
@Suite(.server)
struct TileTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    /// The column and row of the tile in the middle of the lowest floor.
    private static func middle(zoom: Int, of harness: Harness) async throws -> (x: Int, y: Int) {
        let json = try await harness.send(.get, "/venues/mall/tiles/0.json?format=png").json
        let center = (json["center"]?.array ?? []).compactMap(\.number)
        let tile = WebMercator.tile(of: Position(longitude: center[0], latitude: center[1]), zoom: zoom)
        return (tile.x, tile.y)
    }

    @Test func `tiles have the names of Google Maps apps and the paths of map libraries`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (x, y) = try await Self.middle(zoom: 18, of: harness)
        let small = try await harness.send(.get, "/venues/mall/tiles/L0_18_\(x)_\(y).png")
        #expect(small.status == .ok && small.headers[.contentType] == "image/png")
        #expect(small.data.starts(with: Self.png) && Self.side(of: small.data) == 256)
        let large = try await harness.send(.get, "/venues/mall/tiles/L0_18_\(x)_\(y)@2x.png")
        #expect(Self.side(of: large.data) == 512)
        #expect(try await harness.send(.get, "/venues/mall/tiles/0/18/\(x)/\(y).png").data == small.data)
        #expect(try await harness.send(.get, "/venues/mall/revisions/1/tiles/L0_18_\(x)_\(y).png").data == small.data)
        let level = try #require(SampleVenue.tiny.features.first { $0.type == .level && $0["ordinal"] == 1 })
        let named = try await harness.send(.get, "/venues/mall/tiles/L\(level.id)_18_\(x)_\(y).png")
        let path = try await harness.send(.get, "/venues/mall/tiles/\(level.id)/18/\(x)/\(y).png")
        #expect(named.status == .ok && named.data == path.data && named.data != small.data)
        let vector = try await harness.send(.get, "/venues/mall/tiles/0/18/\(x)/\(y).mvt")
        #expect(vector.headers[.contentType] == "application/vnd.mapbox-vector-tile" && !vector.data.isEmpty)
        for query in ["theme=dark", "lang=en"] {
            let other = try await harness.send(.get, "/venues/mall/tiles/L0_20_\(4 * x)_\(4 * y).png?\(query)")
            #expect(other.status == .ok, "\(query)")
        }
    }

    private static func side(of png: Data) -> Int {
        png.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    @Test func `a tile without content is an image, and an address beyond the tiles a problem`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let empty = try await harness.send(.get, "/venues/mall/tiles/L0_22_0_4194303.png")
        #expect(empty.status == .ok && empty.data.starts(with: Self.png) && empty.data.count < 400)
        let vector = try await harness.send(.get, "/venues/mall/tiles/0/14/16383/0.mvt")
        #expect(vector.status == .ok && vector.data.isEmpty)
        for path in [
            "L9_18_0_0.png", "L0_13_0_0.png", "L0_23_0_0.png", "L0_14_16384_0.png", "L0_14_0_16384.png",
            "LB1_14_0_0.png",
            "L\(Handmade.id(99))_14_0_0.png", "0/14/16384/0.mvt", "9/14/0/0.png",
        ] {
            let problem = try await harness.send(.get, "/venues/mall/tiles/\(path)").problem(404)
            #expect(problem.type == "/problems/tile-not-found", "\(path)")
        }
        for path in [
            "L0_14_0_0.jpg", "L0_14_0_0.mvt", "L0_14_0_-1.png", "L0_014_0_0.png", "L0_14_0_0@3x.png", "0_14_0_0.png",
        ] {
            try await harness.send(.get, "/venues/mall/tiles/\(path)").problem(404)
        }
        for query in ["lang=", "theme="] {
            #expect(try await harness.send(.get, "/venues/mall/tiles/L0_14_0_0.png?\(query)").status == .ok)
        }
        for query in ["lang=not%20a%20tag", "lang=e", "lang=en-", "theme=blue", "theme=dark&theme=light"] {
            try await harness.send(.get, "/venues/mall/tiles/L0_14_0_0.png?\(query)").problem(400)
        }
    }

    @Test func `entity tags are strong, survive publications that change other tiles, and return with a rollback`()
        async throws
    {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let (x, y) = try await Self.middle(zoom: 16, of: harness)
        let paths = (0...1).flatMap { floor in
            ["/venues/mall/tiles/L\(floor)_16_\(x)_\(y).png", "/venues/mall/tiles/\(floor)/16/\(x)/\(y).mvt"]
        }
        func tags() async throws -> [String] {
            var tags: [String] = []
            for path in paths {
                let response = try await harness.send(.get, path)
                let tag = try #require(response.headers[.eTag])
                #expect(tag.hasPrefix("\""))
                let again = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
                #expect(again.status == .notModified && again.data.isEmpty && again.headers[.eTag] == tag)
                tags.append(tag)
            }
            return tags
        }
        let first = try await tags()
        #expect(Set(first).count == first.count)
        // A unit of the upper floor is removed with everything that refers to it.
        let level = try #require(venue.features.first { $0.type == .level && $0["ordinal"] == 1 })
        let unit = try #require(
            venue.features.first { $0.type == .unit && $0["level_id"] == .string(level.id.description) })
        let index = try #require(venue.features.firstIndex { $0.id == unit.id })
        venue.features[index]["category"] = "parking"
        try await harness.push(venue.archive())
        let second = try await tags()
        #expect(second[..<2] == first[..<2] && second[3] != first[3])
        for (path, tag) in zip(paths, first) {
            let isSame = second.contains(tag)
            let response = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
            #expect((response.status == .notModified) == isSame)
        }
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        #expect(try await tags() == first)
    }

    @Test func `a tile that was sent before is sent again only to those who may have it`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let (x, y) = try await Self.middle(zoom: 17, of: harness)
        let path = "/venues/mall/tiles/L0_17_\(x)_\(y).png"
        let key = try await harness.makeKey(.read, named: "tiles", for: ["mall"])
        let first = try await harness.send(.get, path, key: key)
        for _ in 0..<3 {
            let again = try await harness.send(.get, path, key: key)
            #expect(again.status == .ok && again.data == first.data && again.headers[.eTag] == first.headers[.eTag])
            #expect(again.headers[.cacheControl] == first.headers[.cacheControl])
            #expect(again.headers[.contentType] == "image/png")
        }
        let head = try await harness.send(.head, path, key: key)
        #expect(head.status == .ok && head.data.isEmpty && head.headers[.eTag] == first.headers[.eTag])
        try await harness.send(.get, path, key: nil).problem(401)
        let keys = try await harness.send(.get, "/keys").json["keys"]?.array ?? []
        let id = try #require(keys.first { $0["name"] == "tiles" }?["id"]?.string)
        #expect(try await harness.send(.delete, "/keys/\(id)").status == .noContent)
        try await harness.send(.get, path, key: key).problem(401)
        // Without a key while the venue is public, and no longer.
        try await harness.set("public", to: true)
        for _ in 0..<2 { #expect(try await harness.send(.get, path, key: nil).data == first.data) }
        try await harness.set("public", to: false)
        try await harness.send(.get, path, key: nil).problem(401)
        // The tile of the next revision.
        let level = try #require(venue.features.first { $0.type == .level && $0["ordinal"] == 0 })
        let unit = try #require(
            venue.features.firstIndex { $0.type == .unit && $0["level_id"] == .string(level.id.description) })
        venue.features[unit]["category"] = "parking"
        let before = try await harness.send(.get, path)
        try await harness.push(venue.archive())
        #expect(try await harness.send(.get, path).data != before.data)
    }

    @Test(arguments: [".png", "@2x.png", ".png?theme=dark", ".mvt"])
    func `a tile that becomes empty, and has content again, is never said to be unmodified wrongly`(
        suffix: String
    ) async throws {
        let harness = Harness.current
        let shop = Handmade.feature(
            3, .unit, ["level_id": Handmade.reference(2), "category": "retail"], geometry: Handmade.square())
        let level = Handmade.feature(2, .level, ["ordinal": 0, "category": "unspecified"], geometry: .null)
        let parts = [Handmade.feature(1, .venue, geometry: Handmade.square()), level]
        let tile = WebMercator.tile(of: Position(longitude: 139.7005, latitude: 35.6005), zoom: 18)
        let path = "/venues/mall/tiles/0/18/\(tile.x)/\(tile.y)\(suffix)"
        var tags: [String] = []
        for features in [parts, parts + [shop], parts] {
            let upload = try await harness.push(Handmade.zip(features))
            #expect(upload.state == .published)
            if tags.isEmpty { try await harness.set("removal_guard", to: false) }
            let known = tags.last.map { [HTTPField.Name.ifNoneMatch: $0] as HTTPFields } ?? [:]
            let response = try await harness.send(.get, path, headers: known)
            #expect(response.status == .ok)
            tags.append(try #require(response.headers[.eTag]))
        }
        #expect(tags[0] == tags[2] && tags[0] != tags[1])
    }

    @Test func `caching: tiles of a revision and an edition are immutable, others are checked`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        let live = try await harness.send(.get, "/venues/mall/tiles/L0_14_0_0.png", key: nil)
        #expect(live.parts(of: .cacheControl) == ["public", "max-age=60", "stale-if-error=86400"])
        let fixed = try await harness.send(.get, "/venues/mall/revisions/1/tiles/L0_14_0_0.png", key: nil)
        // The tile depends on the edition, too: fonts may be installed or removed.
        #expect(fixed.parts(of: .cacheControl) == ["public", "max-age=86400", "stale-if-error=604800"])
        #expect(fixed.headers[.eTag] == live.headers[.eTag])
        let json = try await harness.send(.get, "/venues/mall/revisions/1/tiles/0.json?format=png", key: nil).json
        let edition = try #require(
            json["tiles"]?.array?.first?.string?.firstMatch(of: /edition=([0-9a-f]{64})/)?.output.1)
        let path = "/venues/mall/revisions/1/tiles/L0_14_0_0.png?edition="
        let named = try await harness.send(.get, "\(path)\(edition)", key: nil)
        #expect(named.parts(of: .cacheControl) == ["public", "max-age=31536000", "immutable"])
        let other = try await harness.send(.get, path + String(repeating: "0", count: 64), key: nil)
        #expect(other.status == .ok && other.headers[.cacheControl] == fixed.headers[.cacheControl])
        try await harness.send(.get, "\(path)1", key: nil).problem(400)
    }

    @Test func `TileJSON names the tiles, their bounds and the layers`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let json = try await harness.send(.get, "/venues/mall/tiles/0.json?lang=en").json
        #expect(json["tilejson"] == "3.0.0" && json["minzoom"] == 14 && json["maxzoom"] == 22)
        let template = try #require(json["tiles"]?.array?.first?.string)
        #expect(template.hasSuffix("/venues/mall/tiles/0/{z}/{x}/{y}.mvt?lang=en"))
        let layers = json["vector_layers"]?.array?.compactMap { $0["id"]?.string } ?? []
        #expect(Set(["level", "unit", "opening", "label"]).isSubset(of: layers))
        let floors = json["vector_layers"]?.array?.filter { $0["fields"]?["z_index"] == "Number" } ?? []
        #expect(floors.compactMap { $0["id"]?.string } == ["level"])
        let images = try await harness.send(.get, "/venues/mall/revisions/1/tiles/0.json?format=png").json
        #expect(images["vector_layers"] == .none)
        #expect(
            images["tiles"]?.array?.first?.string?.contains("/revisions/1/tiles/0/{z}/{x}/{y}.png?edition=") == true)
    }
}
