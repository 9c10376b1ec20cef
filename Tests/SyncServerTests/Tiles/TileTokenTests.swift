import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Tokens for tiles.
@Suite(.server)
struct TileTokenTests {
    private static func token(
        _ harness: Harness, venue: String = "mall", seconds: JSONValue = 60, key: String? = Harness.adminKey
    ) async throws -> String {
        let response = try await harness.send(
            .post, "/venues/\(venue)/tile-tokens", json: ["expires_in": seconds], key: key)
        #expect(response.status == .created && response.headers[.cacheControl]?.hasSuffix("no-store") == true)
        let json = try response.json
        return try #require(json["token"]?.string)
    }

    @Test func `a token permits to read tiles of its venue, and nothing else`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.archive(), to: "office")
        let token = try await Self.token(harness)
        let feature = try #require(SampleVenue.tiny.features.first { $0.type == .unit }).id
        for path in [
            "tiles/L0_14_0_0.png", "tiles/0/14/0/0.mvt", "tiles/0.json", "revisions/1/tiles/L0_14_0_0.png",
            "tiles/changes?since=1&",
        ] {
            let address = path.contains("?") ? "\(path)token=\(token)" : "\(path)?token=\(token)"
            let response = try await harness.send(.get, "/venues/mall/\(address)", key: nil)
            #expect(response.status == .ok, "\(path)")
            #expect(response.headers[.cacheControl]?.hasPrefix("private") == true)
            try await harness.send(.get, "/venues/office/\(address)", key: nil).problem(401)
            try await harness.send(.get, "/venues/nowhere/\(address)", key: nil).problem(401)
        }
        for path in [
            "sync", "revisions", "revisions/1", "revisions/1/features", "revisions/1/archive.zip", "diff?from=1",
            "search?q=a", "features/\(feature)", "features/\(feature)/hours", "features/\(feature)/history",
            "overrides",
            "overrides.csv", "overrides/\(feature)", "head", "revisions/1/statement", "uploads",
        ] {
            let separator = path.contains("?") ? "&" : "?"
            try await harness.send(.get, "/venues/mall/\(path)\(separator)token=\(token)", key: nil).problem(401)
            try await harness.send(.get, "/venues/mall/\(path)", key: token).problem(401)
        }
        for path in ["", "/collections", "/collections/unit/items", "/collections/unit/items/\(feature)"] {
            try await harness.send(.get, "/ogc/mall\(path)?token=\(token)", key: nil).problem(401)
            try await harness.send(.get, "/ogc/mall\(path)", key: token).problem(401)
        }
        for (method, path) in [
            (.patch, "features/\(feature)"), (.post, "edits"), (.post, "revisions/1/statement"), (.post, "rollback"),
            (.delete, "overrides/\(feature)"),
        ] as [(HTTPRequest.Method, String)] {
            try await harness.send(method, "/venues/mall/\(path)?token=\(token)", json: [:], key: nil).problem(401)
        }
        for path in ["/events", "/keys"] {
            try await harness.send(.get, "\(path)?token=\(token)", key: nil).problem(401)
        }
        let again = try await harness.send(
            .post, "/venues/mall/tile-tokens?token=\(token)", json: ["expires_in": 60], key: nil)
        try again.problem(401)
        let json = try await harness.send(.get, "/venues/mall/tiles/0.json?token=\(token)", key: nil).json
        #expect(json["tiles"]?.array?.first?.string?.hasSuffix("?token=\(token)") == true)
    }

    @Test func `a token that was changed, has expired or has another key's venue is refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let token = try await Self.token(harness)
        for index in [0, 4, 10, 20, 40, 78] {
            var characters = Array(token)
            characters[index] = characters[index] == "A" ? "B" : "A"
            let path = "/venues/mall/tiles/L0_14_0_0.png?token=\(String(characters))"
            try await harness.send(.get, path, key: nil).problem(401)
        }
        for seconds in [0, -1, 2_592_001, 1.5, 1e30, "60", nil] as [JSONValue] {
            let response = try await harness.send(.post, "/venues/mall/tile-tokens", json: ["expires_in": seconds])
            try response.problem(400)
            #expect(
                try response.json["detail"]?.string?.hasPrefix("“expires_in” must be a") == true, "\(response.text)")
        }
        let reader = try await harness.makeKey(.read, for: ["mall"])
        let readers = try await Self.token(harness, key: reader)
        let path = "/venues/mall/tiles/L0_14_0_0.png?token=\(readers)"
        #expect(try await harness.send(.get, path, key: nil).status == .ok)
        let keys = try await harness.send(.get, "/keys").json["keys"]?.array ?? []
        let id = try #require(keys.first?["id"]?.string)
        #expect(try await harness.send(.delete, "/keys/\(id)").status == .noContent)
        try await harness.send(.get, path, key: nil).problem(401)
        // A new epoch ends all tokens.
        let admins = "/venues/mall/tiles/L0_14_0_0.png?token=\(token)"
        #expect(try await harness.send(.get, admins, key: nil).status == .ok)
        #expect(try await harness.send(.post, "/venues/mall/epoch").status.kind == .successful)
        try await harness.send(.get, admins, key: nil).problem(401)
    }

    @Test func `a token that anybody made ends when the venue becomes private`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        #expect(try await harness.send(.patch, "/venues/mall", json: ["public": true]).status == .ok)
        let path = "/venues/mall/tiles/L0_14_0_0.png?token=\(try await Self.token(harness, key: nil))"
        #expect(try await harness.send(.get, path, key: nil).status == .ok)
        #expect(try await harness.send(.patch, "/venues/mall", json: ["public": false]).status == .ok)
        try await harness.send(.get, path, key: nil).problem(401)
    }

    @Test func `a token expires`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let token = try await Self.token(harness, seconds: 1)
        let path = "/venues/mall/tiles/L0_14_0_0.png?token=\(token)"
        try await harness.until { try await harness.send(.get, path, key: nil).status == .unauthorized }
    }
}
