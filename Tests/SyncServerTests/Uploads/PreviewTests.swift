import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Previews of first uploads, and the tokens with which anybody can see them.
@Suite(.server)
struct PreviewTests {
    private static func stage(_ harness: Harness, to venue: String = "mall") async throws -> Upload {
        let upload = try await harness.push(SampleVenue.tiny.archive(), to: venue, query: "?publish=hold")
        #expect(upload.state == .staged && upload.base == 0)
        return upload
    }

    private static func token(
        _ harness: Harness, for upload: Upload, seconds: JSONValue = 60, key: String? = Harness.adminKey
    ) async throws -> String {
        let response = try await harness.send(
            .post, "/uploads/\(upload.id)/preview-tokens", json: ["expires_in": seconds], key: key)
        #expect(response.status == .created && response.headers[.cacheControl] == "private, no-store")
        return try #require(try response.json["token"]?.string)
    }

    /// The items of all pages.
    private static func items(_ harness: Harness, _ path: String, key: String?) async throws -> [JSONValue] {
        var items: [JSONValue] = []
        var next: String? = path
        while let path = next {
            let page = try await harness.send(.get, path, key: key)
            try #require(page.status == .ok, "\(page.text)")
            let json = try page.json
            items += json["features"]?.array ?? []
            next = json["next"]?.string
        }
        return items
    }

