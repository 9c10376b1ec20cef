import Foundation
import IMDF
import SyncModel

/// Requests a change set and applies it.
extension VenueReplica {
    /// Attempts if another process writes to the file in the meantime.
    private static let maximumAttempts = 5

    /// Computes the levels to hold from the current state.
    typealias Selection = @Sendable (ReplicaState, ReplicaReader) throws -> LevelSelection

    /// Synchronizes, one call after the other, and reports the status.
    func synchronizeInTurn(_ selection: @escaping Selection) async throws -> SyncReport {
        try await self.mutex.withLock {
            self.statusCenter.connect()
            do {
                return try await self.synchronize(selection)
            } catch {
                self.statusCenter.fail(error as? SyncError)
                throw error
            }
        }
    }

    private func synchronize(_ selection: @escaping Selection) async throws -> SyncReport {
        for _ in 0..<Self.maximumAttempts {
            do {
                return try await self.pull(selection)
            } catch is ReplicaStore.Conflict {
                continue
            } catch is Exchange.LostHistory {
                throw SyncError.historyLostAgain
            }
        }
        throw SyncError.busy
    }

    private func pull(_ selection: @escaping Selection) async throws -> SyncReport {
        let (state, levels) = try await self.store.read { reader in
            let state = try reader.state()
            return (state, try selection(state, reader))
        }
        self.observers.catchUp(with: state.commits)
        self.statusCenter.note(isDamaged: state.isDamaged)
        guard state.venue == self.venue else { throw SyncError.file("it belongs to the venue \(state.venue)") }
        try await self.checkSpace(for: levels, from: state)
        self.expectedFeatures = await self.expectedFeatures(from: state, levels)
        defer { self.expectedFeatures = nil }
        let head = try await self.signedHead(for: state)
        if state.isDamaged { return try await self.replaceDamaged(state, levels, head) }
        do {
            return try await self.apply(self.requestFirstPage(from: state, levels, head), to: state, levels, head)
        } catch SyncError.untrusted where head != nil && state.signedHead == nil && state.revision != nil {
            // The file was synchronized without trusted keys, and what it holds is not what was signed.
            return try await self.fetchSnapshot(state, levels, head)
        } catch let lost as Exchange.LostHistory {
            // The history may have been lost since the head was requested.
            let head = try await self.signedHead(for: state)
            var report = try await self.startOver(from: state, levels, lost.restart, head)
            // The list of levels lacks members that a change set has, and there may be a newer revision. If this request fails, the
            // next synchronization makes up for it: the replica is already consistent.
            guard let rest = try? await self.continueFromState(levels) else { return report }
            report.to = rest.to
            report.requests += rest.requests
            report.repaired += rest.repaired
            return report
        }
    }

    private func continueFromState(_ levels: LevelSelection) async throws -> SyncReport {
        let state = try await self.store.state()
        let head = try await self.signedHead(for: state)
        return try await self.apply(self.requestFirstPage(from: state, levels, head), to: state, levels, head)
    }

    /// Applies a change set whose first page was received. Applies all of it or nothing.
    ///
    /// - Parameters:
    ///   - head: What the replica has to be at the end; nil if the app trusts no keys.
    ///   - isSnapshot: The change set is a full snapshot that replaces the replica.
    func apply(
        _ first: [UInt8], to state: ReplicaState, _ levels: LevelSelection, _ head: SignedHead?,
        isSnapshot: Bool = false
    ) async throws -> SyncReport {
        var download = ChangeSetDownload(to: state, levels, head, isSnapshot: isSnapshot)
        let page = try await self.readFirstPage(first, of: &download)
        if download.isUnchanged(by: page.page) {
            if let head { try await self.verifyHeld(state, head) }
            await self.noteSync(state, head)
            return download.report
        }
        download.report.hasCommitted = true
        self.observers.noteCommit(state.commits)
        var transaction = try await self.store.begin(from: state, seen: self.observers.seen)
        do {
            if isSnapshot { transaction = try await self.store.dropAll(in: transaction) }
            let last = try await self.apply(from: page, of: &download, to: &transaction)
            try await self.verify(&transaction, at: last.frame.to, head, &download.report)
            let now = self.exchange.policy.now()
            let outcome = ReplicaTransaction.Outcome(
                cursor: last.cursor, revision: last.frame.to, digest: last.frame.digest, about: last.frame.about,
                selection: levels, publishedAt: last.publishedAt, syncedAt: head?.confirmation(at: now) ?? now,
                head: head)
            try await self.commit(transaction, outcome, &download.report)
        } catch {
            await self.store.rollBack()
            await self.noteFailure(error, of: levels, from: state)
            throw error
        }
        return download.report
    }

