import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Prunes old revisions while others read, write and prune.
@Suite(.database)
struct PruneTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    private func venue() async throws -> VenueRecord { try await self.store.venue(self.workshop.key) }

    /// Revisions with many changes each.
    private func history(of count: Int, seed: UInt64 = 1) async throws -> [VenueModel] {
        var random = SplitMix64(seed: seed)
        var history: [VenueModel] = []
        while history.count < count {
            let now = history.last ?? VenueModel()
            var next = now
            next.change(20, using: &random)
            if next == now { continue }
            _ = try await self.workshop.publish(next, over: now)
            history.append(next)
        }
        return history
    }

    private func count(_ condition: String, in table: String = "feature_version") async throws -> Int64? {
        try await self.store.pool.query("SELECT count(*) FROM \(raw: table) WHERE \(raw: condition)")
            .decode(Int64.self).first
    }

    @Test func `prune keeps the digests of newer revisions and refuses older ones`() async throws {
        let history = try await self.history(of: 8)
        let before = try await self.venue()
        var states: [[LevelState]] = []
        for number in 1...8 as ClosedRange<Int64> {
            states.append(
                try await self.store.levelStates(of: before, at: self.store.revision(number, of: before)))
        }
        let planned = try await self.store.prune(before, keeping: 3, dryRun: true, by: .ops)
        #expect(try await self.venue().first == 1)
        let ended = try #require(try await self.count("to_revision <= 6"))
        let pruned = try await self.store.prune(before, keeping: 3, by: .ops)
        #expect(pruned == planned && pruned.first == 6 && pruned.revisions == 5 && pruned.versions == ended)
        #expect(ended > 0 && pruned.bytes > 0)
        let venue = try await self.venue()
        #expect(venue.first == 6 && venue.head == 8 && venue.changeNumber > before.changeNumber)
        #expect(try await self.count("to_revision <= 6") == 0)
        #expect(try await self.count("number < 6", in: "revision") == 0)
        for number in 6...8 as ClosedRange<Int64> {
            let revision = try await self.store.revision(number, of: venue)
            #expect(revision.digest == history[Int(number) - 1].digest)
            #expect(try await self.store.levelStates(of: venue, at: revision) == states[Int(number) - 1])
            for later in number...8 {
                var replica = Replica()
                try replica.apply(await self.workshop.pages(since: nil, to: number))
                try replica.apply(await self.workshop.pages(since: replica.cursor, to: later, limit: 2))
                #expect(replica.features == history[Int(later) - 1].replica(of: nil))
            }
        }
        let gone = StoreError.revisionPruned(5, first: 6)
        await #expect(throws: gone) { try await self.store.revision(5, of: venue) }
        await #expect(throws: gone) { try await self.store.logEntry(5, of: venue) }
        await #expect(throws: gone) { try await self.store.versions(of: venue, at: 5) }
        await #expect(throws: gone) { try await self.store.changes(in: venue, from: 5, to: 8) }
        await #expect(throws: gone) { try await self.store.manifest(of: venue, at: 5) }
        await #expect(throws: gone) { try await self.store.comparisonBase(of: venue.key, at: 5) }
        await #expect(throws: gone) { try await self.workshop.rollBack(to: 5) }
        await #expect(throws: StoreError.unknownRevision(9)) { try await self.store.revision(9, of: venue) }
        #expect(try await self.store.log(of: venue, before: nil, limit: 50).map(\.revision.number) == [8, 7, 6])
        #expect(try await self.workshop.rollBack(to: 6) == 9)
    }

    @Test func `prune: concurrent requests report their own share`() async throws {
        _ = try await self.history(of: 12)
        let venue = try await self.venue()
        let ended = try #require(try await self.count("to_revision <= 10"))
        let store = self.store
        let prunings = try await withThrowingTaskGroup(of: Pruning.self) { group in
            for count in [3, 9, 3, 6, 5, 3] { group.addTask { try await store.prune(venue, keeping: count, by: .ops) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(prunings.reduce(0) { $0 + $1.revisions } == 9)
        #expect(prunings.reduce(0) { $0 + $1.versions } == ended)
        #expect(try await self.venue().first == 10)
        #expect(try await self.count("to_revision <= 10") == 0)
        #expect(try await self.count("number < 10", in: "revision") == 0)
    }

    @Test func `prune: a worker completes a prune that was interrupted after the first revision was raised`()
        async throws
    {
        let history = try await self.history(of: 6)
        _ = try await self.store.pool.query("UPDATE venue SET first_revision = 5")
        let venue = try await self.venue()
        await #expect(throws: StoreError.revisionPruned(4, first: 5)) { try await self.store.revision(4, of: venue) }
        #expect(try await self.store.log(of: venue, before: nil, limit: 50).count == 2)
        #expect(try await self.count("to_revision <= 5")! > 0)
        while try await self.store.pruneNextBatch() {}
        #expect(try await self.count("to_revision <= 5") == 0)
        #expect(try await self.count("number < 5", in: "revision") == 0)
        #expect(try await self.store.revision(6, of: venue).digest == history[5].digest)
    }

    @Test func `prune by the setting keep_revisions after every publication`() async throws {
        var history = try await self.history(of: 3)
        var venue = try await self.venue()
        var settings = SettingsChange()
        #expect(try await !self.store.pruneNextBatch())
        settings[.keepRevisions] = 2
        try await self.store.change(settings, of: venue, by: .ops)
        for head in 3...5 as ClosedRange<Int64> {
            while try await self.store.pruneNextBatch() {}
            venue = try await self.venue()
            #expect(venue.head == head && venue.first == head - 1)
            var next = history[history.count - 1]
            next.entries[.random()] = .init(type: .unit, level: nil, text: "one more")
            _ = try await self.workshop.publish(next, over: history[history.count - 1])
            history.append(next)
        }
    }

    @Test func `prune: bodies that are deleted before they are read cause an error`() async throws {
        _ = try await self.history(of: 4)
        let venue = try await self.venue()
        let versions = try await self.store.versions(of: venue, at: 2)
        _ = try await self.store.prune(venue, keeping: 1, by: .ops)
        await #expect(throws: StoreError.revisionPruned(3, first: 4)) {
            try await self.store.bodies(of: versions, in: venue)
        }
    }

    @Test func `prune: a stream of a revision that is pruned meanwhile fails at its end`() async throws {
        _ = try await self.history(of: 4)
        let venue = try await self.venue()
        let store = self.store
        var hasPruned = false
        await #expect(throws: StoreError.revisionPruned(1, first: 4)) {
            try await store.changedBodies(in: venue, from: 1, to: 4) { _, _, _ in
                if !hasPruned { _ = try await store.prune(venue, keeping: 1, by: .ops) }
                hasPruned = true
            }
        }
        #expect(hasPruned)
    }

    @Test func `prune: a read of the head is repeated with the new head`() async throws {
        _ = try await self.history(of: 3)
        let venue = try await self.venue()
        _ = try await self.workshop.rollBack(to: 1)
        _ = try await self.store.prune(self.venue(), keeping: 1, by: .ops)
        let number = try await self.store.withHead(of: venue) { try await self.store.revision($0.head, of: $0).number }
        #expect(number == 4)
        #expect(try await self.store.comparisonBase(of: venue.key).number == 4)
        // But not for a revision that was requested by its number.
        await #expect(throws: StoreError.revisionPruned(2, first: 4)) {
            try await self.store.withHead(of: venue) { try await self.store.revision(2, of: $0) }
        }
    }

    @Test func `rollback to a revision that is pruned before the venue is locked is refused`() async throws {
        let history = try await self.history(of: 5)
        let workshop = self.workshop
        let rollback = try await self.store.pool.transaction { connection in
            // The first revision is raised and not committed; the rollback has read everything and waits for the row.
            _ = try await connection.query("UPDATE venue SET first_revision = 4")
            let rollback = Task { try await workshop.rollBack(to: 2) }
            try await self.store.pool.waitForLock()
            return rollback
        }
        await #expect(throws: StoreError.revisionPruned(2, first: 4)) { try await rollback.value }
        while try await self.store.pruneNextBatch() {}
        let venue = try await self.venue()
        #expect(venue.head == 5)
        #expect(try await self.store.revision(5, of: venue).digest == history[4].digest)
        #expect(try await self.count("from_revision = 6") == 0)
    }

    @Test func `prune of a venue that is replaced before its row is locked deletes nothing`() async throws {
        _ = try await self.history(of: 5)
        let (venue, store) = (try await self.venue(), self.store)
        let prune = try await store.pool.transaction { connection in
            _ = try await connection.query("UPDATE venue SET epoch = epoch + 1")
            let prune = Task { try await store.prune(venue, keeping: 1, by: .ops) }
            try await store.pool.waitForLock()
            return prune
        }
        await #expect(throws: StoreError.venueReplaced) { try await prune.value }
        #expect(try await self.venue().first == 1)
    }

    @Test func `prune waits for a rollback that has locked the venue, whose revision is complete`() async throws {
        let history = try await self.history(of: 5)
        let (workshop, store) = (self.workshop, self.store)
        let venue = try await self.venue()
        let (rollback, prune) = try await self.store.pool.transaction { connection in
            _ = try await connection.query("SELECT FROM catalogue FOR UPDATE")
            let rollback = Task { try await workshop.rollBack(to: 2) }
            try await store.pool.waitForLock()
            let prune = Task { try await store.prune(venue, keeping: 1, by: .ops) }
            try await store.pool.waitForLock(2)
            return (rollback, prune)
        }
        #expect(try await rollback.value == 6)
        #expect(try await prune.value.first == 5)
        let now = try await self.venue()
        #expect(try await self.store.revision(6, of: now).digest == history[1].digest)
        var replica = Replica()
        try replica.apply(await self.workshop.pages(since: nil, to: 6))
        #expect(replica.features == history[1].replica(of: nil))
    }

    @Test func `recreated venue has its whole history, whatever was pruned before`() async throws {
        _ = try await self.history(of: 5)
        _ = try await self.store.prune(self.venue(), keeping: 1, by: .ops)
        try await self.store.delete(self.venue(), by: .ops)
        let anew = try await self.history(of: 3, seed: 9)
        while try await self.store.pruneNextBatch() {}
        let venue = try await self.venue()
        #expect(venue.first == 1 && venue.head == 3)
        var replica = Replica()
        try replica.apply(await self.workshop.pages(since: nil, to: 1))
        #expect(replica.features == anew[0].replica(of: nil))
    }

    @Test func `feature history begins with the version in the first revision`() async throws {
        var model = VenueModel()
        let id = FeatureID.random()
        for text in ["a", "b", "b", "c"] {
            var next = model
            next.entries[id] = .init(type: .unit, level: nil, text: text)
            next.entries[.random()] = .init(type: .unit, level: nil, text: "another")
            _ = try await self.workshop.publish(next, over: model)
            model = next
        }
        _ = try await self.store.prune(self.venue(), keeping: 2, by: .ops)
        let entries = try await self.store.history(of: id, in: self.venue(), before: nil, limit: 10).entries
        #expect(entries.map(\.from) == [4, 2] && entries.map(\.end) == [nil, 4])
        #expect(entries.map(\.author) == ["ops", nil] && entries[1].publishedAt == nil)
    }
}
