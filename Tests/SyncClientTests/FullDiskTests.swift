import Foundation
import GRDB
import SyncModel
import Testing

@testable import SyncClient

/// A disk without free space.
struct FullDiskTests {
    @Test(arguments: [ResultCode.SQLITE_FULL, .SQLITE_IOERR_SHMSIZE])
    func `full disk: opening a file says so, and what to do`(code: ResultCode) throws {
        let folder = try Folder()
        let file = ReplicaSchema.file(folder.file)
        let error = #expect(throws: ReplicaFileError.self) {
            try file.translatingErrors { throw DatabaseError(resultCode: code) }
        }
        #expect(error == .diskFull(folder.file.path))
        #expect(error?.message(in: "en").contains("Free some space") == true)
        #expect("\(ReplicaFileError.diskFull("/a/b"))".contains("/a/b is full: free some space"))
    }
}
