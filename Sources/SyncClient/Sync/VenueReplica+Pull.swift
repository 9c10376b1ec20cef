import Foundation
import IMDF
import SyncModel

/// Reading a change set, and applying it.
extension VenueReplica {
    /// How often to begin again when somebody else wrote to the file meanwhile, or history was lost once more.
    private static let beginnings = 5

    /// What is to be held, told from what is held at the same moment.
    typealias Wish = @Sendable (ReplicaState, ReplicaReader) throws -> LevelSelection

    func bringUpToDate(_ wish: @escaping Wish) async throws -> SyncReport {
        for _ in 0..<Self.beginnings {
            do {
                return try await self.pull(wish)
            } catch is ReplicaStore.Moved {
                continue
            } catch is Exchange.LostHistory {
                throw SyncError.contradiction("history was lost twice")
            }
        }
        throw SyncError.busy
    }

    private func pull(_ wish: @escaping Wish) async throws -> SyncReport {
        let (state, wanted) = try await self.store.read { reader in
            let state = try reader.state()
            return (state, try wish(state, reader))
        }
        guard state.venue == self.venue else { throw SyncError.file("it holds the venue \(state.venue)") }
        do {
            return try await self.apply(self.firstPage(from: state, wanted), to: state, wanted)
        } catch let lost as Exchange.LostHistory {
            var report = try await self.startOver(from: state, wanted, lost.restart)
            // The list says less of its revision than a change set, and a moment has gone by. What cannot be had of that now can
            // be later: the replica is whole.
            guard let rest = try? await self.goOn(wanted) else { return report }
            report.to = rest.to
            report.requests += rest.requests
            report.repaired += rest.repaired
            return report
        }
    }

    private func goOn(_ wanted: LevelSelection) async throws -> SyncReport {
        let state = try await self.store.state()
        return try await self.apply(self.firstPage(from: state, wanted), to: state, wanted)
    }

    private func firstPage(from state: ReplicaState, _ wanted: LevelSelection) async throws -> [UInt8] {
        try await self.exchange.bytes(self.path(since: state.cursor, wanted))
    }

    /// - Parameter cursor: Nil: from nothing.
    func path(since cursor: String?, _ wanted: LevelSelection, wait: Int? = nil) -> String {
        var query: [String] = []
        if let cursor { query.append("since=\(ServerAddress.escaped(cursor))") }
        // In one order, so that clients which want the same ask the same address.
        query += (wanted.names ?? []).map(\.description).sorted().map { "level=\($0)" }
        query.append("limit=\(self.pageLimit)")
        if let wait { query.append("wait=\(wait)") }
        return "/venues/\(self.venue)/sync?\(query.joined(separator: "&"))"
    }

    /// Applies a change set of which the first page was received, or nothing of it.
    ///
    /// - Parameter isEverything: The change set leads from nothing, and what is held is to go.
    func apply(
        _ first: [UInt8], to state: ReplicaState, _ wanted: LevelSelection, isEverything: Bool = false
    ) async throws -> SyncReport {
        let (revision, cursor) = isEverything ? (nil, nil) : (state.revision, state.cursor)
        var rules = PageRules(venue: self.venue, from: revision, cursor: cursor)
        var page = try ChangeSetPage(first)
        try rules.check(page)
        var report = SyncReport(from: state.revision, to: page.frame.to, requests: 1)
        if page.isComplete, page.blocks.isEmpty, page.cursor == state.cursor, wanted == state.selection,
            page.frame.digest == state.digest, page.frame.about == state.about
        {
            return report
        }
        report.hasCommitted = true
        self.observers.found(state.commits)
        var draft = try await self.store.begin(from: state, seen: self.observers.seen)
        do {
            if isEverything { draft = try await self.store.forgetAll(in: draft) }
            draft = try await self.store.apply(page, to: draft)
            while !page.isComplete {
                try Task.checkCancellation()
                page = try await self.nextPage(after: page, wanted, &rules)
                report.requests += 1
                draft = try await self.store.apply(page, to: draft)
            }
            draft = try await self.proved(draft, at: page.frame.to, &report)
            let outcome = ReplicaTransaction.Outcome(
                cursor: page.cursor, revision: page.frame.to, digest: page.frame.digest, about: page.frame.about,
                selection: wanted)
            report.changes = try await self.end(draft, outcome)
        } catch {
            await self.store.rollBack()
            throw error
        }
        return report
    }

