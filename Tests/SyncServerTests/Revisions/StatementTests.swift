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

/// Signed statements about revisions.
@Suite(.database)
struct StatementTests {
    /// Runs a test on a server with these keys.
    private static func run(
        signing keys: SigningKeys, _ test: @escaping @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run(store: TestDatabase.current.store(signing: keys), test)
    }

    private static func statement(
        _ number: Int64, _ harness: Harness, trusting keys: [PublicKey]
    ) async throws -> RevisionStatement {
        try await Self.verified("/venues/mall/revisions/\(number)/statement", harness, trusting: keys)
    }

    private static func head(_ harness: Harness, trusting keys: [PublicKey]) async throws -> RevisionStatement {
        try await Self.verified("/venues/mall/head", harness, trusting: keys)
    }

    private static func verified(
        _ path: String, _ harness: Harness, trusting keys: [PublicKey]
    ) async throws -> RevisionStatement {
        let response = try await harness.send(.get, path)
        #expect(response.status == .ok, "\(response.text)")
        let signed = try SignedStatement(Array(response.data))
        try signed.verify(trusting: keys)
        return signed.statement
    }

    @Test func `statement is signed with every kind of revision, and has the digests of a snapshot`() async throws {
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in
            let first = SampleVenue.extended
            try await harness.push(first.archive())
            try await harness.push(first.edited(Edit(.rename, 2), Edit(.relevel, 1)).archive())
            #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
            let shop = try #require(first.features.first { $0.type == .occupant }?.id)
            let patch: JSONValue = ["properties": ["hours": "Mo-Tu 09:30-12:00"]]
            let edit = try await harness.send(
                .patch, "/venues/mall/features/\(shop)", type: "application/merge-patch+json",
                body: CanonicalJSON.data(patch))
            #expect(edit.status == .created, "\(edit.text)")
            for number in 1...4 as ClosedRange<Int64> {
                let statement = try await Self.statement(number, harness, trusting: keys.trusted)
                let pages = try await harness.pages(to: number)
                let blocks = pages.flatMap(\.blocks)
                #expect(statement.revision == number && statement.venue == pages[0].venue)
                #expect(statement.digest == pages[0].digest && statement.publishedAt == pages[0].publishedAt)
                // A change set lists the levels by ordinal, a statement by id.
                #expect(statement.levels.map(\.id) == [nil] + blocks.compactMap(\.level).sorted().map(Optional.some))
                for level in statement.levels {
                    #expect(blocks.first { $0.level == level.id }?.digest == level.digest)
                }
                #expect(statement.bytes == blocks.flatMap(\.features).reduce(0) { $0 + Int64($1.count) })
                #expect(statement.manifestDigest != nil && statement.validity == nil)
                // The digest of the revision is the one that was signed, so it is not a second claim.
                #expect(statement.keyID == keys.signerID)
            }
            let restored = try await Self.statement(3, harness, trusting: keys.trusted)
            #expect(try await Self.statement(1, harness, trusting: keys.trusted).levels == restored.levels)
        }
    }

    @Test func `signed head is about the newest revision, and counts for ten minutes`() async throws {
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let before = Date()
            let head = try await Self.head(harness, trusting: keys.trusted)
            let validity = try #require(head.validity)
            #expect(head.revision == 1 && validity.expires.timeIntervalSince(validity.asOf) == 600)
            // The statement has whole milliseconds.
            #expect(Timestamp.text(of: validity.asOf) >= Timestamp.text(of: before) && validity.asOf <= Date())
            #expect(try await Self.statement(1, harness, trusting: keys.trusted).levels == head.levels)
            // Signed once, and at once again for a new revision.
            #expect(try await Self.head(harness, trusting: keys.trusted) == head)
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            #expect(try await Self.head(harness, trusting: keys.trusted).revision == 2)
            let response = try await harness.send(.get, "/venues/mall/head")
            #expect(response.parts(of: .cacheControl) == ["private", "max-age=15"])
            try await harness.send(.get, "/venues/mall/head", key: nil).problem(401)
            try await harness.send(.get, "/venues/hall/head").problem(404)
        }
    }

    @Test func `server without keys publishes as before, and refuses statements`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue.tiny.archive())
            for path in ["head", "revisions/1/statement"] {
                let response = try await harness.send(.get, "/venues/mall/\(path)")
                try response.problem(404)
                #expect(try response.json["type"] == "/problems/not-signed")
            }
            let response = try await harness.send(.post, "/venues/mall/revisions/1/statement")
            try response.problem(409)
            #expect(try response.json["type"] == "/problems/not-signable")
            #expect(try await harness.count("revision_statement") == 0)
        }
    }

    @Test func `revision that was published without a key is signed on request of an administrator`() async throws {
        try await Harness.run { harness in try await harness.push(SampleVenue.tiny.archive()) }
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in
            try await harness.send(.get, "/venues/mall/head").problem(404)
            let publisher = try await harness.makeKey(.publish)
            try await harness.send(.post, "/venues/mall/revisions/1/statement", key: publisher).problem(403)
            try await harness.send(.post, "/venues/mall/revisions/2/statement").problem(404)
            let edited = SampleVenue.tiny.edited(Edit(.rename, 1))
            // Nothing is signed without a request as long as the revision before is not signed.
            let shop = try #require(SampleVenue.tiny.features.first { $0.type == .occupant }?.id)
            let edit = try await harness.send(
                .patch, "/venues/mall/features/\(shop)", type: "application/merge-patch+json",
                body: CanonicalJSON.data(["properties": ["hours": "Mo 10:00-21:00"]]))
            try edit.problem(409)
            #expect(try edit.json["type"] == "/problems/not-signable")
            // An upload fails at the first attempt, and says what to do.
            let upload = try await harness.push(edited.archive())
            #expect(upload.state == .failed && upload.failure?.contains("sign it first") == true, "\(upload)")
            #expect(try await harness.count("revision") == 1)
            let signed = try await harness.send(.post, "/venues/mall/revisions/1/statement")
            #expect(signed.status == .created, "\(signed.text)")
            try SignedStatement(Array(signed.data)).verify(trusting: keys.trusted)
            #expect(try await Self.head(harness, trusting: keys.trusted).revision == 1)
            // What is signed and published from now on is signed without a request.
            try await harness.push(edited.archive())
            #expect(try await Self.head(harness, trusting: keys.trusted).revision == 2)
        }
    }

    @Test func `statements are signed again with the next key, and in the next epoch`() async throws {
        let keys = try SigningKeys.random(2)
        try await Self.run(signing: keys) { harness in try await harness.push(SampleVenue.tiny.archive()) }
        let next = try keys.rotated()
        let newKey = next.trusted[1]
        try await Self.run(signing: next) { harness in
            let head = try await Self.head(harness, trusting: [newKey])
            #expect(try await Self.statement(1, harness, trusting: [newKey]).levels == head.levels)
            #expect(try await harness.send(.post, "/venues/mall/epoch").status == .ok)
            let renewed = try await Self.head(harness, trusting: [newKey])
            #expect(renewed.epoch != head.epoch && renewed.levels == head.levels)
            #expect(try await Self.statement(1, harness, trusting: [newKey]).epoch == renewed.epoch)
        }
        // Without the compromised key nothing that it has signed is valid, until an administrator confirms it.
        try await Self.run(signing: keys.rotated(isCompromised: true)) { harness in
            try await harness.send(.get, "/venues/mall/head").problem(404)
            try await harness.send(.get, "/venues/mall/revisions/1/statement").problem(404)
            #expect(try await harness.send(.post, "/venues/mall/revisions/1/statement").status == .created)
            #expect(try await Self.head(harness, trusting: [newKey]).revision == 1)
        }
    }

    @Test func `statements are deleted with their revisions`() async throws {
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            #expect(try await harness.count("revision_statement") == 2)
            #expect(
                try await harness.send(.post, "/venues/mall/prune", json: ["keep_revisions": 1]).status == .ok)
            #expect(try await harness.count("revision_statement") == 1)
            try await harness.send(.get, "/venues/mall/revisions/1/statement").problem(410)
            #expect(try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"]).status == .noContent)
            #expect(try await harness.count("revision_statement") == 0)
        }
    }

    // MARK: - A thief of the database, who can write to it

    @Test(arguments: [
        "UPDATE revision SET digest = sha256('x')",
        "UPDATE revision_statement SET document = replace(document, '\"revision\":1', '\"revision\":2')",
        "DELETE FROM revision_statement",
    ])
    func `server signs nothing that was changed in the database`(change: String) async throws {
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in try await harness.push(SampleVenue.tiny.archive()) }
        _ = try await TestDatabase.current.pool.query("\(raw: change)")
        try await Self.run(signing: keys) { harness in
            try await harness.send(.get, "/venues/mall/head").problem(404)
            try await harness.send(.get, "/venues/mall/revisions/1/statement").problem(404)
        }
    }

    @Test func `statement of another venue is not accepted, though a key of the server has signed it`() async throws {
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            try await harness.push(SampleVenue.tiny.archive(), to: "hall")
        }
        _ = try await TestDatabase.current.pool.query(
            """
            UPDATE revision_statement SET document = (SELECT document FROM revision_statement AS other
                JOIN venue ON venue.id = other.venue_id WHERE key = 'hall')
            WHERE venue_id = (SELECT id FROM venue WHERE key = 'mall')
            """)
        try await Self.run(signing: keys) { harness in
            try await harness.send(.get, "/venues/mall/head").problem(404)
            #expect(try await harness.send(.get, "/venues/hall/head").status == .ok)
        }
    }

    @Test(arguments: [false, true])
    func `publication is refused if a level that it does not change was altered in the database`(
        isStatementDeleted: Bool
    ) async throws {
        let keys = try SigningKeys.random()
        try await Self.run(signing: keys) { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let shop = try #require(SampleVenue.tiny.features.first { $0.type == .occupant }?.id)
            let path = "/venues/mall/features/\(shop)"
            func rename(_ name: String) async throws -> TestResponse {
                try await harness.send(
                    .patch, path, type: "application/merge-patch+json",
                    body: CanonicalJSON.data(["properties": ["hours": .string(name)]]))
            }
            #expect(try await rename("Mo 10:00-21:00").status == .created)
            // Every level but that of the shop.
            _ = try await harness.store.pool.query(
                """
                UPDATE level_state SET digest = sha256('x') WHERE level_id IS NOT NULL AND level_id <>
                    (SELECT level_id FROM feature_version WHERE feature_id = \(shop) LIMIT 1)
                """)
            if isStatementDeleted {
                _ = try await harness.store.pool.query("DELETE FROM revision_statement WHERE revision = 2")
            }
            let refused = try await rename("Tu 10:00-21:00")
            try refused.problem(409)
            #expect(try refused.json["type"] == "/problems/not-signable")
            #expect(try await harness.count("revision") == 2)
        }
    }
}
