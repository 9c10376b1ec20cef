import Foundation
import GRDB
import SyncModel
import Synchronization
import Testing

@testable import SyncClient

/// A disk without free space.
struct FullDiskTests {
    @Test(arguments: [ResultCode.SQLITE_FULL, .SQLITE_IOERR_SHMSIZE])
    func `full disk: opening a file says so, and what to do`(code: ResultCode) throws {
        let folder = try Folder()
        let file = ReplicaSchema.file(folder.file)
        let error = #expect(throws: ReplicaFileError.self) {
            try file.translatingErrors { () throws -> Void in throw DatabaseError(resultCode: code) }
        }
        #expect(error == .diskFull(folder.file.path))
        #expect(error?.message(in: "en").contains("Free some space") == true)
        #expect("\(ReplicaFileError.diskFull("/a/b"))".contains("/a/b is full: free some space"))
    }

    @Test func `full disk: a download is not repeated until there is more space, or for an hour`() async throws {
        let folder = try Folder()
        let large = ScriptedSnapshot.page(
            [.init(nil, [ScriptedSnapshot.unit(1, String(repeating: "x", count: 1 << 20))])], cursor: "one",
            isLast: true)
        let transport = ScriptedTransport([large, large, large])
        let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        var policy = RetryPolicy()
        policy.now = { now.withLock { $0 } }
        let replica = try await VenueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), venue: #require(VenueKey("mall")),
            key: nil, transport: transport, policy: policy)
        try await replica.store.limitSize(toPages: 1)
        for _ in 0..<3 {
            await #expect(throws: SyncError.diskFull) { try await replica.sync() }
        }
        #expect(transport.left == 2 && replica.status.connection == .offline(.diskFull))

        now.withLock { $0 += 3600 }
        await #expect(throws: SyncError.diskFull) { try await replica.sync() }
        #expect(transport.left == 1)

        try await replica.store.limitSize(toPages: nil)
        #expect(try await replica.sync().changes.added == 1)
    }
}
