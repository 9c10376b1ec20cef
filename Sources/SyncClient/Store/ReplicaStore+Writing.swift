import Foundation
import GRDB
import SyncModel

/// One change set is one transaction, which stays open while its pages come. The writer's connection is lent to one change set at a
/// time (see ``VenueReplica``); readers go on reading what was there before.
extension ReplicaStore {
    /// Work on the writer's connection. Goes through to its end also when the task is cancelled, so that no transaction is left open.
    func write<Answer: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        try await Self.naming {
            try await withCheckedThrowingContinuation { continuation in
                self.pool.asyncWriteWithoutTransaction { db in
                    continuation.resume(with: Result { try body(db) })
                }
            }
        }
    }

    /// The replica is another one than the caller knew: somebody else has written.
    struct Moved: Error {}

    /// Begins a transaction.
    ///
    /// - Parameters:
    ///   - state: What the caller asked the server with.
    ///   - seen: The commits that observers know; what they have not heard of is kept for them. Nil: all that is kept is kept on.
    /// - Throws: ``Moved``.
    func begin(from state: ReplicaState, seen: Set<Int64>?) async throws -> ReplicaTransaction {
        try await self.write { db in
            try db.beginTransaction(.immediate)
            do {
                guard try ReplicaReader(db: db).state().commits == state.commits else { throw Moved() }
                if let seen { try Self.forgetFormer(db, seen: seen) }
                return try ReplicaTransaction(number: state.commits + 1, db)
            } catch {
                try db.rollback()
                throw error
            }
        }
    }

    /// Keeps of what is no more only what some observer saw and has not seen go.
    private static func forgetFormer(_ db: Database, seen: Set<Int64>) throws {
        let list = "[\(seen.sorted().map(String.init).joined(separator: ","))]"
        try db.execute(
            sql: """
                DELETE FROM former
                WHERE NOT EXISTS (SELECT 1 FROM json_each(?) AS seen WHERE seen.value >= since AND seen.value < until)
                """, arguments: [list])
    }

    /// Undoes everything since the beginning.
    func rollBack() async {
        try? await self.write { db in
            if db.isInsideTransaction { try db.rollback() }
        }
    }

    /// Ends the transaction; from here on readers see the new state.
    func commit(_ draft: ReplicaTransaction, _ outcome: ReplicaTransaction.Outcome) async throws -> SyncReport.Changes {
        try await self.write { db in
            try draft.finish(outcome, db)
            let changes = try draft.changes(db)
            try db.commit()
            // Room that a dropped level leaves is given back, some of it each time.
            if draft.hasForgotten { try? db.execute(sql: "PRAGMA incremental_vacuum(10000)") }
            return changes
        }
    }

    /// Lets the file grow no further than to so many pages of SQLite's (it does not shrink): how tests fill the disk.
    package func limitSize(toPages pages: Int?) async throws {
        try await self.write { db in try db.execute(sql: "PRAGMA max_page_count = \(pages ?? 1_073_741_823)") }
    }
}
