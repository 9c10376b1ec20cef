import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct FairQueueTests {
    private let store: RevisionStore

    init() { self.init(store: TestDatabase.current.store) }

    private init(store: RevisionStore) { self.store = store }

    @discardableResult
    private func enqueue(
        _ venue: String, by author: String = "key", key: KeyID? = nil, limits: QueueLimits? = nil
    ) async throws -> UploadID {
        var archive = try await self.store.beginArchive(by: .ops)
        try await self.store.append(Array("\(FeatureID.random())".utf8), to: &archive)
        return try await self.store.enqueue(
            UploadRequest(
                venue: VenueKey(venue)!, archive: self.store.finish(archive), options: UploadOptions(), message: nil,
                createsVenue: true, known: nil),
            limits: limits, by: Authorization(key: key, author: author, role: .publish, venue: VenueKey(venue))
        ).id
    }

    private func finish(_ job: Job) async throws {
        try await self.store.finish(job, as: .rejected, findings: [], base: nil, identity: nil, changes: nil)
    }

    /// The venues of the next jobs, each finished before the next is claimed.
    private func served(_ count: Int) async throws -> [String] {
        var venues: [String] = []
        for _ in 0..<count {
            let job = try #require(try await self.store.claim(leaseFor: 3_600))
            venues.append("\(job.venue)")
            try await self.finish(job)
        }
        return venues
    }

    @Test func `fair queue: claims alternate between the venues of one submitter`() async throws {
        for _ in 0..<3 { try await self.enqueue("large") }
        try await self.enqueue("small")
        #expect(try await self.served(4) == ["large", "small", "large", "large"])
    }

    @Test func `fair queue: claims alternate between submitters, however many venues one of them has`() async throws {
        for number in 0..<3 { try await self.enqueue("venue-\(number)", by: "busy") }
        try await self.enqueue("other", by: "calm")
        #expect(try await self.served(4) == ["venue-0", "other", "venue-1", "venue-2"])
    }

    @Test func `fair queue: keys with the same name have turns of their own`() async throws {
        let keys = [KeyID.random(), .random()]
        for id in keys {
            _ = try await self.store.addKey(id, name: "ci", role: .publish, venues: nil, secretHash: [0], by: .ops)
        }
        for number in 0..<3 { try await self.enqueue("venue-\(number)", by: "ci", key: keys[0]) }
        try await self.enqueue("other", by: "ci", key: keys[1])
        #expect(try await self.served(4) == ["venue-0", "other", "venue-1", "venue-2"])
    }

    @Test func `claim scope skips large archives and submitters with an upload in process`() async throws {
        try await self.enqueue("one", by: "busy")
        try await self.enqueue("two", by: "busy")
        #expect(try await self.store.claim(leaseFor: 3_600, scope: ClaimScope(largestArchive: 1)) == nil)
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        #expect(try await self.store.claim(leaseFor: 3_600, scope: ClaimScope(onlyIdleSubmitters: true)) == nil)
        try await self.enqueue("three", by: "calm")
        let other = try await self.store.claim(leaseFor: 3_600, scope: ClaimScope(onlyIdleSubmitters: true))
        #expect(other?.venue.description == "three")
        try await self.finish(job)
    }

    @Test func `claim ignores the uploads of a deleted venue`() async throws {
        try await self.enqueue("mall")
        _ = try await self.store.pool.query("UPDATE venue SET deleted_at = now()")
        #expect(try await self.store.claim(leaseFor: 3_600) == nil)
        _ = try await self.store.pool.query(
            "UPDATE upload SET state = 'published', findings_complete = false")
        #expect(try await self.store.claimValidation(leaseFor: 3_600) == nil)
    }

    @Test func `job attempts: giving back a job does not count as one`() async throws {
        let id = try await self.enqueue("mall")
        for _ in 0..<2 * Int(RevisionStore.attempts) {
            let job = try #require(try await self.store.claim(leaseFor: 3_600))
            #expect(job.attempt == 1)
            try await self.store.giveBack(job)
            await #expect(throws: StoreError.leaseLost) {
                try await self.store.renew(job, for: 60, progress: .init(phase: nil, done: 0, total: 0))
            }
        }
        #expect(try await self.store.upload(id).state == .received)
    }

    @Test func `queue limits bound the waiting uploads of a venue and of a submitter`() async throws {
        let limits = QueueLimits(perVenue: 2, perSubmitter: 3)
        for _ in 0..<2 { try await self.enqueue("mall", limits: limits) }
        await #expect(throws: StoreError.queueFull(.venue, limit: 2)) { try await self.enqueue("mall", limits: limits) }
        try await self.enqueue("arcade", limits: limits)
        await #expect(throws: StoreError.queueFull(.key, limit: 3)) { try await self.enqueue("plaza", limits: limits) }
        try await self.enqueue("plaza", by: "another key", limits: limits)
        try await self.finish(#require(try await self.store.claim(leaseFor: 3_600)))
        try await self.enqueue("mall", limits: limits)
    }
}

extension FairQueueTests {
    /// Uploads of one venue that wait, added at once.
    private func fill(_ venue: String, with count: Int) async throws {
        try await self.enqueue(venue)
        _ = try await self.store.pool.query(
            """
            INSERT INTO upload (id, venue_id, created_venue, archive_id, options, author)
            SELECT gen_random_uuid(), venue_id, false, archive_id, options, author
            FROM upload JOIN venue ON venue.id = venue_id AND venue.key = \(venue), generate_series(2, \(Int64(count)))
            """)
    }

    private func rowsRead() async throws -> Int64 {
        _ = try await self.store.pool.query("SELECT pg_stat_force_next_flush()::text")
        return try await self.store.pool.query(
            "SELECT coalesce(sum(idx_tup_read), 0)::bigint FROM pg_stat_user_indexes WHERE relname = 'upload'"
        ).decode(Int64.self)[0]
    }

    @Test func `fair queue: one upload waits for at most one of a thousand of another venue`() async throws {
        try await self.fill("busy", with: 1_000)
        #expect(try await self.served(1) == ["busy"])
        try await self.enqueue("calm")
        #expect(try await self.served(2) == ["calm", "busy"])
        try await self.enqueue("calm")
        #expect(try await self.served(2) == ["calm", "busy"])
    }

    @Test func `fair queue: a claim reads rows in proportion to the waiting uploads`() async throws {
        // One connection, because its counters are complete when it has sent them.
        let pool = ConnectionPool(TestDatabase.current.configuration.forStore(), size: 1)
        let tests = FairQueueTests(store: RevisionStore(pool: pool))
        var reads: [Int64] = []
        for count in [100, 1_000] {
            try await tests.fill("venue-\(count)", with: count)
            let before = try await tests.rowsRead()
            #expect(try await tests.store.claim(leaseFor: 3_600) != nil)
            reads.append(try await tests.rowsRead() - before)
        }
        #expect(reads[1] < 20 * reads[0] && reads[1] < 10_000, "\(reads)")
        await pool.close()
    }
}
