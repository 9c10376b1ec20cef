import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// Pages are bounded in bytes where they are read, so that a long page does not take memory before the response is cut.
@Suite(.database)
struct PageBoundTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    /// Publishes revisions in each of which every feature has another text of this length.
    private func publish(_ features: [FeatureID], revisions: Int, length: Int) async throws -> VenueRecord {
        var before = VenueModel()
        for number in 0..<revisions {
            var model = VenueModel()
            for feature in features {
                model.entries[feature] = .init(type: .unit, text: String(repeating: "\(number)", count: length))
            }
            _ = try await self.workshop.publish(model, over: before)
            before = model
        }
        return try await self.store.venue(self.workshop.key)
    }

    @Test func `page bound: the history of a feature is read up to a number of bytes`() async throws {
        let feature = FeatureID.random()
        // Three versions fit on a page, and a fourth one shows what the third one changed.
        let venue = try await self.publish([feature], revisions: 6, length: RevisionStore.pageBytes / 4)
        let page = try await self.store.history(of: feature, in: venue, before: nil, limit: 100)
        #expect(page.entries.map(\.from) == [6, 5, 4, 3] && page.hasPredecessor)
        let last = try await self.store.history(of: feature, in: venue, before: 4, limit: 100)
        #expect(last.entries.map(\.from) == [3, 2, 1] && !last.hasPredecessor)
    }

    @Test func `page bound: the revision log is read up to a number of bytes`() async throws {
        let venue = try await self.publish([.random()], revisions: 4, length: 1)
        // The levels of a rollback are not shortened. Each revision takes four megabytes.
        _ = try await self.store.pool.query(
            "UPDATE revision SET levels = ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 100000))")
        #expect(try await self.store.log(of: venue, before: nil, limit: 100).map(\.revision.number) == [4, 3])
        #expect(try await self.store.log(of: venue, before: 3, limit: 100).map(\.revision.number) == [2, 1])
    }

    @Test func `page bound: the changes between revisions are read up to a number of bytes, but at least one`()
        async throws
    {
        let features = (0..<4).map { _ in FeatureID.random() }.sorted()
        let venue = try await self.publish(features, revisions: 2, length: 10_000)
        for (bytes, count) in [(1, 1), (50_000, 2), (1_000_000, 4)] as [(Int64, Int)] {
            var found: [FeatureID] = []
            let isLast = try await self.store.changedBodies(
                in: venue, from: 1, to: 2, page: .init(limit: 100, bytes: bytes)
            ) { feature, _, _ in found.append(feature) }
            #expect(found == Array(features.prefix(count)) && isLast == (count == 4), "\(bytes)")
        }
    }

    @Test func `page bound: staged changes are read up to a number of bytes, but at least one`() async throws {
        let features = (0..<4).map { _ in FeatureID.random() }.sorted()
        let venue = try await self.publish(features, revisions: 1, length: 10_000)
        let job = try #require(try await self.workshop.job("staged"))
        var staging = Staging.empty
        staging.base = venue.head
        staging.items = features.map {
            .init(
                feature: $0, kind: .changed, type: .unit, levelBefore: nil, levelAfter: nil, classes: [],
                body: Array(repeating: 0x31, count: 10_000))
        }
        try await self.store.stage(staging, of: job, findings: [])
        let difference = try await self.store.stagedDifference(of: job.upload)
        for (bytes, count) in [(1, 1), (50_000, 2), (1_000_000, 4)] as [(Int64, Int)] {
            var found: [FeatureID] = []
            let isLast = try await self.store.stagedChanges(
                of: job.upload, showing: difference, levels: nil, after: nil, page: .init(limit: 100, bytes: bytes),
                withBodies: true
            ) { found.append($0.feature) }
            #expect(found == Array(features.prefix(count)) && isLast == (count == 4), "\(bytes)")
        }
    }

    @Test func `findings are stored with short texts, and without pointers that are too long`() async throws {
        let job = try #require(try await self.workshop.job("zip"))
        let long = String(repeating: "店", count: 100_000)
        let finding = Finding(
            rule: "ST-06", severity: .error, message: long, featureType: FeatureType(rawValue: long), file: long,
            pointer: "/\(long)")
        try await self.store.finish(
            job, as: .rejected, findings: [finding], base: nil, identity: nil, changes: nil)
        let lengths = try await self.store.pool.query(
            "SELECT length(message), length(feature_type), length(file), length(pointer) FROM finding"
        ).decode((Int32, Int32, Int32, Int32?).self)
        #expect(lengths.count == 1 && lengths[0] == (1_000, 1_000, 1_000, nil))
    }
}
