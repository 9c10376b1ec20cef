import Foundation
import GRDB
import SyncModel

/// One change set is one transaction, which stays open while its pages arrive. ``VenueReplica`` applies one change set at a time.
/// Meanwhile readers see the previous revision.
extension ReplicaStore {
    /// Runs work on the writer's connection. The work is finished even if the task is cancelled, so that no transaction stays open.
    func write<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        try await Self.translatingErrors {
            try await withCheckedThrowingContinuation { continuation in
                self.pool.asyncWriteWithoutTransaction { db in
                    continuation.resume(with: Result { try body(db) })
                }
            }
        }
    }

    /// Another writer has committed since the caller read the state.
    struct Conflict: Error {}

    /// Begins a transaction.
    ///
    /// - Parameters:
    ///   - state: The state that the request to the server was made from.
    ///   - seen: The commits that observers have seen. Former features that none of them needs are deleted. Nil: keep all.
    /// - Throws: ``Conflict``.
    func begin(from state: ReplicaState, seen: Set<Int64>?) async throws -> ReplicaTransaction {
        try await self.write { db in
            try db.beginTransaction(.immediate)
            do {
                guard try ReplicaReader(db: db).state().commits == state.commits else { throw Conflict() }
                if let seen { try Self.pruneFormer(db, seen: seen) }
                return try ReplicaTransaction(number: state.commits + 1, db)
            } catch {
                try db.rollback()
                throw error
            }
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
        try? await self.write { db in
            if db.isInsideTransaction { try db.rollback() }
        }
    }

    /// Commits the transaction.
    func commit(_ transaction: ReplicaTransaction, _ outcome: ReplicaTransaction.Outcome) async throws
        -> SyncReport.Changes
    {
        try await self.write { db in
            try transaction.finish(outcome, db)
            let changes = try transaction.changes(db)
            try db.commit()
            // Returns the space of dropped levels to the file system, a part of it each time.
            if transaction.hasDropped { try? db.execute(sql: "PRAGMA incremental_vacuum(10000)") }
            return changes
        }
    }

    /// Limits the size of the file to a number of SQLite pages; nil: no limit. Tests simulate a full disk with it.
    package func limitSize(toPages pages: Int?) async throws {
        try await self.write { db in try db.execute(sql: "PRAGMA max_page_count = \(pages ?? 1_073_741_823)") }
    }
}
