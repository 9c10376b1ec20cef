import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Styles with what they refer to, and archives of tiles, over HTTP.
@Suite(.server)
struct StyleTests {
    /// The path and query of an address of the server.
    private static func path(_ address: String) -> String {
        address.replacing(/^https?:\/\/[^\/]*/, with: "")
    }

    @Test func `everything that a style refers to is there, with its token`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let created = try await harness.send(.post, "/venues/mall/tile-tokens", json: ["expires_in": 3_600]).json
        let token = try #require(created["token"]?.string)
        let query = "?lang=en&theme=dark&token=\(token)"
        for prefix in ["/venues/mall", "/venues/mall/revisions/1"] {
            let response = try await harness.send(.get, "\(prefix)/style.json\(query)", key: nil)
            #expect(response.status == .ok && response.headers[.cacheControl]?.hasPrefix("private") == true)
            let style = try response.json
            let tiles = Self.path(try #require(style["sources"]?["venue"]?["tiles"]?.array?.first?.string))
            #expect(tiles.hasPrefix("\(prefix)/tiles/all/") && tiles.contains("lang=en"))
            let tile = tiles.replacing("{z}/{x}/{y}", with: "14/0/0")
            #expect(try await harness.send(.get, tile, key: nil).status == .ok)
            let sprite = Self.path(try #require(style["sprite"]?.string))
            for file in [".json", "@2x.png"] {
                let address = sprite.replacing("?", with: "\(file)?")
                let part = try await harness.send(.get, address, key: nil)
                #expect(part.status == .ok, "\(address)")
                let tag = try #require(part.headers[.eTag])
                #expect(
                    try await harness.send(.get, address, key: nil, headers: [.ifNoneMatch: tag]).status == .notModified
                )
            }
            let text = try #require(style["layers"]?.array?.first { $0["layout"]?["text-font"] != nil })
            let font = try #require(text["layout"]?["text-font"]?.array?.first?.string).replacing(" ", with: "%20")
            let glyphs = Self.path(try #require(style["glyphs"]?.string)).replacing("{fontstack}", with: font)
            for range in ["0-255", "12288-12543"] {
                let address = glyphs.replacing("{range}", with: range)
                #expect(try await harness.send(.get, address, key: nil).status == .ok, "\(address)")
            }
            for range in ["1-256", "0-100", "65536-65791", "x"] {
                try await harness.send(.get, glyphs.replacing("{range}", with: range), key: nil).problem(404)
            }
        }
        for query in ["switch=no", "floor=none", "theme=blue"] {
            try await harness.send(.get, "/venues/mall/style.json?\(query)").problem(400)
        }
        try await harness.send(.get, "/venues/mall/style.json?floor=7").problem(404)
        try await harness.send(.get, "/venues/mall/tiles/all/14/0/0.png").problem(404)
        for file in ["light.txt", "blue.png", "light@3x.png", "light"] {
            try await harness.send(.get, "/venues/mall/sprites/\(file)").problem(404)
        }
    }

    @Test func `the cartography is public and cacheable`() async throws {
        let response = try await Harness.current.send(.get, "/cartography.json", key: nil)
        #expect(response.status == .ok && response.parts(of: .cacheControl) == ["public", "max-age=3600"])
        #expect(try response.json["pictograms"]?["restroom"]?.string?.hasPrefix("M") == true)
    }

    @Test func `an archive of tiles is read by ranges`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let path = "/venues/mall/revisions/1/tiles/0.pmtiles"
        let whole = try await harness.send(.get, path)
        #expect(whole.status == .ok && whole.headers[.contentType] == "application/vnd.pmtiles")
        #expect(whole.headers[.acceptRanges] == "bytes" && whole.data.starts(with: Data("PMTiles".utf8)))
        let count = whole.data.count
        let tag = try #require(whole.headers[.eTag])
        let ranges = [
            ("bytes=0-126", 0..<127), ("bytes=100-", 100..<count), ("bytes=-5", count - 5..<count),
            ("bytes=7-9999999999", 7..<count), ("bytes=7-99999999999999999999", 7..<count),
            ("Bytes=0-5", 0..<6),
        ]
        for (range, expected) in ranges {
            let part = try await harness.send(.get, path, headers: [.range: range])
            #expect(part.status == .partialContent && part.data == whole.data[expected], "\(range)")
            #expect(
                part.headers[.contentRange] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(count)")
        }
        for range in ["bytes=5-1", "bytes=a-b", "bytes=0-1,4-5", "items=0-1", "bytes=-"] {
            #expect(try await harness.send(.get, path, headers: [.range: range]).status == .ok, "\(range)")
        }
        let beyond = try await harness.send(.get, path, headers: [.range: "bytes=\(count)-"])
        #expect(beyond.status == .rangeNotSatisfiable && beyond.headers[.contentRange] == "bytes */\(count)")
        let other = try await harness.send(.get, path, headers: [.range: "bytes=0-9", .ifRange: "\"other\""])
        #expect(other.status == .ok && other.data.count == count)
        let same = try await harness.send(.get, path, headers: [.range: "bytes=0-9", .ifRange: tag])
        #expect(same.status == .partialContent)
        #expect(try await harness.send(.get, path, headers: [.ifNoneMatch: tag]).status == .notModified)
        let head = try await harness.send(.head, path, headers: [.range: "bytes=0-9"])
        #expect(head.status == .ok && head.headers[.contentLength] == "\(count)")
        let images = try await harness.send(.get, "\(path)?format=png")
        #expect(images.data != whole.data && images.headers[.eTag] != tag)
        try await harness.send(.get, "/venues/mall/revisions/1/tiles/all.pmtiles").problem(404)
    }
}