    @Test func `preview has the features of the first revision, on their levels`() async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        let path = "/uploads/\(staged.id)/preview"
        let items = try await Self.items(harness, path, key: Harness.adminKey)
        let levels = try await harness.changes(of: staged, "bodies=false&limit=10000").changes.map(\.level)
        #expect(items.map { $0["level_id"]?.string } == levels.map { $0?.description })
        let token = try await Self.token(harness, for: staged)
        #expect(try await Self.items(harness, "\(path)?limit=3&token=\(token)", key: nil) == items)
        #expect(try await harness.decide(staged, ["base": 0]).status == .ok)
        let bodies = items.compactMap { $0["feature"] }.map { CanonicalJSON.data($0) }
        #expect(try await Set(bodies) == Set(harness.features(at: 1)))
    }

    @Test func `preview says when its token expires, and is kept by no cache`() async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        let path = "/uploads/\(staged.id)/preview?limit=1"
        #expect(try await harness.send(.get, path).json["expires_at"]?.string == nil)
        let token = try await Self.token(harness, for: staged)
        let response = try await harness.send(.get, "\(path)&token=\(token)", key: nil)
        #expect(response.headers[.cacheControl] == "private, no-store")
        let json = try response.json
        #expect(json.keys == ["venue", "time_zone", "expires_at", "features", "next"])
        #expect(json["expires_at"]?.string != nil && json["venue"] == "mall")
        for query in ["limit=0", "after=x", "token=a&token=b"] {
            try await harness.send(.get, "/uploads/\(staged.id)/preview?\(query)", key: nil).problem(
                query.hasPrefix("token") ? 400 : 401)
        }
    }

    @Test func `preview token permits to read the preview of its upload, and nothing else`() async throws {
        let harness = Harness.current
        let (staged, other) = (try await Self.stage(harness), try await Self.stage(harness, to: "office"))
        let token = try await Self.token(harness, for: staged)
        let own = "/uploads/\(staged.id)"
        #expect(try await harness.send(.get, "\(own)/preview?token=\(token)", key: nil).status == .ok)
        try await harness.send(.get, "\(own)/preview", key: token).problem(401)
        try await harness.send(.get, "/uploads/\(other.id)/preview?token=\(token)", key: nil).problem(401)
        try await harness.send(.get, "/uploads/\(FeatureID.random())/preview?token=\(token)", key: nil).problem(401)
        for path in [own, "\(own)/changes", "\(own)/findings", "\(own)/matches", "/venues/mall/uploads", "/keys"] {
            try await harness.send(.get, "\(path)?token=\(token)", key: nil).problem(401, path)
        }
        for (method, path) in [
            (.post, "\(own)/publish"), (.delete, own), (.post, "\(own)/preview-tokens"),
        ] as [(HTTPRequest.Method, String)] {
            try await harness.send(method, "\(path)?token=\(token)", json: ["expires_in": 60], key: nil).problem(401)
        }
        #expect(try await harness.decide(staged, ["base": 0]).status == .ok)
        for path in ["", "/sync", "/tiles/0/14/0/0.mvt", "/tiles/0.json", "/search?q=a&"] {
            let address = path.contains("?") ? "\(path)token=\(token)" : "\(path)?token=\(token)"
            try await harness.send(.get, "/venues/mall\(address)", key: nil).problem(401, path)
        }
        // And no token for tiles is one for previews.
        let created = try await harness.send(.post, "/venues/mall/tile-tokens", json: ["expires_in": 60])
        let tiles = try #require(try created.json["token"]?.string)
        try await harness.send(.get, "/uploads/\(other.id)/preview?token=\(tiles)", key: nil).problem(401)
    }

    @Test func `preview token that was changed is refused, and one of more than a day is not created`() async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        let token = try await Self.token(harness, for: staged, seconds: 86_400)
        for index in [0, 2, 4, 10, 20, 40, 78] {
            var characters = Array(token)
            characters[index] = characters[index] == "A" ? "B" : "A"
            let path = "/uploads/\(staged.id)/preview?token=\(String(characters))"
            try await harness.send(.get, path, key: nil).problem(401)
        }
        for seconds in [0, -1, 86_401, 1.5, "60", nil] as [JSONValue] {
            try await harness.send(.post, "/uploads/\(staged.id)/preview-tokens", json: ["expires_in": seconds])
                .problem(400)
        }
    }

    @Test func `preview token expires`() async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        let token = try await Self.token(harness, for: staged, seconds: 1)
        let path = "/uploads/\(staged.id)/preview?token=\(token)"
        try await harness.until { try await harness.send(.get, path, key: nil).status == .gone }
        #expect(try await harness.send(.get, path, key: nil).problem(410).type == "/problems/preview-ended")
    }

    @Test func `preview ends with the key that made its token, and not with others`() async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        var paths: [String] = []
        for name in ["lost", "kept"] {
            let key = try await harness.makeKey(.publish, named: name, for: ["mall"])
            let token = try await Self.token(harness, for: staged, key: key)
            paths.append("/uploads/\(staged.id)/preview?token=\(token)")
        }
        for path in paths { #expect(try await harness.send(.get, path, key: nil).status == .ok) }
        try await harness.revoke("lost")
        try await harness.send(.get, paths[0], key: nil).problem(410)
        #expect(try await harness.send(.get, paths[1], key: nil).status == .ok)
    }

    @Test func `preview token takes a key that may publish to the venue`() async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        let path = "/uploads/\(staged.id)"
        let reader = try await harness.makeKey(.read, for: ["mall"])
        let others = try await harness.makeKey(.admin, for: ["office"])
        for (key, status) in [(nil, 401), (reader, 403), (others, 404)] as [(String?, Int)] {
            try await harness.send(.post, "\(path)/preview-tokens", json: ["expires_in": 60], key: key).problem(status)
            try await harness.send(.get, "\(path)/preview", key: key).problem(status)
        }
    }

    @Test(arguments: ["published", "discarded", "deleted", "behind"])
    func `preview ends when its upload does`(end: String) async throws {
        let harness = Harness.current
        let staged = try await Self.stage(harness)
        let token = try await Self.token(harness, for: staged)
        let path = "/uploads/\(staged.id)/preview?token=\(token)"
        #expect(try await harness.send(.get, path, key: nil).status == .ok)
        switch end {
        case "published": #expect(try await harness.decide(staged, ["base": 0]).status == .ok)
        case "discarded": #expect(try await harness.send(.delete, "/uploads/\(staged.id)").status == .noContent)
        case "deleted":
            #expect(try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"]).status == .noContent)
        default:
            // Another upload becomes the first revision. This one is still that map, until it is compared again.
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3)).archive())
            #expect(try await harness.send(.get, path, key: nil).status == .ok)
            #expect(try await harness.decide(staged, ["base": 0]).status == .conflict)
        }
        #expect(try await harness.send(.get, path, key: nil).problem(410).type == "/problems/preview-ended")
        if end != "deleted" { try await harness.send(.get, "/uploads/\(staged.id)/preview").problem(409) }
    }

    @Test func `preview is only of first uploads that are staged`() async throws {
        let harness = Harness.current
        let first = try await harness.push(SampleVenue.tiny.archive())
        let later = try await harness.push(
            SampleVenue.tiny.edited(Edit(.rename, 2)).archive(), query: "?publish=hold")
        for upload in [first, later] {
            try await harness.send(.get, "/uploads/\(upload.id)/preview").problem(409)
            try await harness.send(.post, "/uploads/\(upload.id)/preview-tokens", json: ["expires_in": 60])
                .problem(409)
        }
    }
}