    /// Asked for more than once if need be: what was read already would be lost.
    private func nextPage(
        after page: ChangeSetPage, _ wanted: LevelSelection, _ rules: inout PageRules
    ) async throws -> ChangeSetPage {
        let path = self.path(since: page.cursor, wanted)
        let next = try await self.exchange.attempting(self.exchange.policy.attempts) {
            try ChangeSetPage(await self.exchange.bytes(path))
        }
        try rules.check(next)
        return next
    }

    /// The draft when every level that was touched is what its digest says. One that is not is fetched again, once.
    private func proved(_ draft: ReplicaTransaction, at revision: Int64, _ report: inout SyncReport) async throws
        -> ReplicaTransaction
    {
        var draft = draft
        let wrong = try await self.store.mismatches(of: draft)
        guard !wrong.isEmpty else { return draft }
        for level in wrong {
            let name = level.map(LevelSelection.Name.level) ?? .venueWide
            draft = try await self.fetch(
                level, from: "/venues/\(self.venue)/revisions/\(revision)/features?level=\(name)", into: draft)
            report.requests += 1
        }
        if let level = try await self.store.mismatches(of: draft).first { throw SyncError.wrongDigest(level: level) }
        report.repaired += wrong
        return draft
    }

    /// Replaces what is held under a level by a FeatureCollection, which is written as it comes.
    func fetch(_ level: FeatureID?, from path: String, into draft: ReplicaTransaction) async throws
        -> ReplicaTransaction
    {
        var draft = draft
        try await self.exchange.attempting(self.exchange.policy.attempts) {
            draft = try await self.store.forget(level, in: draft)
            var stream = FeatureStream()
            try await Exchange.each(self.exchange.answer(path).body) { piece in
                try Task.checkCancellation()
                guard let batch = try stream.take(piece) else { return }
                draft = try await self.store.put(batch, under: level, in: draft)
            }
            draft = try await self.store.put(stream.finish(), under: level, in: draft)
        }
        return draft
    }

    func end(_ draft: ReplicaTransaction, _ outcome: ReplicaTransaction.Outcome) async throws -> SyncReport.Changes {
        self.observers.commits(draft.number)
        let changes: SyncReport.Changes
        do {
            changes = try await self.store.commit(draft, outcome)
        } catch {
            self.observers.failed(draft.number)
            throw error
        }
        self.observers.committed()
        // Whoever waits for news waits for those of a state that is no more.
        for task in self.waiting.values { task.cancel() }
        return changes
    }
}

extension ReplicaStore {
    /// The first three of the five steps, for one page.
    func apply(_ page: ChangeSetPage, to draft: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.write { db in
            var draft = draft
            for block in page.blocks {
                if block.kind != .changes, !block.isContinued { try draft.forget(block.level, db) }
                try draft.put(block.bodies, of: page.text, under: block.level, db)
                for removal in block.removed { try draft.remove(removal.id, from: block.level, db) }
                if block.kind == .gone || block.digest != nil { draft.say(block.digest, of: block.level) }
            }
            return draft
        }
    }

    func put(
        _ batch: FeatureStream.Batch, under level: FeatureID?, in draft: ReplicaTransaction
    ) async throws -> ReplicaTransaction {
        try await self.write { db in
            var draft = draft
            try draft.put(batch.bodies, of: batch.text, under: level, db)
            return draft
        }
    }

    func forget(_ level: FeatureID?, in draft: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.write { db in
            var draft = draft
            try draft.forget(level, db)
            return draft
        }
    }

    func forgetAll(in draft: ReplicaTransaction) async throws -> ReplicaTransaction {
        try await self.write { db in
            var draft = draft
            try draft.forgetAll(db)
            return draft
        }
    }

    func mismatches(of draft: ReplicaTransaction) async throws -> [FeatureID?] {
        try await self.write { db in try draft.mismatches(db) }
    }
}
