import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// Authorization is checked when a request arrives and again when it takes effect, because the key may be revoked in
/// between.
@Suite(.server)
struct RevokedKeyTests {
    /// A feature to which no other one refers.
    private static let shop = SampleVenue.tiny.ids(of: .occupant).min() ?? .random()

    /// Every writing request with a body.
    static let writes: [DirectRequest] = [
        .init(
            method: .post, path: "/keys", key: "", type: "application/json",
            body: Array(#"{"name":"mine","role":"admin","venues":["*"]}"#.utf8)),
        .init(
            method: .post, path: "/venues/mall/uploads", key: "", type: "application/zip", body: Array("PK zip".utf8)),
        .init(method: .patch, path: "/venues/mall", key: "", body: Array(#"{"public":true}"#.utf8)),
        .init(method: .delete, path: "/venues/mall", key: "", body: Array(#"{"confirm":"mall"}"#.utf8)),
        .init(method: .post, path: "/venues/mall/rollback", key: "", body: Array(#"{"to":1}"#.utf8)),
        .init(
            method: .post, path: "/venues/mall/rollback", key: "", body: Array(#"{"to":1,"levels":["ordinal:0"]}"#.utf8)
        ),
        .init(
            method: .patch, path: "/venues/mall/features/\(Self.shop)", key: "",
            body: Array(#"{"properties":{"hours":"off"}}"#.utf8)),
        .init(
            method: .post, path: "/venues/mall/edits", key: "",
            body: Array(#"{"edits":[{"hide":"\#(Self.shop)"}]}"#.utf8)),
        .init(method: .post, path: "/venues/mall/prune", key: "", body: Array(#"{"keep_revisions":1}"#.utf8)),
        .init(method: .post, path: "/uploads/STAGED/publish?wait=1", key: "", body: Array("{ }".utf8)),
    ]

    @Test(arguments: writes.indices)
    func `key revocation while the body is being sent: the request is refused and writes nothing`(
        index: Int
    ) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3)).archive())
        let staged = try await harness.push(
            SampleVenue.tiny.edited(Edit(.rename, 5), seed: 2).archive(), query: "?publish=hold")
        var request = Self.writes[index]
        request.path = request.path.replacing("STAGED", with: staged.id)
        request.key = try await harness.makeKey(.admin, named: "lost")
        let before = try await Self.state(of: harness)
        let response = try await request.send(to: harness, halfSent: { try await harness.revoke("lost") })
        #expect(response.status == 401, "\(request.path): \(response.text)")
        #expect(try await Self.state(of: harness) == before)
    }

    /// All state that the requests would change.
    private static func state(of harness: Harness) async throws -> [String] {
        try await harness.store.pool.query(
            """
            SELECT venue.key || public || head || first_revision || epoch || (deleted_at IS NULL) FROM venue
            UNION ALL SELECT 'key ' || name FROM api_key WHERE name <> 'lost'
            UNION ALL SELECT upload.id || state FROM upload
            UNION ALL SELECT 'archive ' || id FROM archive
            UNION ALL SELECT 'revision ' || number FROM revision ORDER BY 1
            """
        ).decode(String.self)
    }

    @Test func `key revocation: requests without a body are refused inside the writing transaction`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let upload = try await harness.push(
            SampleVenue.tiny.edited(Edit(.rename, 5)).archive(), query: "?publish=hold")
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        let id = KeyID.random()
        let lost = Authorization(key: id, author: "lost", role: .admin, venue: venue.key)
        await #expect(throws: StoreError.keyRevoked) { try await harness.store.renewEpoch(of: venue, by: lost) }
        await #expect(throws: StoreError.keyRevoked) {
            try await harness.store.discard(#require(UploadID(upload.id)), by: lost)
        }
        await #expect(throws: StoreError.keyRevoked) { try await harness.store.removeKey(.random(), by: lost) }
        await #expect(throws: StoreError.keyRevoked) { _ = try await harness.store.beginArchive(by: lost) }
    }

    @Test func `key whose role or venues changed during the request writes nothing`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for change in ["role = 'publish'", "venues = '{office}'"] {
            let key = try await harness.makeKey(.admin, named: "lost", for: ["mall"])
            let request = DirectRequest(
                method: .patch, path: "/venues/mall", key: key, body: Array(#"{"public":true}"#.utf8))
            let response = try await request.send(
                to: harness,
                halfSent: {
                    _ = try await harness.store.pool.query(
                        "UPDATE api_key SET \(raw: change) WHERE name = 'lost'")
                })
            #expect(response.status == 403, "\(change)")
            #expect(try await harness.get(Venue.self, "/venues/mall").public == false)
            try await harness.revoke("lost")
        }
    }

    @Test func `key revocation that is not yet committed makes a request wait`() async throws {
        let harness = Harness.current
        let secret = try await harness.makeKey(.admin, named: "lost")
        let pool = harness.store.pool
        let response = try await pool.transaction { connection in
            _ = try await connection.query("DELETE FROM api_key WHERE name = 'lost'")
            let response = Task {
                try await harness.send(
                    .post, "/keys", json: ["name": "mine", "role": "admin", "venues": ["*"]], key: secret)
            }
            try await harness.store.pool.waitForLock()
            return response
        }
        try await response.value.problem(401)
        #expect(try await harness.count("api_key") == 0)
    }

    @Test func `key revocation: two keys that revoke each other at the same time cannot both succeed`() async throws {
        let harness = Harness.current
        for _ in 0..<10 {
            let keys = try await [harness.makeKey(.admin, named: "one"), harness.makeKey(.admin, named: "two")]
            let ids = keys.map { String($0.split(separator: "_")[1]) }
            async let first = harness.send(.delete, "/keys/\(ids[1])", key: keys[0])
            async let second = harness.send(.delete, "/keys/\(ids[0])", key: keys[1])
            let statuses = try await [first.status.code, second.status.code].sorted()
            #expect(statuses == [204, 401])
            #expect(try await harness.count("api_key") == 1)
            for name in ["one", "two"] { try await harness.revoke(name) }
        }
    }

    @Test func `key may revoke itself`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.admin)
        let response = try await harness.send(.delete, "/keys/\(key.split(separator: "_")[1])", key: key)
        #expect(response.status == .noContent)
    }

    @Test func `waiting for an upload ends when the key is revoked`() async throws {
        let harness = Harness.current
        let response = try await harness.upload(SampleVenue.tiny.archive())
        let id = try #require(try response.json["id"]?.string)
        let key = try await harness.makeKey(.publish, named: "lost")
        let loans = harness.store.pool.useCount
        async let status = harness.send(.get, "/uploads/\(id)?wait=60", key: key)
        try await harness.until { harness.store.pool.useCount > loans + 6 }
        let start = ContinuousClock.now
        try await harness.revoke("lost")
        try await status.problem(401)
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test(arguments: [
        "/features/\(SampleVenue.tiny.features[0].id)", "/features/\(SampleVenue.tiny.features[0].id)/history",
        "/diff?from=1&to=2", "/revisions/1/features", "/revisions/1/archive.zip", "/sync",
    ])
    func `key revocation during a slow read: the read is refused`(path: String) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3)).archive())
        let key = try await harness.makeKey(.read, named: "lost", for: ["mall"])
        // The first refreshes compare everything and would wait for the lock themselves.
        for _ in 0..<40 { try await harness.server.readModel.refresh() }
        let response = try await harness.store.pool.transaction { connection in
            _ = try await connection.query("LOCK TABLE feature_version IN ACCESS EXCLUSIVE MODE")
            let response = Task { try await harness.send(.get, "/venues/mall\(path)", key: key) }
            try await harness.store.pool.waitForLock()
            try await harness.revoke("lost")
            return response
        }
        try await response.value.problem(401)
    }

    @Test func `key revocation while a public venue is read: its settings are not sent`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        // What the list has about the next revision is not in memory.
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3)).archive())
        let key = try await harness.makeKey(.admin, named: "lost", for: ["mall"])
        // The first refreshes compare everything and would wait for the lock themselves.
        for _ in 0..<40 { try await harness.server.readModel.refresh() }
        let response = try await harness.store.pool.transaction { connection in
            _ = try await connection.query("LOCK TABLE feature_version IN ACCESS EXCLUSIVE MODE")
            let response = Task { try await harness.send(.get, "/venues/mall", key: key) }
            try await harness.store.pool.waitForLock()
            try await harness.revoke("lost")
            return response
        }
        try await response.value.problem(401)
        #expect(try await harness.send(.get, "/venues/mall", key: key).json.keys.contains("settings") == false)
    }

    @Test(arguments: ["/revisions/1/features", "/sync"])
    func `download in progress ends when its key is revoked or its venue becomes private`(path: String) async throws {
        let harness = Harness.current
        // Long enough for several chunks.
        try await harness.push(SampleVenue(.init(levels: 2, unitsPerLevel: 500)).archive())
        let key = try await harness.makeKey(.read, named: "lost", for: ["mall"])
        var request = DirectRequest(path: "/venues/mall\(path)", key: key)
        let whole = try await request.send(to: harness)
        #expect(whole.status == 200 && whole.end == nil && whole.text.utf8.count > 256 << 10)
        // The next ones may come from a cache.
        #expect(try await request.send(to: harness).text == whole.text)
        let cut = try await request.send(to: harness, begun: { try await harness.revoke("lost") })
        #expect(cut.end != nil && cut.text.utf8.count < whole.text.utf8.count)
        try await harness.set("public", to: true)
        #expect(try await request.send(to: harness).text == whole.text)
        request.key = "none"
        let closed = try await request.send(to: harness, begun: { try await harness.set("public", to: false) })
        #expect(closed.end != nil && closed.text.utf8.count < whole.text.utf8.count)
    }

    @Test func `upload of a revoked key is staged until another key publishes it`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let key = try await harness.makeKey(.publish, named: "lost")
        let next = try SampleVenue.tiny.edited(Edit(.rename, 3)).archive()
        let timed = try await harness.push(next, query: "?publish=\(Upload.tomorrow)", key: key)
        #expect(timed.state == .staged && timed.reasons.isEmpty)
        let queued = try await harness.upload(next, key: key).json["id"]?.string
        try await harness.revoke("lost")
        try await harness.makeDue(timed)
        try await harness.work()
        for id in [timed.id, queued] {
            let upload = try await harness.upload(#require(id))
            #expect(upload.state == .staged && upload.reasons == ["key_revoked"], "\(upload)")
        }
        #expect(try await harness.head() == 1)
        let lost = try await harness.decide(timed, ["confirm": ["key_revoked"]])
        #expect(lost.status == .ok)
        #expect(try await harness.upload(timed.id).state == .published)
        #expect(try await harness.head() == 2)
    }

    @Test func `first upload of a venue, by a key that was revoked before it was processed, is staged`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.publish, named: "lost")
        let id = try await harness.upload(SampleVenue.tiny.archive(), key: key).json["id"]?.string
        try await harness.revoke("lost")
        try await harness.work()
        let upload = try await harness.upload(#require(id))
        #expect(upload.state == .staged && upload.reasons == ["key_revoked"], "\(upload)")
        #expect(try await harness.decide(upload, ["confirm": ["key_revoked"]]).status == .ok)
        #expect(try await harness.upload(upload.id).state == .published)
        #expect(try await harness.head() == 1)
    }
}

extension Harness {
    /// Revokes all keys with this name.
    func revoke(_ name: String) async throws {
        for key in try await self.store.keys() where key.name == name {
            try await self.store.removeKey(key.id, by: .ops)
        }
    }
}
