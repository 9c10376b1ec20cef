import Foundation
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A connection that is lost after COMMIT was sent.
@Suite struct UnknownOutcomeTests {
    private static func model(_ texts: String...) -> VenueModel {
        var random = SplitMix64(seed: 1)
        var model = VenueModel()
        model.entries[.random(using: &random)] = .init(type: .venue, text: "mall")
        for text in texts { model.entries[.random(using: &random)] = .init(type: .address, text: text) }
        return model
    }

    /// Runs a test on a server of its own, with one revision.
    private static func withServer(_ test: (PostgresServer, RevisionStore) async throws -> Void) async throws {
        let workplace = try Workplace()
        let server = try PostgresServer(
            in: workplace.folder.appending(path: "server"),
            settings: ["fsync": "off", "synchronous_commit": "on", "full_page_writes": "off"])
        try await server.start()
        do {
            try await Migrator.migrate(server.configuration)
            let pool = ConnectionPool(server.configuration.forStore(), size: 4)
            let store = RevisionStore(pool: pool)
            _ = try await store.checkLineage()
            _ = try await Workshop(store: store).publish(Self.model("1"), over: VenueModel())
            try await test(server, store)
            await pool.close()
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `publication whose COMMIT was executed and not answered is acknowledged once the standby has it`()
        async throws
    {
        try await Self.withServer { server, store in
            let workshop = Workshop(store: store)
            let job = try #require(try await workshop.job("zip"))
            let venue = try await store.venue(workshop.key)
            let publication = Self.model("2").publication(over: Self.model("1"), of: venue)
            // COMMIT waits for a standby that does not exist.
            try await server.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            try await server.execute("SELECT pg_reload_conf()")
            try await eventually("the setting is read") {
                try await store.pool.query("SELECT current_setting('synchronous_standby_names')").decode(String.self)
                    == ["nobody"]
            }
            // The process that lets COMMIT wait has read the setting before it makes the checkpoint.
            try await server.execute("CHECKPOINT")
            async let number = store.publish(publication, of: job, findings: [])
            let waiting: Query = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            try await eventually("COMMIT waits") { try await !store.pool.query(waiting).isEmpty }
            let process = try #require(try await store.pool.query(waiting).decode(Int32.self).first)
            try await server.execute("SELECT pg_terminate_backend(\(process))")
            // The revision is visible on this server, and another one could still lack it: the lookup waits, too.
            try await eventually("revision 2") { try await store.venue(workshop.key).head == 2 }
            try await eventually("the lookup waits") {
                try await store.pool.query(waiting).decode(Int32.self).contains { $0 != process }
            }
            try await server.execute("ALTER SYSTEM RESET synchronous_standby_names")
            try await server.execute("SELECT pg_reload_conf()")
            #expect(try await number == 2)
            #expect(try await store.upload(job.upload).state == .published)
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `publication whose COMMIT was not executed is reported as one that has to be repeated`() async throws {
        try await Self.withServer { server, store in
            let workshop = Workshop(store: store)
            let job = try #require(try await workshop.job("zip"))
            let venue = try await store.venue(workshop.key)
            let publication = Self.model("2").publication(over: Self.model("1"), of: venue)
            // The session ends itself during COMMIT, before anything is committed.
            try await server.execute(
                """
                CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER end_session AFTER INSERT ON revision DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION end_session()
                """)
            await #expect(throws: StoreError.headMoved) {
                try await store.publish(publication, of: job, findings: [])
            }
            #expect(try await store.venue(workshop.key).head == 1)
            try await server.execute("DROP TRIGGER end_session ON revision")
            #expect(try await store.publish(publication, of: job, findings: []) == 2)
        }
    }
}
