import ArchiveStore
import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// An archive store that cannot be used for a while.
@Suite(.database)
struct ArchiveStoreTests {
    private static func archive() throws -> [UInt8] {
        try SampleVenue(.init(levels: 1, unitsPerLevel: 4)).archive()
    }

    /// A folder that can be made unavailable, as a network file system.
    private final class Mount: Sendable {
        private let workplace: Workplace
        var folder: String { self.workplace.path("archives") }

        init() throws {
            self.workplace = try Workplace()
            try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: false)
        }

        func setAvailable(_ isAvailable: Bool) throws {
            let (from, to) = isAvailable ? ("away", "archives") : ("archives", "away")
            try FileManager.default.moveItem(atPath: self.workplace.path(from), toPath: self.workplace.path(to))
        }
    }

    private static func run(_ test: @escaping @Sendable (Harness, Mount) async throws -> Void) async throws {
        let mount = try Mount()
        let store = RevisionStore(
            pool: TestDatabase.current.pool, archives: FolderArchiveStore(folder: mount.folder))
        try await Harness.run(store: store) { try await test($0, mount) }
    }

    @Test func `upload while the archive store cannot be used: 503, and later it succeeds`() async throws {
        try await Self.run { harness, mount in
            try mount.setAvailable(false)
            let refused = try await harness.send(
                .post, "/venues/mall/uploads", type: "application/zip", body: Self.archive())
            #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] != nil)
            #expect(refused.text.contains("The archive store cannot be used"))
            let rows = try await harness.store.pool.query("SELECT count(*) FROM archive").decode(Int64.self)
            #expect(rows == [0])
            try mount.setAvailable(true)
            #expect(try await harness.push(Self.archive()).state == .published)
        }
    }

    @Test func `job whose archive cannot be read waits, uses up no attempt, and is done later`() async throws {
        try await Self.run { harness, mount in
            let sent = try await harness.send(
                .post, "/venues/mall/uploads", type: "application/zip", body: Self.archive())
            let id = try WireJSON.value(Upload.self, from: sent.data).id
            try mount.setAvailable(false)
            for _ in 0..<2 * Int(RevisionStore.attempts) {
                #expect(try await harness.worker.workOnce())
                let waiting = try await harness.get(Upload.self, "/uploads/\(id)")
                #expect(waiting.state == .received && waiting.failure?.contains("the archive store") ?? false)
            }
            try mount.setAvailable(true)
            #expect(try await harness.worker.workOnce())
            let done = try await harness.get(Upload.self, "/uploads/\(id)")
            #expect(done.state == .published && done.attempts == 1 && done.failure == nil)
        }
    }
}
