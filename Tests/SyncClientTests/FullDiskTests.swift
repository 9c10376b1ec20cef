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

    @Test func `full disk: a download is not repeated until there is more space, or for pauses that double`()
        async throws
    {
        let folder = try Folder()
        let large = ScriptedSnapshot.page(
            [.init(nil, [ScriptedSnapshot.unit(1, String(repeating: "x", count: 1 << 20))])], cursor: "one",
            isLast: true)
        let transport = ScriptedTransport(Array(repeating: large, count: 9))
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
        #expect(transport.left == 8 && replica.status.connection == .offline(.diskFull))

        let pauses: [TimeInterval] = [60, 120, 240, 480, 960, 1920, 3600]
        for (index, pause) in pauses.enumerated() {
            for (passed, left) in [(pause - 1, 8 - index), (1, 7 - index)] {
                now.withLock { $0 += passed }
                await #expect(throws: SyncError.diskFull) { try await replica.sync() }
                #expect(transport.left == left)
            }
        }
        now.withLock { $0 += 3599 }
        await #expect(throws: SyncError.diskFull) { try await replica.sync() }
        #expect(transport.left == 1, "a pause is never longer than an hour")

        try await replica.store.limitSize(toPages: nil)
        #expect(try await replica.sync().changes.added == 1)
    }
}
