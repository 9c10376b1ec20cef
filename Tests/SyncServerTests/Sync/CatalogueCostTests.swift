import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SyncModel
import SyncServer
import Synchronization
import TestSupport
import Testing

/// Requests about all venues take as many statements for thirty venues as for three.
@Suite(.server)
struct CatalogueCostTests {
    private static func push(_ venues: Range<Int>, units: [Int], to harness: Harness) async throws {
        for number in venues {
            try await harness.push(
                PlainVenue(units: units, name: "\(number)").archive(), to: "venue-\(number)", query: "?identity=trust")
        }
    }

    /// A node that has only loaded its read model, and how often its connections have been used since.
    private static func uses(
        of store: RevisionStore, _ requests: @escaping @Sendable (Harness) async throws -> Void
    ) async throws -> Int {
        let pool = ConnectionPool(TestDatabase.current.configuration.forStore())
        let before = Mutex(0)
        try await Harness.run(store: RevisionStore(pool: pool)) { harness in
            try await harness.server.readModel.refresh()
            before.withLock { $0 = pool.useCount }
            try await requests(harness)
        }
        let uses = pool.useCount - before.withLock(\.self)
        await pool.close()
        return uses
    }

    @Test func `changes of all venues are read in as many statements for thirty venues as for three`() async throws {
        let harness = Harness.current
        var counts: [[Int]] = []
        var replica = CatalogueReplica()
        for venues in [0..<3, 3..<30] {
            try await Self.push(venues, units: [3, 2], to: harness)
            let first = Mutex<[CatalogueChangeSet]>([])
            let snapshot = try await Self.uses(of: harness.store) { node in
                let page = try await node.catalogue()
                first.withLock { $0 = [page] }
            }
            let pages = first.withLock(\.self)
            #expect(pages[0].isComplete && pages[0].venues.count == venues.upperBound)
            try await Self.push(0..<venues.upperBound, units: [2, 2 + venues.upperBound], to: harness)
            let second = Mutex<[CatalogueChangeSet]>([])
            let update = try await Self.uses(of: harness.store) { node in
                let page = try await node.catalogue(since: pages[0].cursor)
                second.withLock { $0 = [page] }
            }
            replica = CatalogueReplica()
            try replica.apply(pages)
            try replica.apply(second.withLock(\.self))
            counts.append([snapshot, update])
        }
        #expect(counts[0] == counts[1])
        // What was read together is what is read of each venue.
        var whole = CatalogueReplica()
        try whole.apply(await harness.cataloguePages(limit: 1))
        #expect(replica.bodies == whole.bodies && replica.bodies.count == 30)
    }

    @Test func `the list of all venues is read in as many statements for thirty venues as for three`() async throws {
        let harness = Harness.current
        var counts: [Int] = []
        for venues in [0..<3, 3..<30] {
            try await Self.push(venues, units: [1], to: harness)
            counts.append(
                try await Self.uses(of: harness.store) { node in
                    let list = try await node.send(.get, "/venues")
                    #expect(list.text.contains("venue-\(venues.upperBound - 1)\""))
                })
        }
        #expect(counts[0] == counts[1])
    }
}
