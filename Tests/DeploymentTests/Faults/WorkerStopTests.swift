import Foundation
import HTTPTypes
import Postgres
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct WorkerStopTests {
    @Test func `worker that validates a hostile archive ends soon after SIGTERM and returns its job`() async throws {
        try await Harness.run { harness in
            let folder = try Workplace()
            let response = try await harness.send(
                .post, "/venues/hostile/uploads?strict=true", type: "application/zip",
                body: HostileArchive.crossingCombs.zip())
            let upload = try WireJSON.value(Upload.self, from: response.data)
            let worker = try ChildProcess(
                VenueProgram.path, ["work"],
                environment: ["VENUE_DATABASE_URL": TestDatabase.current.configuration.url],
                log: folder.folder.appending(path: "work.log"))
            try await harness.until {
                try await harness.get(Upload.self, "/uploads/\(upload.id)").progress.phase == .validating
            }
            // It exits with 0 only when it ends by itself: otherwise it is killed. The upload is returned only when its
            // validation was interrupted: otherwise it is finished.
            #expect(await worker.stop() == 0)
            let left = try await harness.get(Upload.self, "/uploads/\(upload.id)")
            #expect(left.state == .received && left.attempts == 0)
        }
    }
}
