import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// A locked row delays only the transactions that need it, and not for longer than a timeout.
@Suite(.database)
struct BoundedWaitTests {
    private let mall = VenueKey("mall")!
    private let airport = VenueKey("airport")!

    private func store(lockTimeout: Duration) -> RevisionStore {
        RevisionStore(pool: ConnectionPool(TestDatabase.current.configuration.forStore(lockTimeout: lockTimeout)))
    }

    /// A transaction that locks the row of a venue until its connection is closed.
    private func hold(_ key: VenueKey) async throws -> Connection {
        let connection = try await Connection.open(TestDatabase.current.configuration)
        try await connection.execute("BEGIN; UPDATE venue SET head = head WHERE key = '\(key)'")
        return connection
    }

    private func makeVenues() async throws {
        let workshop = Workshop(store: TestDatabase.current.store)
        try await workshop.enqueue("zip")
        try await workshop.enqueue("zip", to: self.airport)
    }

    @Test func `lock timeout: a write to a venue whose row is locked fails as busy`() async throws {
        try await self.makeVenues()
        let store = self.store(lockTimeout: .milliseconds(50))
        let venue = try await store.venue(self.mall)
        let holder = try await self.hold(self.mall)
        let error = await #expect(throws: PostgresError.self) {
            try await store.change(SettingsChange(), of: venue, by: .ops)
        }
        #expect(error.map { RevisionStore.isBusy($0) } == true)
        await holder.close()
        try await self.store(lockTimeout: .seconds(60)).change(SettingsChange(), of: venue, by: .ops)
        await store.pool.close()
    }

    @Test func `enqueue does not wait for the row of the venue`() async throws {
        try await self.makeVenues()
        let store = self.store(lockTimeout: .milliseconds(50))
        let holder = try await self.hold(self.mall)
        #expect(try await Workshop(store: store).enqueue("another").isNew)
        await holder.close()
        await store.pool.close()
    }

    @Test func `writer limit: writers of a locked venue leave connections for other venues`() async throws {
        try await self.makeVenues()
        let store = self.store(lockTimeout: .seconds(60))
        let (mall, airport) = (try await store.venue(self.mall), try await store.venue(self.airport))
        let holder = try await self.hold(self.mall)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await store.change(SettingsChange(), of: mall, by: .ops) } }
            while store.pool.inUseCount < 2 { await Task.yield() }
            // If waiting writers used every connection, neither of these would return.
            #expect(try await store.venue(self.airport).id == airport.id)
            try await store.change(SettingsChange(), of: airport, by: .ops)
            #expect(store.pool.inUseCount == 2)
            await holder.close()
            try await group.waitForAll()
        }
        await store.pool.close()
    }

    @Test func `idle transaction is ended by its timeout`() async throws {
        var configuration = TestDatabase.current.configuration.forStore()
        #expect(configuration.settings["idle_in_transaction_session_timeout"] != nil)
        configuration.settings["idle_in_transaction_session_timeout"] = "20"
        let silent = try await Connection.open(configuration)
        try await self.makeVenues()
        try await silent.execute("BEGIN; UPDATE venue SET head = head WHERE key = 'mall'")
        let store = self.store(lockTimeout: .seconds(60))
        let venue = try await store.venue(self.mall)
        try await store.change(SettingsChange(), of: venue, by: .ops)
        await #expect(throws: PostgresError.self) { try await silent.query("SELECT 1") }
        await silent.close()
        await store.pool.close()
    }
}
