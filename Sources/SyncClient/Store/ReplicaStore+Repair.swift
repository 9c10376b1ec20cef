import Dispatch
import Foundation
import GRDB
import IMDF
import SyncModel
import Synchronization

/// The connections to the file of a replica, with what a new file in its place has to continue.
struct OpenedReplica: Sendable {
    var pool: DatabasePool
    /// The highest number that a commit of this file may have, and the levels that were selected last.
    var commits: Int64 = 0
    var selection: LevelSelection?
    /// Whether the app has closed the file.
    var isClosed = false
    /// Is called with the state of a file that was damaged and opened again.
    var onRepair: (@Sendable (ReplicaState) -> Void)?

    init(_ pool: DatabasePool) {
        self.pool = pool
        guard let state = try? pool.read({ try ReplicaReader(db: $0).state() }) else { return }
        (self.commits, self.selection) = (state.commits, state.selection)
    }
}

/// A file that another program, or the disk, damages while it is open.
extension ReplicaStore {
    /// Runs work on the connections. If SQLite finds the file damaged, the file is opened again, as it is when the app starts, and the work
    /// runs once more.
    ///
    /// - Throws: What the work throws; errors of SQLite as ``SyncError``.
    func repairing<Answer>(_ work: (DatabasePool) async throws -> Answer) async throws -> Answer {
        try await Self.translatingErrors {
            let pool = self.pool
            do {
                return try await work(pool)
            } catch let error as DatabaseError where self.venue != nil {
                // SQLite reports misuse when another caller has closed the connections to open the file again.
                guard [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISUSE].contains(error.resultCode),
                    !self.opened.withLock(\.isClosed)
                else { throw error }
                try await self.repair(pool)
                return try await work(self.pool)
            }
        }
    }

    @concurrent private func repair(_ damaged: DatabasePool) async throws {
        guard let venue else { return }
        try await self.repairMutex.withLock {
            // Another caller may have been faster.
            guard self.pool === damaged else { return }
            // The connections are closed first: what is written to them from now on would be lost with the damaged file, and closing a second
            // descriptor of a file gives up the locks of the first. A change set that is being applied ends; see ``step(_:)``.
            let known = try? await damaged.runToEnd { db -> Int64 in
                Self.end(db)
                guard try ReplicaChecksums.isStateSound(db) else { return 0 }
                return try Int64.fetchOne(db, sql: "SELECT commits FROM state") ?? 0
            }
            // Closing waits for readers, which need the threads of this executor to end.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    try? damaged.close()
                    continuation.resume()
                }
            }
            let pool = try Self.pool(of: ReplicaSchema.file(URL(filePath: damaged.path)), for: venue)
            let (commits, selection) = self.opened.withLock { (max($0.commits, known ?? 0), $0.selection) }
            let state = try await pool.runToEnd { db in
                // The numbers of commits grow, so that observers find out that they know an earlier one.
                if try ReplicaReader(db: db).state().commits <= commits {
                    try db.inTransaction(.immediate) {
                        try db.execute(
                            sql: "UPDATE state SET commits = ?, selection = coalesce(?, selection)",
                            arguments: [commits + 1, selection?.stored])
                        try ReplicaChecksums.writeState(db)
                        return .commit
                    }
                }
                return try ReplicaReader(db: db).state()
            }
            let (isClosed, onRepair) = self.opened.withLock { opened in
                if !opened.isClosed { opened.pool = pool }
                opened.commits = state.commits
                return (opened.isClosed, opened.onRepair)
            }
            guard !isClosed else { return try pool.close() }
            onRepair?(state)
        }
    }
}
