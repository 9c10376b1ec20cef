import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// Deletes archives that no upload needs any more, while others are uploaded again.
@Suite(.database)
struct ArchiveSweepTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    /// Finished uploads, in order.
    @discardableResult
    private func uploads(_ texts: [String], to key: VenueKey? = nil) async throws -> [UploadID] {
        var ids: [UploadID] = []
        for text in texts {
            ids.append(try await self.workshop.enqueue(text, to: key).id)
            let job = try #require(try await self.store.claim(leaseFor: 3_600))
            try await self.store.finish(job, as: .rejected, findings: [], base: nil, identity: nil, changes: nil)
        }
        return ids
    }

    private func content(of upload: UploadID) async throws -> String {
        var bytes: [UInt8] = []
        try await self.store.readArchive(of: upload) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `archive sweep keeps the last twenty archives of a venue, and digest and size of older ones`()
        async throws
    {
        let ids = try await self.uploads((0..<23).map { "archive \($0)" })
        #expect(try await self.store.sweepOldArchives() == 3)
        #expect(try await self.store.sweepOldArchives() == 0)
        for (number, id) in ids.enumerated() {
            #expect(try await self.content(of: id) == (number < 3 ? "" : "archive \(number)"))
            let upload = try await self.store.upload(id)
            #expect(upload.archive == Digest(of: "archive \(number)".utf8) && upload.bytes > 0)
        }
    }

    @Test func `archive sweep keeps the archive of an unfinished upload, however old`() async throws {
        let held = try await self.workshop.enqueue("held").id
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        try await self.store.stage(.empty, of: job, findings: [])
        try await self.uploads((0..<25).map { "archive \($0)" })
        #expect(try await self.store.sweepOldArchives() == 5)
        #expect(try await self.content(of: held) == "held")
        try await self.store.discard(held, by: .ops)
        #expect(try await self.store.sweepOldArchives() == 1)
    }

    @Test func `archive sweep keeps an archive that another venue needs`() async throws {
        let shared = try await self.uploads(["shared"])
        try await self.uploads(["shared"], to: VenueKey("airport"))
        try await self.uploads((0..<25).map { "archive \($0)" })
        try await self.store.sweepOldArchives()
        #expect(try await self.content(of: shared[0]) == "shared")
    }

    @Test func `archive sweep: swept bytes are stored again when they are uploaded again`() async throws {
        let old = try await self.uploads(["old"])
        try await self.uploads((0..<20).map { "archive \($0)" })
        #expect(try await self.store.sweepOldArchives() == 1)
        let again = try await self.workshop.enqueue("old").id
        #expect(try await self.content(of: again) == "old" && again != old[0])
        #expect(try await self.store.sweepOldArchives() == 1)  // one more is not among the last twenty
        #expect(try await self.content(of: again) == "old")
        let archives = try await self.store.pool.query("SELECT count(*) FROM archive").decode(Int64.self)
        #expect(archives == [21])
    }

    @Test func `archive sweep omits the archive of an upload that is being queued`() async throws {
        let old = try await self.uploads(["old"])
        try await self.uploads((0..<20).map { "archive \($0)" })
        let (store, workshop) = (self.store, self.workshop)
        let again = try await store.pool.transaction { connection in
            // The request has found the stored archive and waits for this lock.
            _ = try await connection.query("LOCK TABLE upload IN SHARE MODE")
            let queued = Task { try await workshop.enqueue("old").id }
            try await store.pool.waitForLock()
            #expect(try await store.sweepOldArchives() == 0)
            return queued
        }
        let upload = try await again.value
        #expect(try await self.content(of: upload) == "old" && upload != old[0])
    }

    @Test func `archive sweep: an archive that is uploaded while it is swept is stored again`() async throws {
        try await self.uploads(["old"])
        try await self.uploads((0..<20).map { "archive \($0)" })
        let (store, workshop) = (self.store, self.workshop)
        let (sweeping, upload) = try await store.pool.transaction { connection in
            // The sweep has selected the archive and waits for its chunks while the same bytes are uploaded.
            _ = try await connection.query("LOCK TABLE archive_chunk IN SHARE ROW EXCLUSIVE MODE")
            let sweeping = Task { try await store.sweepOldArchives() }
            try await store.pool.waitForLock()
            let queued = Task { try await workshop.enqueue("old").id }
            return (sweeping, queued)
        }
        #expect(try await sweeping.value == 1)
        #expect(try await self.content(of: upload.value) == "old")
    }
}

extension Staging {
    static let empty = Staging(
        base: 0, reasons: [], digest: Digest(of: []),
        identity: ArchiveIdentity(
            counts: .init(kept: 0, aliased: 0, matched: 0, near: 0, new: 0, gone: 0), matches: []),
        changes: ChangeSummary(added: 0, changed: 0, removed: 0), facts: [], items: [])
}
