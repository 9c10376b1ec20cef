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
                // Connections are closed when another caller has opened the file again.
                let isRepaired = self.pool !== pool
                guard isRepaired || [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else { throw error }
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
            // A change set that is being applied would keep the file locked. Its next step finds out; see ``step(_:)``.
            try? await damaged.runToEnd { db in Self.end(db) }
            let pool = try Self.pool(of: ReplicaSchema.file(URL(filePath: damaged.path)), for: venue)
            let (commits, selection) = self.opened.withLock { ($0.commits, $0.selection) }
            try await pool.runToEnd { db in
                // The numbers of commits grow, so that observers find out that they know an earlier one.
                guard try ReplicaReader(db: db).state().commits <= commits else { return }
                try db.inTransaction(.immediate) {
                    try db.execute(
                        sql: "UPDATE state SET commits = ?, selection = coalesce(?, selection)",
                        arguments: [commits + 1, selection?.stored])
                    try ReplicaChecksums.writeState(db)
                    return .commit
                }
            }
            self.opened.withLock { $0.pool = pool }
            try? damaged.close()
        }
    }
}
