import Foundation
import GRDB
import IMDF
import SyncModel

/// The steps of a transaction that is open.
extension ReplicaStore {
    /// The first three of the five steps of `docs/protocol/sync.md`, for one page.
    func apply(_ page: ScannedPage, to transaction: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.step { db in
            var transaction = transaction
            for scanned in page.blocks {
                let block = scanned.block
                if block.kind != .changes, !block.isContinued { try transaction.drop(block.level, db) }
                try transaction.put(scanned.features, under: block.level, db)
                for removal in block.removed { try transaction.remove(removal, from: block.level, db) }
                if block.kind == .gone || block.digest != nil {
                    transaction.expect(block.digest, of: block.level, received: scanned.receivedDigest)
                }
            }
            return transaction
        }
    }

    func put(
        _ batch: FeatureStream.Batch, under level: FeatureID?, in transaction: ReplicaTransaction
    ) async throws -> ReplicaTransaction {
        let lines = try FeatureLines(batch.bodies, of: batch.text)
        return try await self.step { db in
            var transaction = transaction
            try transaction.put(lines, under: level, db)
            return transaction
        }
    }

    func drop(_ level: FeatureID?, in transaction: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.step { db in
            var transaction = transaction
            try transaction.drop(level, db)
            return transaction
        }
    }

    func dropAll(in transaction: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.step { db in
            var transaction = transaction
            try transaction.dropAll(db)
            return transaction
        }
    }

    /// See ``ReplicaTransaction/mismatches(_:)``.
    func mismatches(of transaction: inout ReplicaTransaction) async throws -> [FeatureID?] {
        let unverified = transaction
        let (mismatches, verified) = try await self.step { db in
            var transaction = unverified
            return (try transaction.mismatches(db), transaction)
        }
        transaction = verified
        return mismatches
    }
}
