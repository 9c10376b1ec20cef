import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Who may use the service of a venue, what is kept by caches, and what is refused.
@Suite(.server)
struct OGCAccessTests {
    private static let items = "/ogc/mall/collections/unit/items"

    private static func paths(_ venue: String = "mall") throws -> [String] {
        let unit = try #require(SampleVenue.tiny.ids(of: .unit).first)
        return [
            "", "/conformance", "/collections", "/collections/unit", "/collections/unit/items",
            "/collections/unit/items/\(unit)",
        ]
        .map { "/ogc/\(venue)\($0)" }
    }

    @Test func `a service is readable like its venue`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let (reader, stranger) = (
            try await harness.makeKey(.read, for: ["mall"]), try await harness.makeKey(.read, for: ["other"])
        )
        for (path, unknown) in zip(try Self.paths(), try Self.paths("unknown")) {
            #expect(try await harness.send(.get, path, key: reader).status == .ok)
            let hidden = try await harness.send(.get, path, key: stranger).problem(404)
            #expect(try await harness.send(.get, unknown, key: stranger).problem(404).type == hidden.type)
            try await harness.send(.get, path, key: nil).problem(401)
        }
        try await harness.set("public", to: true)
        for path in try Self.paths() {
            let response = try await harness.send(.get, path, key: nil)
            #expect(response.status == .ok)
        }
    }

    @Test func `parameters without a value are refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let names = ["bbox", "limit", "datetime", "level", "category", "offset", "crs", "bbox-crs", "revision", "f"]
        for path in names.map({ "\(Self.items)?\($0)=" }) + ["/ogc/mall?f=", "\(Self.items)?limit=2&bbox"] {
            let problem = try await harness.send(.get, path).problem(400)
            #expect(problem.type == "/problems/invalid-parameter", "\(path)")
        }
        let edit: JSONValue = ["type": "Feature", "properties": [:], "geometry": .null]
        try await harness.send(.post, "\(Self.items)?message=", json: edit).problem(400)
        #expect(try await harness.send(.get, "\(Self.items)?limit=2").status == .ok)
    }

    @Test func `entity tags are strong, and a client that has the content receives 304`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for path in try Self.paths() + ["\(Self.items)?f=html", "\(Self.items)?revision=1&limit=2"] {
            let response = try await harness.send(.get, path)
            let tag = try #require(response.headers[.eTag])
            #expect(tag.hasPrefix("\"") && response.headers[.vary]?.hasSuffix(", Accept") == true)
            let again = try await harness.send(.get, path, headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.data.isEmpty && again.headers[.eTag] == tag, "\(path)")
            let head = try await harness.send(.head, path)
            #expect(head.headers[.contentLength] == "\(response.data.count)" && head.data.isEmpty, "\(path)")
            let html = try await harness.send(.get, path, headers: [.accept: "text/html", .ifNoneMatch: tag])
            #expect(path.contains("f=") == (html.status == .notModified), "\(path)")
        }
        let old = try #require(try await harness.send(.get, Self.items).headers[.eTag])
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        let new = try await harness.send(.get, Self.items, headers: [.ifNoneMatch: old])
        #expect(new.status == .ok && new.parts(of: .cacheControl) == ["private", "no-cache"])
    }

    @Test func `a numbered revision is checked with its entity tag and links to the others`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for seed in 1...2 as ClosedRange<UInt64> {
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1), seed: seed).archive())
        }
        let memento = HTTPField.Name("Memento-Datetime")!, link = HTTPField.Name("Link")!
        let middle = try await harness.send(.get, "\(Self.items)?revision=2&level=0&limit=3&offset=3")
        #expect(middle.parts(of: .cacheControl) == ["private", "no-cache"])
        let time = try #require(try await harness.send(.get, "/venues/mall/revisions/2").json["published_at"]?.string)
        let date = try #require(Timestamp.date(of: time))
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        #expect(middle.headers[memento] == format.string(from: date))
        let links = try #require(middle.headers[link])
        for (relation, revision) in [
            ("predecessor-version", "&revision=1"), ("successor-version", "&revision=3"), ("latest-version", ""),
        ] {
            #expect(links.contains("\(Self.items)?level=0&limit=3\(revision)>; rel=\"\(relation)\""), "\(links)")
        }
        let head = try await harness.send(.get, Self.items)
        #expect(head.headers[memento] == nil && head.headers[link]?.contains("successor-version") == false)
    }

    @Test(arguments: [
        "limit=0", "limit=x", "limit=1&limit=2", "offset=-1", "bbox=1,2,3", "bbox=a,b,c,d", "bbox=0,9,1,8",
        "bbox-crs=x", "crs=EPSG:4326", "datetime=now", "datetime=2024-01-02T00:00:00Z/2024-01-01T00:00:00Z", "level=x",
        "level=ordinal:", "revision=0", "revision=x", "revision=-1", "f=xml", "unknown=1", "Limit=1", "token=x",
        "category=%00", "level=1.5",
    ])
    func `an invalid or unknown parameter is refused`(query: String) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let problem = try await harness.send(.get, "\(Self.items)?\(query)").problem(400)
        #expect(problem.type == "/problems/invalid-parameter")
    }

    @Test func `what does not exist is a problem, and clients may ask for too much`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let level = try #require(SampleVenue.tiny.ids(of: .level).first)
        for path in ["\(Self.items)/\(Handmade.id(99))", "\(Self.items)/x", "\(Self.items)/\(level)"] {
            #expect(try await harness.send(.get, path).problem(404).type == "/problems/feature-not-found")
        }
        try await harness.send(.get, "\(Self.items)?revision=9").problem(404)
        try await harness.send(.patch, Self.items, json: [:]).problem(405)
        for query in [
            "limit=9999999", "limit=9223372036854775808", "limit=99999999999999999999999",
            "bbox=-1e300,-1e300,1e300,1e300", "offset=9223372036854775807",
        ] {
            #expect(try await harness.send(.get, "\(Self.items)?\(query)").status == .ok, "\(query)")
        }
        // A client may mean something by a parameter without a value.
        for query in ["limit=", "level=", "bbox=", "datetime="] {
            try await harness.send(.get, "\(Self.items)?\(query)").problem(400)
        }
        for path in try Self.paths() {
            try await harness.send(.get, "\(path)?bboxx=1").problem(400)
        }
    }

    @Test func `HTML pages escape what archives contain, and run nothing`() async throws {
        let harness = Harness.current
        let hostile = #"</td><script>alert(1)</script>"&'"#
        let level = Handmade.feature(2, .level, ["ordinal": 0, "name": ["en": .string(hostile)]])
        let other = Handmade.feature(
            3, FeatureType(rawValue: "<b>x"), ["level_id": Handmade.reference(2), "<i>": .string(hostile)])
        let parts = [Handmade.feature(1, .venue, geometry: Handmade.square()), level, other]
        #expect(try await harness.push(Handmade.zip(parts)).state == .published)
        let extensionPath = "/ogc/mall/collections/%3Cb%3Ex"
        for path in [
            "/ogc/mall", "/ogc/mall/conformance", "/ogc/mall/collections", extensionPath, "\(extensionPath)/items",
            "\(extensionPath)/items/\(Handmade.id(3))", "/ogc/mall/collections/level/items",
            "/ogc/mall/collections/level/items/\(Handmade.id(2))",
        ] {
            let page = try await harness.send(.get, path, headers: [.accept: "text/html,*/*;q=0.8"])
            #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
            #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
            for text in ["<script", "<b>", "<i>", "alert(1)</script>"] { #expect(!page.text.contains(text), "\(path)") }
        }
        let json = try await harness.send(.get, "\(extensionPath)/items", headers: [.accept: "application/geo+json"])
        #expect(json.headers[.contentType] == "application/geo+json")
        #expect(try json.json["features"]?.array?.first?["properties"]?["<i>"] == .string(hostile))
    }
}
