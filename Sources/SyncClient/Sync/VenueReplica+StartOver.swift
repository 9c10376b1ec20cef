import Foundation
import IMDF
import SyncModel

/// Starting over after the server lost the history of the replica's cursor (410).
extension VenueReplica {
    /// Brings the replica to the revision that the server names. Levels whose digests match are kept, others are fetched, and levels
    /// that are not in the list are dropped. If the server sent no list, everything is fetched.
    func startOver(
        from state: ReplicaState, _ selection: LevelSelection, _ restart: Exchange.Restart?, _ head: SignedHead?
    ) async throws -> SyncReport {
        guard let restart else { return try await self.fetchSnapshot(state, selection, head) }
        guard head == nil || head?.statement.revision == restart.to else {
            throw SyncError.untrusted("the history starts over at revision \(restart.to), which is not the signed one")
        }
        guard Set(restart.levels.map(\.level)).count == restart.levels.count else {
            throw SyncError.contradiction("a duplicate level")
        }
        var report = SyncReport(
            from: state.revision, to: restart.to, requests: 1, hasStartedOver: true, hasCommitted: true)
        self.observers.noteCommit(state.commits)
        var transaction = try await self.store.begin(from: state, seen: self.observers.seen)
        do {
            transaction = try await self.store.prepare(transaction, for: restart)
            for level in try await self.store.mismatches(of: &transaction) {
                guard let entry = restart.levels.first(where: { $0.level == level }) else { continue }
                transaction = try await self.fetch(
                    level, from: entry.href, limit: DownloadLimit(head), into: transaction)
                report.requests += 1
            }
            if let level = try await self.store.mismatches(of: &transaction).first {
                throw SyncError.wrongDigest(level: level)
            }
            let now = self.exchange.policy.now()
            let outcome = ReplicaTransaction.Outcome(
                cursor: restart.cursor, revision: restart.to, digest: nil, about: nil, selection: selection,
                publishedAt: nil, syncedAt: head?.confirmation(at: now) ?? now, head: head)
            try await self.commit(transaction, outcome, &report)
        } catch {
            await self.store.rollBack()
            await self.noteFailure(error, of: selection, from: state)
            if error is Exchange.LostHistory { throw SyncError.historyLostAgain }
            throw error
        }
        return report
    }

    /// Fetches everything, because damaged levels were deleted or the file was replaced.
    func replaceDamaged(
        _ state: ReplicaState, _ selection: LevelSelection, _ head: SignedHead?
    ) async throws -> SyncReport {
        let held = try await self.store.read { Set(try $0.digests().keys) }
        var report = try await self.fetchSnapshot(state, selection, head)
        report.hasStartedOver = false
        report.repaired += try await self.store.levels().map(\.level).filter { !held.contains($0) }
        return report
    }

    func fetchSnapshot(
        _ state: ReplicaState, _ selection: LevelSelection, _ head: SignedHead?
    ) async throws -> SyncReport {
        let first = try await self.page(self.path(since: nil, selection, to: head))
        var report = try await self.apply(first, to: state, selection, head, isSnapshot: true)
        report.hasStartedOver = true
        return report
    }
}

extension ReplicaStore {
    /// Drops the levels that are not in the list, and expects the digests of the others.
    func prepare(_ transaction: ReplicaTransaction, for restart: Exchange.Restart) async throws -> ReplicaTransaction {
        try await self.step { db in
            var transaction = transaction
            try transaction.dropAll(except: Set(restart.levels.map(\.level)), db)
            for level in restart.levels { transaction.expect(.whole(level.digest), of: level.level) }
            return transaction
        }
    }
}
