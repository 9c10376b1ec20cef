import Foundation
import Postgres
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.serialized)
struct TakeoverTests {
    /// The lease is much longer than the test.
    @Test(.timeLimit(.minutes(5)))
    func `takeover: the upload of a killed worker is taken over long before its lease expires`() async throws {
        try await Deployment.run(workers: 0) { deployment in
            let service = deployment.services[0]
            let workers = (0..<2).map { number in
                WorkerNode(
                    databaseURL: deployment.database.url,
                    log: deployment.workplace.folder.appending(path: "worker-\(number).log"), lease: 3_600)
            }
            try await workers[0].start()
            try await service.publish(.tiny)
            // The next job waits at its last step, which needs the row of the venue. By then its transaction has locked the upload,
            // so the next worker also needs the end of the statement that the killed one has left behind.
            let holder = try await Connection.open(deployment.database.configuration)
            try await holder.execute("BEGIN; UPDATE venue SET head = head WHERE key = 'mall'")
            let receipt = try await service.upload(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
            let observer = try await Connection.open(deployment.database.configuration)
            try await eventually("a worker that publishes") {
                try await observer.query(
                    """
                    SELECT pid FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE venue SET head%'
                    """
                ).count == 1
            }
            await workers[0].kill()
            try await workers[1].start()
            try await eventually("a second attempt") {
                try await service.get(Upload.self, "/uploads/\(receipt.id)").attempts == 2
            }
            await holder.close()
            await observer.close()
            try await eventually("the end of the upload") {
                try await service.get(Upload.self, "/uploads/\(receipt.id)").state == .published
            }
            for worker in workers { await worker.stop() }
        }
    }
}
