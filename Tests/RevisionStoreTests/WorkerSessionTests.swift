import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// The job of a worker that has ended is claimed at once; that of a live worker is not.
@Suite(.database)
struct WorkerSessionTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    private static let holders: Query = """
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """

    /// Makes all leases look old, and waits until the server is old enough for the check.
    private func letTimePass() async throws {
        _ = try await self.store.pool.query("UPDATE upload SET renewed_at = now() - interval '1 minute'")
        try await eventually("the server is old enough") {
            try await self.store.pool.query("SELECT pg_postmaster_start_time() < now() - interval '3 seconds'")
                .decode(Bool.self) == [true]
        }
    }

    /// Runs a closure while the session of a worker is held.
    private func holding(_ session: WorkerSession, _ body: () async throws -> Void) async throws {
        let store = self.store
        let life = Task { for await _ in store.uploadNotifications(holding: session) {} }
        try await eventually("the session is held") { try await !self.store.pool.query(Self.holders).isEmpty }
        do {
            try await body()
        } catch {
            life.cancel()
            await life.value
            throw error
        }
        life.cancel()
        await life.value
    }

    @Test func `worker session: the job of an ended session is claimed, and that of a live one is not`()
        async throws
    {
        let session = WorkerSession()
        try await self.workshop.enqueue("zip")
        var lost: Job?
        try await self.holding(session) {
            let job = try #require(try await self.store.claim(leaseFor: 3_600, session: session))
            try await self.letTimePass()
            #expect(try await self.store.claim(leaseFor: 3_600) == nil)
            lost = job
        }
        let job = try #require(lost)
        try await self.letTimePass()
        var next: Job?
        try await eventually("the job is claimed") {
            next = try await self.store.claim(leaseFor: 3_600)
            return next != nil
        }
        #expect(next?.upload == job.upload && next?.attempt == 2)
        await #expect(throws: StoreError.leaseLost) {
            try await self.store.renew(job, for: 60, progress: .init(phase: .reading, done: 0, total: 0))
        }
    }

    @Test func `worker session: a worker that renews its lease keeps its job without a session`() async throws {
        let session = WorkerSession()
        try await self.workshop.enqueue("zip")
        let job = try #require(try await self.store.claim(leaseFor: 3_600, session: session))
        try await self.letTimePass()
        try await self.store.renew(job, for: 3_600, progress: .init(phase: .reading, done: 0, total: 0))
        #expect(try await self.store.claim(leaseFor: 3_600) == nil)
    }

    @Test func `worker session: the validation of an ended session is claimed`() async throws {
        let session = WorkerSession()
        try await self.workshop.enqueue("zip")
        let job = try #require(try await self.store.claim(leaseFor: 3_600, session: session))
        try await self.store.finish(
            job, as: .unchanged, findings: FindingReport(onReading: [], isComplete: false), base: nil, identity: nil,
            changes: nil)
        #expect(try await self.store.claimValidation(leaseFor: 3_600) == nil)
        try await self.letTimePass()
        #expect(try await self.store.claimValidation(leaseFor: 3_600)?.upload == job.upload)
    }

    @Test func `worker session is held again after its connection was lost`() async throws {
        try await self.holding(WorkerSession()) {
            let first = try await self.store.pool.query(Self.holders).decode(Int32.self)
            _ = try await self.store.pool.query("SELECT pg_terminate_backend(\(first[0]))")
            try await eventually("another session is held") {
                let holders = try await self.store.pool.query(Self.holders).decode(Int32.self)
                return !holders.isEmpty && holders != first
            }
        }
    }
}
