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

/// What one worker process does at the same time. The archive that keeps it busy takes some seconds at least.
@Suite(.database, .serialized)
struct LaneTests {
    private func send(_ archive: [UInt8], to venue: String, query: String = "", in harness: Harness) async throws
        -> Upload
    {
        let response = try await harness.send(
            .post, "/venues/\(venue)/uploads\(query)", type: "application/zip", body: archive)
        return try WireJSON.value(Upload.self, from: response.data)
    }

    private func state(of upload: Upload, in harness: Harness) async throws -> Upload {
        try await harness.get(Upload.self, "/uploads/\(upload.id)")
    }

    /// Runs a worker beside the test.
    private func working(_ harness: Harness, _ test: (Task<Void, any Error>) async throws -> Void) async throws {
        let work = Task { try await harness.worker.run() }
        do {
            try await test(work)
            work.cancel()
            _ = await work.result
        } catch {
            work.cancel()
            _ = await work.result
            throw error
        }
    }

    @Test(arguments: ["", "?strict=true"])
    func `lanes: an upload does not wait for the validation of another venue's archive`(query: String) async throws {
        try await Harness.run { harness in
            let combs = try await self.send(
                HostileArchive.crossingCombs.zip(), to: "hostile", query: query, in: harness)
            // More archives than there are slots for one author.
            for number in 1...2 {
                _ = try await self.send(
                    HostileArchive.crossingCombs.zip(), to: "hostile-\(number)", query: query, in: harness)
            }
            let small = try await self.send(SampleVenue(.small).archive(), to: "mall", in: harness)
            try await self.working(harness) { _ in
                try await harness.until { try await self.state(of: small, in: harness).state == .published }
                #expect(try await !self.state(of: combs, in: harness).findings.complete)
            }
        }
    }

    @Test func `lanes: an upload does not wait for another venue's upload that is being published`() async throws {
        let configuration = TestDatabase.current.configuration
        let pool = ConnectionPool(configuration.forStore(lockTimeout: .seconds(600)))
        try await Harness.run(store: RevisionStore(pool: pool)) { harness in
            let first = try await self.send(SampleVenue(.small).archive(), to: "hall", in: harness)
            let holder = try await Connection.open(configuration)
            try await holder.execute("BEGIN; UPDATE venue SET head = head WHERE key = 'hall'")
            try await self.working(harness) { _ in
                try await TestDatabase.current.pool.waitForLock()
                let other = try await self.send(SampleVenue(.small).archive(), to: "mall", in: harness)
                try await harness.until { try await self.state(of: other, in: harness).state == .published }
                #expect(try await self.state(of: first, in: harness).state == .processing)
                await holder.close()
                try await harness.until { try await self.state(of: first, in: harness).state == .published }
            }
        }
        await pool.close()
    }

    @Test func `lanes: an archive leaves its slot to the next upload when its validation begins`() async throws {
        let configuration = TestDatabase.current.configuration
        let pool = ConnectionPool(configuration.forStore(lockTimeout: .seconds(600)))
        try await Harness.run(store: RevisionStore(pool: pool)) { harness in
            // Two of the three slots are taken by uploads of other keys, which wait for the rows of their venues.
            for venue in ["hall", "park"] {
                let id = KeyID.random()
                _ = try await harness.store.addKey(
                    id, name: venue, role: .publish, venues: nil, secretHash: [0], by: .ops)
                _ = try await self.send(SampleVenue(.small).archive(), to: venue, in: harness)
                _ = try await pool.query(
                    """
                    UPDATE upload SET authorized_by = \(id)
                    WHERE venue_id = (SELECT id FROM venue WHERE key = \(venue))
                    """)
            }
            let holder = try await Connection.open(configuration)
            try await holder.execute("BEGIN; UPDATE venue SET head = head WHERE key IN ('hall', 'park')")
            try await self.working(harness) { _ in
                try await TestDatabase.current.pool.waitForLock(2)
                let combs = try await self.send(HostileArchive.crossingCombs.zip(), to: "hostile", in: harness)
                let small = try await self.send(SampleVenue(.small).archive(), to: "mall", in: harness)
                try await harness.until { try await self.state(of: small, in: harness).state == .published }
                #expect(try await !self.state(of: combs, in: harness).findings.complete)
                await holder.close()
            }
        }
        await pool.close()
    }

    @Test func `lanes: deleting a venue ends the validation of its archive`() async throws {
        try await Harness.run { harness in
            let combs = try await self.send(HostileArchive.crossingCombs.zip(), to: "hostile", in: harness)
            try await self.working(harness) { _ in
                try await harness.until {
                    let upload = try await self.state(of: combs, in: harness)
                    return upload.state == .published && upload.progress.phase == .validating
                }
                let deleted = try await harness.send(
                    .delete, "/venues/hostile", type: "application/json", body: Array(#"{"confirm":"hostile"}"#.utf8))
                #expect(deleted.status.code < 300)
                // The lane is free again, long before the validation of the combs would have ended.
                let small = try await self.send(SampleVenue(.small).archive(), to: "mall", in: harness)
                try await harness.until { try await self.state(of: small, in: harness).findings.complete }
                let id = try #require(UploadID(combs.id))
                #expect(try await harness.store.upload(id).findings.complete)
                let skipped = try await harness.store.pool.query("SELECT skipped::text FROM upload WHERE id = \(id)")
                    .decode(String.self)
                #expect(skipped.first?.contains("The venue was deleted") ?? false)
                #expect(try await harness.store.claimValidation(leaseFor: 3_600) == nil)
            }
        }
    }

    @Test(arguments: ["", "?strict=true"])
    func `worker: its jobs return to the queue when it stops`(query: String) async throws {
        try await Harness.run { harness in
            let combs = try await self.send(
                HostileArchive.crossingCombs.zip(), to: "hostile", query: query, in: harness)
            try await self.working(harness) { work in
                try await harness.until {
                    try await self.state(of: combs, in: harness).progress.phase == .validating
                }
                work.cancel()
                _ = await work.result
            }
            // The validation was interrupted: otherwise the job would be finished.
            let left = try await self.state(of: combs, in: harness)
            #expect(left.state == (query.isEmpty ? .published : .received))
            #expect(left.attempts == (query.isEmpty ? 1 : 0))
            let next =
                try await query.isEmpty
                ? harness.store.claimValidation(leaseFor: 3_600) : harness.store.claim(leaseFor: 3_600)
            #expect(next?.upload.description == combs.id)
        }
    }
}
