import Foundation
import GRDB
import SyncModel
import Synchronization

/// One change set is one transaction, which stays open while its pages arrive. ``VenueReplica`` applies one change set at a time.
/// Meanwhile readers see the previous revision.
extension ReplicaStore {
    /// Runs work on the writer's connection; see ``GRDB/DatabasePool/writeToEnd(_:)``. It may run twice; see ``repairing(_:)``.
    func write<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        try await self.repairing { pool in try await pool.runToEnd(body) }
    }

    /// Runs work in the transaction that is open.
    ///
    /// - Throws: ``Conflict`` if the file was opened again since, which ended the transaction.
    func step<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        try await self.write { db in
            guard db.isInsideTransaction else { throw Conflict() }
            return try body(db)
        }
    }

    /// Another writer has committed since the caller read the state, or the file was damaged and opened again.
    struct Conflict: Error {}

    /// Begins a transaction, which ends with ``commit(_:_:)`` or, also after an error of it, with ``rollBack()``.
    ///
    /// - Parameters:
    ///   - state: The state that the request to the server was made from.
    ///   - seen: The commits that observers have seen. Former features that none of them needs are deleted. Nil: keep all.
    /// - Throws: ``Conflict``.
    func begin(from state: ReplicaState, seen: Set<Int64>?) async throws -> ReplicaTransaction {
        await self.transactionMutex.lock()
        self.opened.withLock {
            $0.commits = max($0.commits, state.commits + 1)
            $0.selection = state.selection
        }
        do {
            return try await self.write { db in
                let isFirstDownload = try ReplicaTransaction.isEmpty(db)
                if isFirstDownload { try ReplicaCheckpoint.postpone(db) }
                do {
                    try db.beginTransaction(.immediate)
                    guard try ReplicaReader(db: db).state().commits == state.commits else { throw Conflict() }
                    if let seen { try Self.pruneFormer(db, seen: seen) }
                    return try ReplicaTransaction(
                        number: state.commits + 1, postponesCheckpoint: isFirstDownload, db)
                } catch {
                    Self.end(db)
                    throw error
                }
            }
        } catch {
            self.transactionMutex.unlock()
            throw error
        }
    }

    /// Deletes the former features that no observer needs: those that were not valid at any commit in `seen`.
    private static func pruneFormer(_ db: Database, seen: Set<Int64>) throws {
        let list = "[\(seen.sorted().map(String.init).joined(separator: ","))]"
        try db.execute(
            sql: """
                DELETE FROM former
                WHERE NOT EXISTS (SELECT 1 FROM json_each(?) AS seen WHERE seen.value >= since AND seen.value < until)
                """, arguments: [list])
    }

    /// Ends the transaction without a change.
    func rollBack() async {
        try? await self.write { db in Self.end(db) }
        self.transactionMutex.unlock()
    }

    static func end(_ db: Database) {
        if db.isInsideTransaction { try? db.rollback() }
        ReplicaCheckpoint.resume(db)
    }

    /// Commits the transaction.
    func commit(_ transaction: ReplicaTransaction, _ outcome: ReplicaTransaction.Outcome) async throws
        -> ReplicaTransaction.Effect
    {
        let effect = try await self.step { db in
            try transaction.finish(outcome, db)
            let effect = ReplicaTransaction.Effect(
                changes: try transaction.changes(db), dropped: try transaction.droppedLevels(db))
            try db.commit()
            // Returns the space of dropped levels to the file system, a part of it each time.
            if transaction.hasDropped { try? db.execute(sql: "PRAGMA incremental_vacuum(10000)") }
            return effect
        }
        self.opened.withLock { $0.selection = outcome.selection }
        if transaction.postponesCheckpoint {
            // It runs before the next transaction, which cannot begin while the mutex is locked.
            self.pool.asyncWriteWithoutTransaction { db in
                ReplicaCheckpoint.resume(db)
                ReplicaCheckpoint.run(db)
            }
        }
        self.transactionMutex.unlock()
        self.editObservers.notify()
        return effect
    }

    /// Records the time of a synchronization that changed nothing, and its statement. It is not a commit: observers are not notified.
    func noteSync(at date: Date, _ head: SignedHead?, of state: ReplicaState) async throws {
        try await self.writeState { db in
            try db.execute(sql: "UPDATE state SET synced_at = ?", arguments: [date.timeIntervalSince1970])
            guard let head else { return }
            try db.execute(
                sql: "UPDATE state SET signed_head = ? WHERE commits = ?",
                arguments: [String(decoding: head.document, as: UTF8.self), state.commits])
        }
    }

    /// Keeps the summary of the venue; see ``ReplicaReader/summary()``.
    func keep(_ summary: Data) async throws {
        try await self.writeState { db in
            try db.execute(
                sql: "UPDATE state SET summary = ?", arguments: [String(decoding: summary, as: UTF8.self)])
        }
    }

    /// Changes the state outside of a transaction of a change set.
    private func writeState(_ change: @escaping @Sendable (Database) throws -> Void) async throws {
        try await self.write { db in
            try db.inTransaction(.immediate) {
                try change(db)
                try ReplicaChecksums.writeState(db)
                return .commit
            }
        }
    }

    /// Limits the size of the file to a number of SQLite pages; nil: no limit. Tests simulate a full disk with it.
    package func limitSize(toPages pages: Int?) async throws {
        try await self.write { db in try db.execute(sql: "PRAGMA max_page_count = \(pages ?? 1_073_741_823)") }
    }
}

extension DatabasePool {
    /// Runs work on the writer's connection. The work is finished even if the task is cancelled, so that no transaction stays open.
    ///
    /// - Throws: What the work throws; errors of SQLite as ``SyncError``.
    func writeToEnd<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        try await ReplicaStore.translatingErrors { try await self.runToEnd(body) }
    }

    /// ``writeToEnd(_:)`` with errors of SQLite as they are.
    func runToEnd<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            self.asyncWriteWithoutTransaction { db in
                continuation.resume(with: Result { try body(db) })
            }
        }
    }
}
