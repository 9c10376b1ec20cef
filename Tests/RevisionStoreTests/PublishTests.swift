import IMDF
import Migrations
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct PublishTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    private static func model(_ texts: String...) -> VenueModel {
        var random = SplitMix64(seed: 1)
        var model = VenueModel()
        model.entries[.random(using: &random)] = .init(type: .venue, text: "mall")
        for text in texts { model.entries[.random(using: &random)] = .init(type: .address, text: text) }
        return model
    }

    @Test func `publication and rollback at the same time on one base: one succeeds, the other fails with headMoved`()
        async throws
    {
        let (one, two, three) = (Self.model("1"), Self.model("2"), Self.model("3"))
        _ = try await self.workshop.publish(one, over: VenueModel())
        _ = try await self.workshop.publish(two, over: one)
        let job = try #require(try await self.workshop.job("zip"))
        let venue = try await self.store.venue(self.workshop.key)
        #expect(try await self.workshop.rollBack(to: 1) == 3)
        await #expect(throws: StoreError.headMoved) {
            try await self.store.publish(three.publication(over: two, of: venue), of: job, findings: [])
        }
        let pages = try await self.workshop.pages(since: nil, to: nil)
        #expect(pages.last?.to == 3 && pages.last?.digest == one.digest)
    }

    @Test func `publication: concurrent writers of one venue leave no gaps`() async throws {
        let (one, two) = (Self.model("1"), Self.model("2"))
        _ = try await self.workshop.publish(one, over: VenueModel())
        _ = try await self.workshop.publish(two, over: one)
        let workshop = self.workshop
        let numbers = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for target in [1, 2, 1, 2, 1, 2, 1, 2] as [Int64] {
                group.addTask {
                    for _ in 0..<50 {
                        do {
                            return try await workshop.rollBack(to: target)
                        } catch StoreError.headMoved {
                            continue
                        } catch StoreError.nothingToRestore {
                            return nil
                        }
                    }
                    return nil
                }
            }
            return try await group.reduce(into: [Int64]()) { if let number = $1 { $0.append(number) } }
        }
        let venue = try await self.store.venue(self.workshop.key)
        #expect(numbers.sorted() == Array(3...(2 + Int64(numbers.count))))
        #expect(venue.head == 2 + Int64(numbers.count))
        let log = try await self.store.log(of: venue, before: nil, limit: 100)
        #expect(log.map(\.revision.number) == Array((1...venue.head).reversed()))
    }

    @Test func `publication: a key that was revoked or restricted since the upload publishes nothing`() async throws {
        let id = KeyID.random()
        _ = try await self.store.addKey(id, name: "ci", role: .publish, venues: nil, secretHash: [0], by: .ops)
        let author = Authorization(key: id, author: "ci", role: .publish, venue: self.workshop.key)
        try await self.workshop.enqueue("archive", by: author)
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        let venue = try await self.store.venue(self.workshop.key)
        var model = VenueModel()
        model.entries[.random()] = .init(type: .unit, text: "unit")
        let publication = model.publication(over: VenueModel(), of: venue)
        _ = try await self.store.pool.query("UPDATE api_key SET role = 'read'")
        await #expect(throws: StoreError.notPermitted) {
            _ = try await self.store.publish(publication, of: job, findings: [])
        }
        try await self.store.removeKey(id, by: .ops)
        await #expect(throws: StoreError.keyRevoked) {
            _ = try await self.store.publish(publication, of: job, findings: [])
        }
        #expect(try await self.store.venue(self.workshop.key) == venue)
    }

    @Test func `rollback refuses an unknown revision and the current state`() async throws {
        _ = try await self.workshop.publish(Self.model("1"), over: VenueModel())
        await #expect(throws: StoreError.unknownRevision(7)) { try await self.workshop.rollBack(to: 7) }
        await #expect(throws: StoreError.nothingToRestore) { try await self.workshop.rollBack(to: 1) }
        #expect(try await self.store.venue(self.workshop.key).head == 1)
    }

    @Test func `publication with only removals`() async throws {
        let full = Self.model("1", "2", "3")
        let bare = Self.model()
        _ = try await self.workshop.publish(full, over: VenueModel())
        _ = try await self.workshop.publish(bare, over: full)
        var replica = Replica()
        try replica.apply(await self.workshop.pages(since: nil, to: 1))
        let pages = try await self.workshop.pages(since: replica.cursor, to: nil)
        #expect(pages.flatMap(\.blocks).flatMap(\.removed).count == 3)
        #expect(pages.flatMap(\.blocks).flatMap(\.features).isEmpty)
        try replica.apply(pages)
        #expect(replica.features == bare.replica(of: nil))
    }

    @Test func `sync of a venue with a thousand levels, by level and in pages`() async throws {
        var random = SplitMix64(seed: 3)
        var model = Self.model()
        for ordinal in 0..<1_000 {
            let level = FeatureID.random(using: &random)
            model.entries[level] = .init(type: .level, text: "level", ordinal: ordinal)
            model.entries[.random(using: &random)] = .init(type: .unit, level: level, text: "shop")
        }
        _ = try await self.workshop.publish(model, over: VenueModel())
        let pages = try await self.workshop.pages(since: nil, to: nil, limit: 300)
        #expect(pages.count == 7)
        var replica = Replica()
        try replica.apply(pages)
        #expect(replica.features == model.replica(of: nil))
        let one = try await self.workshop.pages(since: nil, to: nil, levels: LevelSelection(names: [.ordinal(512)]))
        #expect(one.flatMap(\.blocks).map(\.ordinal) == [nil, 512])
    }

    @Test func `sync page ends before its bodies exceed the limit`() async throws {
        var model = Self.model()
        for _ in 0..<3 {
            model.entries[.random()] = .init(type: .address, text: String(repeating: "x", count: 8 << 20))
        }
        _ = try await self.workshop.publish(model, over: VenueModel())
        let pages = try await self.workshop.pages(since: nil, to: nil)
        #expect(pages.map { $0.blocks.flatMap(\.features).count }.max() ?? 0 <= 2 && pages.count >= 3)
        var replica = Replica()
        try replica.apply(pages)
        #expect(replica.features == model.replica(of: nil))
    }

    @Test func `deleted venue is gone, and has another history when it is recreated`() async throws {
        let model = Self.model("1")
        _ = try await self.workshop.publish(model, over: VenueModel())
        let cursor = try #require(try await self.workshop.pages(since: nil, to: nil).last?.cursor)
        let venue = try await self.store.venue(self.workshop.key)
        try await self.store.delete(venue, by: .ops)
        await #expect(throws: StoreError.venueGone(self.workshop.key, wasPublic: false)) {
            try await self.store.venue(self.workshop.key)
        }
        #expect(try await self.workshop.publish(model, over: VenueModel()) == 1)
        await #expect(throws: StoreError.historyLost) { try await self.workshop.pages(since: cursor, to: nil) }
    }

    @Test func `deleted venue: a job that runs the rules loses its lease`() async throws {
        let job = try #require(try await self.workshop.job("zip"))
        let publication = Self.model("1").publication(over: VenueModel(), of: try await self.store.venue(job.venue))
        _ = try await self.store.publish(
            publication, of: job, findings: FindingReport(onReading: [], isComplete: false))
        let progress = Upload.Progress(phase: .validating, done: 1, total: 2)
        try await self.store.renew(job, for: 60, progress: progress)
        try await self.store.delete(self.store.venue(job.venue), by: .ops)
        await #expect(throws: StoreError.leaseLost) {
            try await self.store.renew(job, for: 60, progress: progress)
        }
    }

    @Test func `recreated venue: writes with the record of the former venue are refused`() async throws {
        let (one, two) = (Self.model("1"), Self.model("2"))
        func publishBoth() async throws -> VenueRecord {
            _ = try await self.workshop.publish(one, over: VenueModel())
            _ = try await self.workshop.publish(two, over: one)
            return try await self.store.venue(self.workshop.key)
        }
        let former = try await publishBoth()
        try await self.store.delete(former, by: .ops)
        let venue = try await publishBoth()
        #expect(venue.head == former.head && venue.epoch != former.epoch)
        await #expect(throws: StoreError.venueReplaced) { try await self.store.renewEpoch(of: former, by: .ops) }
        await #expect(throws: StoreError.venueReplaced) { try await self.store.delete(former, by: .ops) }
        await #expect(throws: StoreError.venueReplaced) {
            try await self.store.change(SettingsChange(), of: former, by: .ops)
        }
        let rollback = Restoration(
            venue: former, base: former.head, restores: 1, message: nil,
            changes: ChangeSummary(added: 0, changed: 0, removed: 0), facts: [])
        await #expect(throws: StoreError.headMoved) { try await self.store.publish(rollback, by: .ops) }
        let job = try #require(try await self.workshop.job("zip"))
        let publication = Self.model("3").publication(over: two, of: former)
        await #expect(throws: StoreError.headMoved) {
            try await self.store.publish(publication, of: job, findings: [])
        }
        #expect(try await self.store.venue(self.workshop.key) == venue)
    }

    @Test func `catalogue hash chain covers every revision`() async throws {
        let (one, two) = (Self.model("1"), Self.model("2"))
        _ = try await self.workshop.publish(one, over: VenueModel())
        _ = try await self.workshop.publish(two, over: one)
        let rows = try await self.store.pool.query(
            """
            SELECT position, chain_hash = sha256(coalesce(lag(chain_hash) OVER (ORDER BY position), ''::bytea)
                || convert_to('mall', 'UTF8') || int8send(number) || digest)
            FROM revision ORDER BY position
            """
        ).decode((Int64, Bool).self)
        #expect(rows.map(\.0) == [1, 2] && rows.allSatisfy { $0.1 })
    }
}
