import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// A read replica of another history, such as a standby of the former primary after a promotion.
@Suite(.server)
struct ReplicaHistoryTests {
    private static let mall = VenueKey("mall")!

    /// Runs a test with a replica that has equally many changes, and the given lineage.
    private static func withReplica(
        state: SampleVenue, sharesLineage: Bool, _ test: (ReadModel, RevisionStore) async throws -> Void
    ) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let pool = ConnectionPool(try await TestCluster.shared.freshDatabase().forStore(), size: 2)
        let replica = RevisionStore(pool: pool)
        do {
            _ = try await replica.checkLineage()
            try await Harness.run(store: replica) { try await $0.push(state.archive()) }
            if sharesLineage {
                let lineage = try await harness.store.pool.query(
                    "SELECT system_identifier, timeline, database_id, writer_xid::text FROM lineage"
                ).decode((Int64, Int32, Int64, String).self)
                let (system, timeline, database, writer) = try #require(lineage.first)
                _ = try await pool.query(
                    """
                    UPDATE lineage SET system_identifier = \(system), timeline = \(timeline), database_id = \(database),
                        writer_xid = \(writer)::text::xid
                    """)
            }
            let number = try await harness.store.changeNumber()
            _ = try await pool.query("UPDATE catalogue SET change_number = \(number)")
            _ = try await pool.query("UPDATE venue SET change_number = \(number)")
            let readModel = ReadModel(store: harness.store, replica: replica)
            try await readModel.refresh()
            await readModel.pollReplica()
            try await test(readModel, replica)
            await pool.close()
        } catch {
            await pool.close()
            throw error
        }
    }

    @Test func `read replica of the same history is read`() async throws {
        // The same archive makes the same chain.
        try await Self.withReplica(state: .tiny, sharesLineage: true) { readModel, replica in
            let venue = try await replica.venue(Self.mall)
            #expect(readModel.isReplicaAvailable)
            #expect(readModel.reader(of: venue, at: 1).pool === replica.pool)
        }
    }

    @Test(arguments: [true, false])
    func `read replica of another history is not read, although it has equally many changes`(sharesLineage: Bool)
        async throws
    {
        let state = sharesLineage ? SampleVenue.tiny.edited(Edit(.rename, 1)) : .tiny
        try await Self.withReplica(state: state, sharesLineage: sharesLineage) { readModel, replica in
            let venue = try await replica.venue(Self.mall)
            #expect(!readModel.isReplicaAvailable)
            #expect(readModel.reader(of: venue, at: 1).pool !== replica.pool)
        }
    }
}
