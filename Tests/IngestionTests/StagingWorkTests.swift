import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct StagingWorkTests {
    @Test func `timed publishing: idle workers publish a due upload, once`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.small)
            try await harness.push(venue.archive())
            _ = venue.apply(try Edit.parse(list: "rename=2"), seed: 1)
            let tomorrow = Timestamp.text(of: Date(timeIntervalSinceNow: 86_400))
            let timed = try await harness.push(venue.archive(), query: "?publish=\(tomorrow)")
            #expect(timed.state == .staged)
            let workers = (0..<3).map { _ in
                IngestionWorker(
                    store: harness.store, settings: .init(pollInterval: .milliseconds(20)),
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            }.map { worker in Task { try await worker.run() } }
            // A worker whose session does not exist yet could lose its job to another.
            try await harness.until {
                try await harness.store.pool.query(
                    """
                    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """
                ).count == workers.count
            }
            _ = try await harness.store.pool.query(
                "UPDATE upload SET publish_at = now() + interval '50 milliseconds' WHERE id = \(UploadID(timed.id))")
            try await harness.until { try await harness.get(Upload.self, "/uploads/\(timed.id)").state.isFinal }
            let upload = try await harness.get(Upload.self, "/uploads/\(timed.id)")
            for worker in workers { worker.cancel() }
            for worker in workers { _ = await worker.result }
            #expect(upload.state == .published && upload.revision == 2 && upload.attempts == 1)
            let head = try await harness.get(Venue.self, "/venues/mall").head
            #expect(head == 2)
        }
    }

    @Test func `import: an archive is compared again with a revision that was published meanwhile`() async throws {
        try await Harness.run { harness in
            var venue = SampleVenue(.small)
            try await harness.push(venue.archive())
            _ = venue.apply(try Edit.parse(list: "rename=2"), seed: 1)
            try await harness.push(venue.archive())
            let before = try await harness.bodies(at: 1)
            for _ in 0..<4 {
                _ = venue.apply(try Edit.parse(list: "move=1"), seed: 2)
                let archive = try venue.archive()
                async let upload = harness.push(archive, query: "?publish=2020-01-01T00:00:00Z")
                async let rollback = harness.send(
                    .post, "/venues/mall/rollback", type: "application/json", body: Array(#"{"to":1}"#.utf8))
                let (ended, response) = try await (upload, rollback)
                #expect(response.status == .created || response.status == .conflict)
                #expect([.published, .staged, .unchanged].contains(ended.state))
                let head = try await harness.get(Venue.self, "/venues/mall").head
                if ended.state == .staged { #expect(ended.reasons == ["head_moved"] && ended.revision == nil) }
                // In either order the newest revision is equal to one of the two, never a mixture.
                let bodies = try await harness.bodies(at: head)
                #expect(try bodies == before || bodies == canonicalBodies(of: archive))
                _ = try await harness.send(.delete, "/uploads/\(ended.id)")
            }
        }
    }
}