    /// Verifies the digests of all changed levels. A level whose digest does not match is fetched again, once.
    private func verify(
        _ transaction: inout ReplicaTransaction, at revision: Int64, _ head: SignedHead?, _ report: inout SyncReport
    ) async throws {
        let mismatches = try await self.store.mismatches(of: &transaction)
        guard !mismatches.isEmpty else { return }
        for level in mismatches {
            let name = level.map(LevelSelection.Name.level) ?? .venueWide
            transaction = try await self.fetch(
                level, from: "/venues/\(self.venue)/revisions/\(revision)/features?level=\(name)",
                limit: DownloadLimit(head), into: transaction)
            report.requests += 1
        }
        if let level = try await self.store.mismatches(of: &transaction).first {
            throw SyncError.wrongDigest(level: level)
        }
        report.repaired += mismatches
    }

    /// Replaces a level by a FeatureCollection, which is written while it arrives.
    func fetch(
        _ level: FeatureID?, from path: String, limit: DownloadLimit, into transaction: ReplicaTransaction
    ) async throws -> ReplicaTransaction {
        var transaction = transaction
        try await self.exchange.retrying(self.exchange.policy.attempts) {
            transaction = try await self.store.drop(level, in: transaction)
            var stream = FeatureStream()
            var count = BodyCount()
            var limit = limit
            try await Exchange.forEachBlock(of: self.exchange.response(path).body) { block in
                try Task.checkCancellation()
                try limit.receive(block)
                self.statusCenter.receive(count.read(block), of: nil)
                guard let batch = try stream.append(block) else { return }
                transaction = try await self.store.put(batch, under: level, in: transaction)
            }
            transaction = try await self.store.put(stream.finish(), under: level, in: transaction)
        }
        return transaction
    }

    func commit(
        _ transaction: ReplicaTransaction, _ outcome: ReplicaTransaction.Outcome, _ report: inout SyncReport
    ) async throws {
        self.observers.willCommit(transaction.number)
        do {
            let effect = try await self.store.commit(transaction, outcome)
            (report.changes, report.dropped) = (effect.changes, effect.dropped)
        } catch {
            self.observers.didFail(transaction.number)
            throw error
        }
        self.observers.didCommit()
        self.fullDisk = nil
        self.statusCenter.succeed(at: outcome.syncedAt)
        // Long polls were sent with a cursor that is now outdated.
        for task in self.longPolls.values { task.cancel() }
    }

    /// Records that the replica has the newest revision, in the file at most every five minutes: that is a write for nothing else.
    private func noteSync(_ state: ReplicaState, _ head: SignedHead?) async {
        var now = self.exchange.policy.now()
        now = head?.confirmation(at: now) ?? now
        self.statusCenter.succeed(at: now)
        let isFirstHead = head != nil && state.signedHead == nil
        guard isFirstHead || abs(now.timeIntervalSince(self.storedSync ?? state.syncedAt ?? .distantPast)) >= 300 else {
            return
        }
        if (try? await self.store.noteSync(at: now, head, of: state)) != nil { self.storedSync = now }
    }
}
