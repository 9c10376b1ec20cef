import ArchiveStore
import Foundation
import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// Archives in a folder instead of the database.
@Suite(.database)
struct ArchiveObjectTests {
    private let workplace: Workplace
    private let workshop: Workshop
    private var store: RevisionStore { self.workshop.store }

    init() throws {
        self.workplace = try Workplace()
        self.workshop = Workshop(
            store: RevisionStore(
                pool: TestDatabase.current.pool, archives: FolderArchiveStore(folder: self.workplace.folder.path)))
    }

    private func content(of upload: UploadID, in store: RevisionStore? = nil) async throws -> String {
        var bytes: [UInt8] = []
        try await (store ?? self.store).readArchive(of: upload) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func finish(_ text: String) async throws -> UploadID {
        let upload = try await self.workshop.enqueue(text).id
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        try await self.store.finish(job, as: .rejected, findings: [], base: nil, identity: nil, changes: nil)
        return upload
    }

    private var files: [String] {
        (FileManager.default.enumerator(atPath: self.workplace.folder.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".zip") }
    }

    private func number(of table: String) async throws -> Int64 {
        try await self.store.pool.query("SELECT count(*) FROM \(raw: table)").decode(Int64.self)[0]
    }

    @Test func `archive objects: an archive is a file, and the same bytes are one file`() async throws {
        let first = try await self.workshop.enqueue("same").id
        let second = try await self.workshop.enqueue("same", to: VenueKey("airport")).id
        #expect(try await self.content(of: first) == "same" && first != second)
        #expect(try await self.number(of: "archive_chunk") == 0)
        #expect(self.files.count == 2)
        #expect(try await self.store.deleteUnusedObjects() == 1)
        #expect(self.files.count == 1)
        #expect(try await self.content(of: second) == "same")
        #expect(try await self.store.deleteUnusedObjects() == 0)
    }

    @Test func `archive objects: the file of a swept archive is deleted, and stored again when it is uploaded again`()
        async throws
    {
        let old = try await self.finish("old")
        for number in 0..<20 { _ = try await self.finish("archive \(number)") }
        #expect(try await self.store.sweepOldArchives() == 1)
        #expect(try await self.store.deleteUnusedObjects() == 1)
        #expect(self.files.count == 20)
        #expect(try await self.content(of: old).isEmpty)
        let again = try await self.workshop.enqueue("old").id
        #expect(try await self.content(of: again) == "old")
        #expect(try await self.store.deleteUnusedObjects() == 0)
        #expect(try await self.content(of: again) == "old")
    }

    @Test func `archive objects: what a killed server leaves of an upload is deleted`() async throws {
        var archive = try await self.store.beginArchive(by: .ops)
        try await self.store.append([1, 2, 3], to: &archive)
        #expect(self.files.count == 1)
        try await self.store.sweepAbandonedArchives()
        #expect(try await self.store.deleteUnusedObjects() == 0)  // it may still be sent
        _ = try await self.store.pool.query("UPDATE archive SET updated_at = now() - interval '2 hours'")
        try await self.store.sweepAbandonedArchives()
        #expect(try await self.store.deleteUnusedObjects() == 1)
        #expect(self.files.isEmpty)
        // The sender was only slow.
        await #expect(throws: StoreError.unknownArchive) { try await self.store.append([4], to: &archive) }
        #expect(try await self.number(of: "archive_object") == 0)
    }

    @Test func `archive objects: a file that was changed or removed is reported`() async throws {
        let upload = try await self.workshop.enqueue("content").id
        let file = self.workplace.folder.appending(path: try #require(self.files.first))
        try Data("another".utf8).write(to: file)
        let damaged = await #expect(throws: ArchiveStoreError.self) { try await self.content(of: upload) }
        #expect("\(String(describing: damaged))".contains("differs") && damaged?.isRetryable == false)
        try FileManager.default.removeItem(at: file)
        let missing = await #expect(throws: ArchiveStoreError.self) { try await self.content(of: upload) }
        #expect("\(String(describing: missing))".contains("does not have") && missing?.isRetryable == false)
    }

    @Test func `archive objects: archives of the database stay readable, and objects need their store`() async throws {
        let plain = TestDatabase.current.store
        let inDatabase = try await Workshop(store: plain).enqueue("in the database").id
        #expect(try await self.content(of: inDatabase) == "in the database")
        let outside = try await self.workshop.enqueue("outside").id
        await #expect(throws: ArchiveStoreError.notConfigured) { _ = try await self.content(of: outside, in: plain) }
        #expect(try await plain.deleteUnusedObjects() == 0)
    }
}
