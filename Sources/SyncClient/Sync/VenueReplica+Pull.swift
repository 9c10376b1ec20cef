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
        guard state.venue == self.venue else { throw SyncError.file("it belongs to the venue \(state.venue)") }
        self.expectedFeatures = await self.expectedFeatures(from: state, levels)
        defer { self.expectedFeatures = nil }
        let head = try await self.signedHead(for: state)
        do {
            return try await self.apply(self.firstPage(from: state, levels, head), to: state, levels, head)
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
        return try await self.apply(self.firstPage(from: state, levels, head), to: state, levels, head)
    }

    private func firstPage(
        from state: ReplicaState, _ levels: LevelSelection, _ head: SignedHead?
    ) async throws -> [UInt8] {
        try await self.page(
            self.path(since: state.cursor, levels, to: head, form: self.form(from: state, levels)))
    }

    /// Receives a page and reports its progress.
    func page(_ path: String) async throws -> [UInt8] {
        var count = BodyCount()
        var isPlain: Bool?
        let expected = self.expectedFeatures
        return try await self.exchange.bytes(path) { block in
            guard let first = block.first else { return }
            // Bodies in the delta form are counted when they were decoded.
            if isPlain == nil { isPlain = first == UInt8(ascii: "{") }
            if isPlain == true { self.statusCenter.receive(count.read(block), of: expected) }
        }
    }

    /// The path of a synchronization request.
    ///
    /// - Parameters:
    ///   - cursor: Nil: a full snapshot.
    ///   - head: The revision to synchronize to; nil for the newest.
    func path(
        since cursor: String?, _ levels: LevelSelection, to head: SignedHead? = nil, wait: Int? = nil,
        form: SyncForm = .plain
    ) -> String {
        var query: [String] = []
        if let cursor { query.append("since=\(ServerAddress.escaped(cursor))") }
        // Sorted, so that clients with the same levels send the same URL, which caches can answer.
        query += (levels.names ?? []).map(\.description).sorted().map { "level=\($0)" }
        query.append("limit=\(self.pageLimit)")
        if let head { query.append("to=\(head.statement.revision)") }
        if let wait { query.append("wait=\(wait)") }
        if form == .delta { query.append("form=delta") }
        return "/venues/\(self.venue)/sync?\(query.joined(separator: "&"))"
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
        let (revision, cursor) = isSnapshot ? (nil, nil) : (state.revision, state.cursor)
        var rules = PageRules(venue: self.venue, from: revision, cursor: cursor)
        var report = SyncReport(from: state.revision, to: state.revision ?? 0, requests: 1)
        var page = try await self.read(first, since: cursor, from: state, levels, head, &report)
        var limit = DownloadLimit(head)
        try rules.check(page)
        try head?.check(page)
        try await limit.receive(page, held: self.store.featureCount)
        report.to = page.frame.to
        if page.isComplete, page.blocks.isEmpty, page.cursor == state.cursor, levels == state.selection,
            page.frame.digest == state.digest, page.frame.about == state.about
        {
            if let head { try await self.verifyHeld(state, head) }
            await self.noteSync(state, head)
            return report
        }
        report.hasCommitted = true
        self.observers.noteCommit(state.commits)
        var transaction = try await self.store.begin(from: state, seen: self.observers.seen)
        do {
            if isSnapshot { transaction = try await self.store.dropAll(in: transaction) }
            transaction = try await self.store.apply(page, to: transaction)
            while !page.isComplete {
                try Task.checkCancellation()
                page = try await self.nextPage(after: page, from: state, levels, head, &rules, &report)
                try head?.check(page)
                try await limit.receive(page, held: self.store.featureCount)
                report.requests += 1
                transaction = try await self.store.apply(page, to: transaction)
            }
            transaction = try await self.verify(transaction, at: page.frame.to, head, &report)
            let now = self.exchange.policy.now()
            let outcome = ReplicaTransaction.Outcome(
                cursor: page.cursor, revision: page.frame.to, digest: page.frame.digest, about: page.frame.about,
                selection: levels, publishedAt: page.publishedAt, syncedAt: head?.confirmation(at: now) ?? now,
                head: head)
            try await self.commit(transaction, outcome, &report)
        } catch {
            await self.store.rollBack()
            throw error
        }
        return report
    }

    /// Requests the next page, with retries, because a failure would lose the pages before it.
    private func nextPage(
        after page: ChangeSetPage, from state: ReplicaState, _ levels: LevelSelection, _ head: SignedHead?,
        _ rules: inout PageRules, _ report: inout SyncReport
    ) async throws -> ChangeSetPage {
        let path = self.path(since: page.cursor, levels, to: head, form: self.form(from: state, levels))
        let next = try await self.exchange.retrying(self.exchange.policy.attempts) {
            try await self.read(self.page(path), since: page.cursor, from: state, levels, head, &report)
        }
        try rules.check(next)
        return next
    }

    /// Verifies the digests of all changed levels. A level whose digest does not match is fetched again, once.
    private func verify(
        _ transaction: ReplicaTransaction, at revision: Int64, _ head: SignedHead?, _ report: inout SyncReport
    ) async throws -> ReplicaTransaction {
        var transaction = transaction
        let mismatches = try await self.store.mismatches(of: &transaction)
        guard !mismatches.isEmpty else { return transaction }
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
        return transaction
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

extension ReplicaStore {
    /// The first three of the five steps of `docs/protocol/sync.md`, for one page.
    func apply(_ page: ChangeSetPage, to transaction: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.write { db in
            var transaction = transaction
            for block in page.blocks {
                if block.kind != .changes, !block.isContinued { try transaction.drop(block.level, db) }
                try transaction.put(block.bodies, of: page.text, under: block.level, db)
                for removal in block.removed { try transaction.remove(removal, from: block.level, db) }
                if block.kind == .gone || block.digest != nil { transaction.expect(block.digest, of: block.level) }
            }
            return transaction
        }
    }

    func put(
        _ batch: FeatureStream.Batch, under level: FeatureID?, in transaction: ReplicaTransaction
    ) async throws -> ReplicaTransaction {
        try await self.write { db in
            var transaction = transaction
            try transaction.put(batch.bodies, of: batch.text, under: level, db)
            return transaction
        }
    }

    func drop(_ level: FeatureID?, in transaction: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.write { db in
            var transaction = transaction
            try transaction.drop(level, db)
            return transaction
        }
    }

    func dropAll(in transaction: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.write { db in
            var transaction = transaction
            try transaction.dropAll(db)
            return transaction
        }
    }

    func mismatches(of transaction: inout ReplicaTransaction) async throws -> [FeatureID?] {
        let current = transaction
        let (mismatches, next) = try await self.write { db in
            var next = current
            return (try next.mismatches(db), next)
        }
        transaction = next
        return mismatches
    }
}
