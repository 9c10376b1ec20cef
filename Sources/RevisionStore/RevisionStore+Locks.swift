import IMDF
import Postgres
import SyncModel

extension RevisionStore {
    /// Runs a transaction that changes a venue, with a permit of ``WriterLimit``.
    ///
    /// **The order of locks.** Every transaction takes its locks in this order and omits those that it does not need, so there are no
    /// deadlocks:
    ///
    /// 1. the row of `api_key` that permits the write, shared: ``check(_:on:)``
    /// 2. new rows of `feature_version`, by feature (another transaction that writes the same ones waits there)
    /// 3. the queue of a venue: ``lockQueue(of:on:)``; no transaction needs it together with 2
    /// 4. the archives with a digest: ``lockArchives(with:on:)``, then rows of `archive`
    /// 5. rows of `upload`, then the rows that reference them: `staged_change`, `upload_match`, `finding`
    /// 6. the row of `lineage`, then rows of `venue`
    /// 7. the content of the venue: superseded rows of `feature_version`, `feature_alias`, `level_state`, `revision`
    /// 8. the row of `catalogue`, last and briefly: ``recordChange(of:on:)``
    ///
    /// A worker that publishes checks its key (1) after it has written the versions (2). A transaction that changes keys locks them
    /// exclusively, all at once and in the order of their ids, and then takes only 8. The record of their last use waits for no lock.
    /// Entries of the audit log are only inserted, before 8.
    ///
    /// A transaction that locks several rows of `upload` or `archive` without holding the queue uses `FOR UPDATE SKIP LOCKED`, and so
    /// does one that deletes pruned content (7) without the venue's row.
    ///
    /// - Parameter authorization: Checked in the transaction, and valid until the transaction ends.
    func write<Result>(
        to venue: VenueKey, by authorization: Authorization, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        try await self.write(to: venue) { connection in
            try await Self.check(authorization, on: connection)
            return try await body(connection)
        }
    }

    /// Like ``write(to:by:_:)``, for a body that checks the authorization itself, or that does not work for a client.
    func write<Result>(
        to venue: VenueKey, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        try await self.writers.withPermit(for: venue) { try await self.pool.transaction(body) }
    }

    /// Prevents other transactions from adding an upload to the queue of a venue, or deleting the venue, until this one ends.
    static func lockQueue(of venue: Int64, on connection: Connection) async throws {
        _ = try await connection.query("SELECT pg_advisory_xact_lock(\(venue))::text")
    }

    /// Prevents other transactions from storing an archive with this digest until this one ends.
    static func lockArchives(with digest: Digest, on connection: Connection) async throws {
        _ = try await connection.query("SELECT pg_advisory_xact_lock(\(Int64(bitPattern: digest.prefix)))::text")
    }
}
