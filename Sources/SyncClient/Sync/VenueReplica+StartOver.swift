import Foundation
import IMDF
import SyncModel

/// What to do when the server has lost the history that the replica comes from (410).
extension VenueReplica {
    /// Brings the replica to the revision that the server names. Levels whose digests are still right are kept, others fetched, and
    /// those that the list lacks forgotten. Without a list there is nothing to go by, and everything is fetched.
    func startOver(
        from state: ReplicaState, _ wanted: LevelSelection, _ restart: Exchange.Restart?
    ) async throws -> SyncReport {
        guard let restart else { return try await self.startFromNothing(state, wanted) }
        guard Set(restart.levels.map(\.level)).count == restart.levels.count else {
            throw SyncError.contradiction("a level is told twice")
        }
        var report = SyncReport(
            from: state.revision, to: restart.to, requests: 1, hasStartedOver: true, hasCommitted: true)
        self.observers.found(state.commits)
        var draft = try await self.store.begin(from: state, seen: self.observers.seen)
        do {
            draft = try await self.store.prepare(draft, for: restart)
            for level in try await self.store.mismatches(of: draft) {
                guard let entry = restart.levels.first(where: { $0.level == level }) else { continue }
                draft = try await self.fetch(level, from: entry.href, into: draft)
                report.requests += 1
            }
            if let level = try await self.store.mismatches(of: draft).first {
                throw SyncError.wrongDigest(level: level)
            }
            let outcome = ReplicaTransaction.Outcome(
                cursor: restart.cursor, revision: restart.to, digest: nil, about: nil, selection: wanted)
            report.changes = try await self.end(draft, outcome)
        } catch {
            await self.store.rollBack()
            if error is Exchange.LostHistory { throw SyncError.contradiction("history was lost twice") }
            throw error
        }
        return report
    }

    private func startFromNothing(_ state: ReplicaState, _ wanted: LevelSelection) async throws -> SyncReport {
        let first = try await self.exchange.bytes(self.path(since: nil, wanted))
        var report = try await self.apply(first, to: state, wanted, isEverything: true)
        report.hasStartedOver = true
        return report
    }
}

extension ReplicaStore {
    /// Forgets what a list lacks, and says what the rest has to be.
    func prepare(_ draft: ReplicaTransaction, for restart: Exchange.Restart) async throws -> ReplicaTransaction {
        try await self.write { db in
            var draft = draft
            try draft.forgetAll(but: Set(restart.levels.map(\.level)), db)
            for level in restart.levels { draft.say(level.digest, of: level.level) }
            return draft
        }
    }
}
