import Foundation
import HTTPTypes
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A database that temporarily lacks resources, which is not the client's fault.
@Suite(.server)
struct OutOfResourcesTests {
    /// Lets PostgreSQL refuse every archive with this error.
    private static func refuseArchives(with sqlState: String, in harness: Harness) async throws {
        _ = try await harness.store.pool.query(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'out of resources \(raw: sqlState)' USING ERRCODE = '\(raw: sqlState)'; END $$
            """)
        _ = try await harness.store.pool.query(
            "CREATE TRIGGER refuse BEFORE INSERT ON archive_chunk FOR EACH ROW EXECUTE FUNCTION refuse()")
    }

    @Test(arguments: [
        ("53100", "30"), ("53000", "1"), ("53200", "1"), ("53300", "1"), ("53400", "1"), ("58030", "1"), ("57P03", "1"),
        ("25006", "1"),
    ])
    func `upload for which the database has no resources, or is a standby, is answered 503 and leaves nothing behind`(
        sqlState: String, wait: String
    ) async throws {
        let harness = Harness.current
        let archive = try SampleVenue.tiny.archive()
        try await Self.refuseArchives(with: sqlState, in: harness)
        let response = try await harness.send(
            .post, "/venues/mall/uploads", type: "application/zip", body: archive)
        let problem = try response.problem(503)
        #expect(problem.type == "/problems/unavailable" && response.headers[.retryAfter] == wait)
        #expect(!response.text.contains("out of resources"))
        #expect((problem.title == "The database is out of disk space") == (sqlState == "53100"))
        let left = try await harness.store.pool.query(
            "SELECT (SELECT count(*) FROM upload) + (SELECT count(*) FROM archive)"
        ).decode(Int64.self)
        #expect(left == [0])
        _ = try await harness.store.pool.query("DROP TRIGGER refuse ON archive_chunk")
        #expect(try await harness.push(archive).state == .published)
    }

    @Test func `statement that fails is an internal error`() async throws {
        let harness = Harness.current
        try await Self.refuseArchives(with: "23514", in: harness)
        let response = try await harness.send(
            .post, "/venues/mall/uploads", type: "application/zip", body: try SampleVenue.tiny.archive())
        #expect(try response.problem(500).type == "/problems/internal")
    }
}
