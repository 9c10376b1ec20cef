import HTTPTypes
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct WakeTests {
    /// With a worker that polls only once an hour.
    @Test func `worker: an upload wakes an idle worker`() async throws {
        try await Harness.run { harness in
            let worker = IngestionWorker(
                store: harness.store, settings: .init(pollInterval: .seconds(3_600)),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let work = Task { try await worker.run() }
            try await harness.until {
                try await harness.store.pool.query(
                    """
                    SELECT EXISTS (SELECT FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE '%pg_advisory_lock%' AND state = 'idle')
                    """
                ).decode(Bool.self) == [true]
            }
            // The first upload may be found by the poll at the start of the worker.
            var venue = SampleVenue(.small)
            for number in 1...3 as ClosedRange<Int64> {
                let receipt = try await harness.send(
                    .post, "/venues/mall/uploads", type: "application/zip", body: venue.archive())
                let upload = try WireJSON.value(Upload.self, from: receipt.data)
                try await harness.until {
                    try await harness.get(Upload.self, "/uploads/\(upload.id)").revision == number
                }
                _ = venue.apply(try Edit.parse(list: "rename=1"), seed: UInt64(number))
            }
            work.cancel()
            _ = await work.result
        }
    }
}
