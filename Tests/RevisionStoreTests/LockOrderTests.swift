import IMDF
import IMDFDiff
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Every transaction of the store takes its locks in one order.
@Suite(.database)
struct LockOrderTests {
    private static let features = (0..<12).map { _ in FeatureID.random() }.sorted()
    private let key = VenueKey("mall")!

    private final class Tally: Sendable {
        let isOver = Atomic(false)
        let published = Atomic(0)
    }

    /// A process with its own connections.
    private func process() -> RevisionStore {
        RevisionStore(pool: ConnectionPool(TestDatabase.current.configuration.forStore(lockTimeout: .seconds(60))))
    }

    @Test
    func `lock order: uploads, publications, rollbacks, deletions and settings do not deadlock`() async throws {
        let owner = TestDatabase.current.pool
        let name = try #require(try await owner.query("SELECT current_database()::text").decode(String.self).first)
        // So that a deadlock is detected quickly, and the test meets many.
        try await owner.withConnection { try await $0.execute("ALTER DATABASE \(name) SET deadlock_timeout TO '20ms'") }
        try await Workshop(store: TestDatabase.current.store).enqueue("first")
        let processes = (0..<4).map { _ in self.process() }
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 as Range<UInt64> {
                let store = processes[Int(number)]
                group.addTask {
                    var random = SplitMix64(seed: number)
                    while !tally.isOver.load(ordering: .relaxed) {
                        if try await self.work(store, &random) { tally.published.add(1, ordering: .relaxed) }
                    }
                }
            }
            for number in 2..<8 as Range<UInt64> {
                let store = processes[2 + Int(number % 2)]
                group.addTask {
                    var random = SplitMix64(seed: number)
                    while !tally.isOver.load(ordering: .relaxed) {
                        try await self.refusable { try await self.administer(store, &random) }
                    }
                }
            }
            group.addTask {
                defer { tally.isOver.store(true, ordering: .relaxed) }
                let workshop = Workshop(store: processes[3])
                var number = 0
                // How often the others are in the way is up to the scheduler.
                while number < 400 || tally.published.load(ordering: .relaxed) <= 20 {
                    try await self.refusable { try await workshop.enqueue("zip \(number % 3)") }
                    number += 1
                }
            }
            try await group.waitForAll()
        }
        // The server updates the statistics when a session ends.
        for process in processes { await process.pool.close() }
        let deadlocks = try await owner.query(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        ).decode(Int64.self)
        #expect(deadlocks == [0])
    }

    /// Ignores the errors for a request that was too late.
    private func refusable(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch is StoreError {}
    }

    /// Runs one job: publishes it, ends it as unchanged, stages it or rejects it. Returns whether it was published.
    private func work(_ store: RevisionStore, _ random: inout SplitMix64) async throws -> Bool {
        guard let job = try await store.claim(leaseFor: 3_600) else {
            await Task.yield()
            return false
        }
        do {
            let venue = try await store.venue(self.key)
            let publication = self.publication(of: venue, &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                try await store.finish(
                    job, as: .unchanged, findings: [], base: venue.head, identity: publication.identity, changes: nil,
                    in: venue)
            case let kind where kind < 3:
                let staging = Staging(
                    base: venue.head, reasons: [], digest: Digest(of: [1]), identity: publication.identity,
                    changes: publication.changes, facts: [],
                    items: Self.features.prefix(3).map {
                        .init(
                            feature: $0, kind: .added, type: .unit, levelBefore: nil, levelAfter: nil, classes: [],
                            body: [0x31])
                    })
                if kind == 1 {
                    try await store.stage(staging, of: job, findings: [])
                } else {
                    try await store.reject(staging, of: job, findings: [])
                }
            default:
                _ = try await store.publish(publication, of: job, findings: [])
                return true
            }
        } catch is StoreError {
            try await store.release(job, after: "too late")
        }
        return false
    }

    private func publication(of venue: VenueRecord, _ random: inout SplitMix64) -> Publication {
        var model = VenueModel()
        for feature in Self.features where Bool.random(using: &random) {
            model.entries[feature] = .init(type: .unit, text: "\(random.next())")
        }
        var publication = model.publication(over: VenueModel(), of: venue)
        publication.identity.matches = Self.features.shuffled(using: &random).prefix(6).map {
            IdentityMatch(id: Self.features[0], archiveID: $0, type: .unit, kind: .exact, reason: .content)
        }
        return publication
    }

    private func administer(_ store: RevisionStore, _ random: inout SplitMix64) async throws {
        let venue = try await store.venue(self.key)
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<8:
            _ = try await Workshop(store: store).rollBack(to: Int64.random(in: 1...max(1, venue.head), using: &random))
        case 8..<11: try await store.change(SettingsChange(), of: venue, by: .ops)
        case 11: try await store.renewEpoch(of: venue, by: .ops)
        case 12: _ = try await store.prune(venue, keeping: 10, by: .ops)
        case 13: try await store.delete(venue, by: .ops)
        case 14, 15:
            let id = KeyID.random()
            _ = try await store.addKey(id, name: "key", role: .read, venues: nil, secretHash: [1], by: .ops)
            try await store.removeKey(id, by: .ops)
        default:
            let staged = try await store.uploads(of: self.key, state: .staged, limit: 3)
            guard let id = staged.randomElement(using: &random).flatMap({ UploadID($0.id) }) else {
                try await Workshop(store: store).enqueue("zip \(random.next() % 3)")
                return
            }
            if Bool.random(using: &random) {
                try await store.requestPublication(of: id, .init(base: nil, confirmed: []), by: .ops)
            } else {
                try await store.discard(id, by: .ops)
            }
        }
    }
}
