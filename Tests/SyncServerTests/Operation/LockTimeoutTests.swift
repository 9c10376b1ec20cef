import HTTPTypes
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct LockTimeoutTests {
    @Test func `lock timeout: a request that waits too long for a row is answered 503 with Retry-After`() async throws {
        let configuration = TestDatabase.current.configuration
        let pool = ConnectionPool(configuration.forStore(lockTimeout: .milliseconds(50)))
        try await Harness.run(store: RevisionStore(pool: pool)) { harness in
            try await harness.push(SampleVenue(.small).archive())
            let holder = try await Connection.open(configuration)
            try await holder.execute("BEGIN; UPDATE venue SET head = head WHERE key = 'mall'")
            let response = try await harness.send(
                .patch, "/venues/mall", type: "application/json", body: Array(#"{"removal_guard":false}"#.utf8))
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] != nil)
            #expect(response.text.contains("/problems/busy"))
            // A read does not wait for the row lock.
            #expect(try await harness.send(.get, "/venues/mall/sync").status == .ok)
            await holder.close()
        }
        await pool.close()
    }
}
