import IMDF
import Postgres
import SyncModel

extension RevisionStore {
    /// Runs a transaction that changes a venue, as soon as fewer than a few others do.
    ///
    /// **The order of locks.** Every transaction takes its locks in this order, and leaves out what it does not need; so no two
    /// of them ever wait for each other:
    ///
    /// 1. the row of `api_key` that permits the write, shared: ``check(_:on:)``
    /// 2. new rows of `feature_version`, by feature (another transaction that writes the same ones waits there)
    /// 3. the queue of a venue: ``lockQueue(of:on:)``; nobody needs it together with 2
    /// 4. the archives with a digest: ``lockArchives(with:on:)``, then rows of `archive`
    /// 5. rows of `upload`, then what hangs on them: `staged_change`, `upload_match`, `finding`
    /// 6. the row of `lineage`, then rows of `venue`
    /// 7. the content of the venue: superseded rows of `feature_version`, `feature_alias`, `level_state`, `revision`
    /// 8. the row of `catalogue`, last and briefly: ``tellNews(of:on:)``
    ///
    /// A worker that publishes checks its key (1) after it has written the versions (2). Whoever changes keys locks them
    /// exclusively, all of them at once and in the order of their ids, and then takes nothing but 8.
    ///
    /// A transaction that needs several rows of `upload` or `archive` of which it does not hold the queue takes them with
    /// `FOR UPDATE SKIP LOCKED`, and so does whoever sweeps content (6) without the venue's row.
    ///
    /// - Parameter authorization: Is checked in the transaction, and stays true until the transaction ends.
    func write<Answer>(
        to venue: VenueKey, by authorization: Authorization, _ body: (Connection) async throws -> Answer
    ) async throws -> Answer {
        try await self.write(to: venue) { connection in
            try await Self.check(authorization, on: connection)
            return try await body(connection)
        }
    }

    /// The same for a body that checks the authorization itself, or that works for no client.
    func write<Answer>(
        to venue: VenueKey, _ body: (Connection) async throws -> Answer
    ) async throws -> Answer {
        try await self.writers.pass(venue) { try await self.pool.transaction(body) }
    }

    /// Nobody else puts an upload into a venue's queue, or deletes the venue, until the transaction ends.
    static func lockQueue(of venue: Int64, on connection: Connection) async throws {
        _ = try await connection.query("SELECT pg_advisory_xact_lock(\(venue))::text")
    }

    /// Nobody else gives these bytes an address until the transaction ends.
    static func lockArchives(with digest: Digest, on connection: Connection) async throws {
        _ = try await connection.query("SELECT pg_advisory_xact_lock(\(Int64(bitPattern: digest.prefix)))::text")
    }
}
