import Foundation
import GRDB
import SyncModel

/// One change set over all venues is one transaction, which stays open while its pages arrive; see `ReplicaStore+Writing`.
extension CatalogueStore {
    /// - Throws: ``SyncError/busy`` if another process has written since the state was read.
    func begin(from state: CataloguePosition) async throws -> CatalogueTransaction {
        try await self.pool.writeToEnd { db in
            try db.beginTransaction(.immediate)
            do {
                guard try CatalogueReader(db: db).state().commits == state.commits else { throw SyncError.busy }
            } catch {
                try db.rollback()
                throw error
            }
            return CatalogueTransaction()
        }
    }

    func apply(_ page: CataloguePage, to transaction: CatalogueTransaction) async throws -> CatalogueTransaction {
        try await self.pool.writeToEnd { db in
            var transaction = transaction
            try transaction.apply(page, db)
            return transaction
        }
    }

    func end(
        _ transaction: CatalogueTransaction, isWhole: Bool
    ) async throws -> (CatalogueTransaction, removed: [VenueKey]) {
        try await self.pool.writeToEnd { db in
            var transaction = transaction
            let removed = try transaction.end(isWhole: isWhole, db)
            return (transaction, removed)
        }
    }

    func mismatches(of transaction: CatalogueTransaction) async throws -> [CatalogueTransaction.Mismatch] {
        try await self.pool.writeToEnd { db in try transaction.mismatches(db) }
    }

    func clear(_ level: CatalogueTransaction.Mismatch, in transaction: CatalogueTransaction) async throws {
        try await self.pool.writeToEnd { db in try transaction.clear(level, db) }
    }

    func put(
        _ batch: FeatureStream.Batch, into level: CatalogueTransaction.Mismatch, in transaction: CatalogueTransaction
    ) async throws -> CatalogueTransaction {
        try await self.pool.writeToEnd { db in
            var transaction = transaction
            try transaction.put(batch, into: level, db)
            return transaction
        }
    }

    func commit(
        _ transaction: CatalogueTransaction, position: Int64, cursor: String, at date: Date
    ) async throws {
        try await self.pool.writeToEnd { db in
            try transaction.finish(position: position, cursor: cursor, at: date, db)
            try db.commit()
            try? db.execute(sql: "PRAGMA incremental_vacuum(10000)")
        }
    }

    func rollBack() async {
        try? await self.pool.writeToEnd { db in
            if db.isInsideTransaction { try db.rollback() }
        }
    }
}
