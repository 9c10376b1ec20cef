import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// What an upload would have changed that the rule book rejected.
@Suite(.server)
struct RejectedChangesTests {
    /// An edited venue with errors that do not prevent reading it.
    private static func faulty(seed: UInt64 = 1, phone: JSONValue = "by letter only") -> SampleVenue {
        var venue = SampleVenue(.small).edited(Edit(.rename, 2), Edit(.remove, 1), seed: seed)
        for index in venue.features.indices where venue.features[index].type == .occupant {
            venue.features[index]["phone"] = phone
        }
        return venue
    }

    private static func reject(_ venue: SampleVenue) async throws -> Upload {
        let upload = try await Harness.current.push(venue.archive(), query: "?strict=true")
        #expect(upload.state == .rejected && upload.findings.error > 0 && upload.finishedAt != nil)
        return upload
    }

    /// The uploads of which changes are stored.
    private static func stored() async throws -> [String] {
        try await Harness.current.store.pool.query("SELECT DISTINCT upload_id::text FROM staged_change")
            .decode(String.self)
    }

    private static func expectNoChanges(of upload: Upload) async throws {
        let response = try await Harness.current.send(.get, "/uploads/\(upload.id)/changes")
        #expect(try response.problem(409).type == "/problems/wrong-state")
    }

    @Test func `changes of a rejected upload are those that the archive makes without validation`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue(.small).archive())
        let rejected = try await Self.reject(Self.faulty())
        let shown = try await harness.send(.get, "/uploads/\(rejected.id)/changes").json
        let published = try await harness.push(Self.faulty().archive())
        #expect(published.state == .published && published.changes == rejected.changes && rejected.base == 1)
        let diff = try await harness.send(.get, "/venues/mall/diff?from=1&to=2").json
        #expect(shown["changes"] == diff["changes"] && shown["words"] == diff["words"])
        #expect(shown["changes"]?.array?.isEmpty == false && rejected.changes?.words.isEmpty == false)
        // They are kept until another upload is rejected.
        #expect(try await harness.send(.get, "/uploads/\(rejected.id)/changes").json == shown)
    }

    @Test func `changes of the newest rejected upload are kept, those of earlier ones are deleted`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue(.small).archive())
        let first = try await Self.reject(Self.faulty())
        let second = try await Self.reject(Self.faulty(phone: "by pigeon only"))
        #expect(try await Self.stored() == [second.id])
        #expect(try await harness.changes(of: second).changes.isEmpty == false)
        let old = try await harness.get(Upload.self, "/uploads/\(first.id)")
        #expect(old.state == .rejected && old.changes == nil && old.findings.error > 0)
        try await Self.expectNoChanges(of: first)
    }

    @Test func `changes of a rejected first upload are all its features`() async throws {
        let harness = Harness.current
        let rejected = try await Self.reject(Self.faulty())
        let changes = try await harness.changes(of: rejected, "limit=10000").changes
        #expect(rejected.base == 0 && changes.count == Self.faulty().features.count)
        #expect(changes.allSatisfy { $0.kind == .added && $0.after != .none })
    }

    @Test func `staged upload that is rejected when it is published keeps what it would change`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue(.small).archive())
        let staged = try await harness.push(Self.faulty().archive(), query: "?publish=hold")
        let shown = try await harness.send(.get, "/uploads/\(staged.id)/changes").json["changes"]
        let settings = Array(#"{"validation":"strict"}"#.utf8)
        #expect(try await harness.send(.patch, "/venues/mall", type: "application/json", body: settings).status == .ok)
        try await harness.decide(staged).problem(409)
        let rejected = try await harness.get(Upload.self, "/uploads/\(staged.id)")
        #expect(rejected.state == .rejected && rejected.publishAt == nil && rejected.publishedBy == nil)
        #expect(shown?.array?.isEmpty == false)
        #expect(try await harness.send(.get, "/uploads/\(staged.id)/changes").json["changes"] == shown)
    }

    @Test func `archive that cannot be read has no changes`() async throws {
        let harness = Harness.current
        let rejected = try await harness.push(Array("no zip".utf8))
        #expect(rejected.state == .rejected && rejected.changes == nil)
        try await Self.expectNoChanges(of: rejected)
    }

    @Test func `changes of a rejected upload are deleted with the venue`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue(.small).archive())
        let rejected = try await Self.reject(Self.faulty())
        #expect(try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"]).status == .noContent)
        #expect(try await Self.stored().isEmpty)
        try await harness.push(SampleVenue(.small).archive())
        try await Self.expectNoChanges(of: rejected)
        #expect(try await harness.get(Upload.self, "/uploads/\(rejected.id)").changes == nil)
    }
}
