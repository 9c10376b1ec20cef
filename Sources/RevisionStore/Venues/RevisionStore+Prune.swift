import Postgres
package import SyncModel

/// Deletes old revisions. First the venue's `first_revision` is raised in a transaction of its own, and then what only older
/// revisions need is deleted in batches, by any process and at any time: it is not read any more, so it does no harm if the process
/// is killed in between.
extension RevisionStore {
    /// The number of versions, states or revisions that are deleted in one statement.
    private static let pruneBatch: Int64 = 2_000

    /// Keeps the newest revisions of a venue and deletes what only older ones need.
    ///
    /// - Returns: What was deleted, or would be. Several prunes at the same time report their own share each.
    /// - Throws: `venueGone` or `venueReplaced` if the venue was deleted or replaced since the request arrived.
    package func prune(
        _ venue: VenueRecord, keeping count: Int, dryRun: Bool = false, by authorization: Authorization
    ) async throws -> Pruning {
        let epoch = venue.epoch
        var venue = venue
        while true {
            let first = max(venue.first, venue.head - Int64(count) + 1)
            do {
                let pruning = try await self.pruning(of: venue, to: first)
                if dryRun { return pruning }
                var isSet = first == venue.first
                if !isSet { isSet = try await self.setFirst(of: venue, to: first, by: authorization) }
                if isSet {
                    while try await self.deletePrunedBatch(of: venue.id) {}
                    return pruning
                }
            } catch StoreError.revisionPruned {
            } catch StoreError.historyChanged {
                throw StoreError.venueReplaced
            }
            venue = try await self.venue(venue.key)  // it was pruned by somebody else
            guard venue.epoch == epoch else { throw StoreError.venueReplaced }
        }
    }

    /// Counts the versions that ended between the current and the new first revision; publications do not change them.
    private func pruning(of venue: VenueRecord, to first: Int64) async throws -> Pruning {
        let rows = try await self.read(
            """
            SELECT count(*), coalesce(sum(octet_length(body)), 0)::bigint FROM feature_version
            WHERE venue_id = \(venue.id) AND to_revision > \(venue.first) AND to_revision <= \(first) AND \(Self.byToRevision)
            """, of: venue, at: venue.first)
        guard let (versions, bytes) = try rows.decode((Int64, Int64).self).first else {
            throw PostgresError.decoding("a count")
        }
        return Pruning(
            venue: venue.key, first: first, revisions: first - venue.first, versions: versions, bytes: bytes)
    }

    /// Raises `first_revision`; false if it differs from that of `venue`.
    private func setFirst(
        of venue: VenueRecord, to first: Int64, by authorization: Authorization
    ) async throws -> Bool {
        try await self.write(to: venue.key, by: authorization) { connection in
            let raised = try await connection.query(
                """
                UPDATE venue SET first_revision = \(first)
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND first_revision = \(venue.first)
                    AND head >= \(first) AND deleted_at IS NULL
                """)
            guard raised.affected == 1 else { return false }
            try await Self.recordChange(of: venue.id, on: connection)
            return true
        }
    }

    /// Prunes by the venues' settings: raises one `first_revision`, or deletes one batch.
    ///
    /// - Parameters:
    ///   - number: Only venues that changed since this change: in the others there was nothing to do, and there is nothing without a
    ///     change. Nil for all venues.
    ///   - position: Where the search continues; 0 for the beginning. Each venue is examined once, and once more after every batch.
    /// - Returns: Whether there was anything to do.
    package func pruneNextBatch(changedAfter number: Int64?, from position: inout Int64) async throws -> Bool {
        // Two texts, because each has an index of its own.
        let venues: Query =
            if let number {
                """
                id = ANY(ARRAY(SELECT id FROM venue AS changed WHERE changed.change_number > \(number)))
                    AND id >= \(position) AND (keep_revisions IS NOT NULL OR first_revision > 1)
                """
            } else {
                "(keep_revisions IS NOT NULL OR first_revision > 1) AND id >= \(position)"
            }
        let rows = try await self.pool.query(
            """
            SELECT \(raw: Self.venueColumns) FROM venue
            WHERE \(venues) AND deleted_at IS NULL
                AND (head - keep_revisions >= first_revision
                    OR EXISTS (SELECT FROM feature_version AS old WHERE old.venue_id = venue.id
                        AND old.to_revision <= venue.first_revision AND old.\(Self.byToRevision))
                    OR EXISTS (SELECT FROM revision AS old WHERE old.venue_id = venue.id
                        AND old.number < venue.first_revision))
            ORDER BY id LIMIT 1
            """)
        guard let row = rows.first else {
            position = 0
            return false
        }
        let venue = try Self.venue(of: row).venue
        position = venue.id
        if let count = venue.settings.keepRevisions, venue.head - Int64(count) >= venue.first {
            // If it was pruned by somebody else meanwhile, the next call reads it again.
            _ = try await self.setFirst(of: venue, to: venue.head - Int64(count) + 1, by: .maintenance)
            return true
        }
        // Otherwise another process deletes what is left.
        if try await !self.deletePrunedBatch(of: venue.id) { position += 1 }
        return true
    }

    /// Prunes by the venues' settings, all venues from the beginning on.
    package func pruneNextBatch() async throws -> Bool {
        var position: Int64 = 0
        return try await self.pruneNextBatch(changedAfter: nil, from: &position)
    }

    /// Deletes a batch of what only pruned revisions needed; false if there is nothing left that others do not delete already.
    ///
    /// The statements read `first_revision` themselves: the venue may have been recreated.
    private func deletePrunedBatch(of venue: Int64) async throws -> Bool {
        let first: Query = "(SELECT first_revision FROM venue WHERE id = \(venue))"
        let statements: [Query] = [
            """
            DELETE FROM feature_version WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM feature_version
                WHERE venue_id = \(venue) AND to_revision <= \(first) AND \(Self.byToRevision)
                LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
            """,
            """
            DELETE FROM feature_override WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM feature_override
                WHERE venue_id = \(venue) AND to_revision <= \(first) AND \(Self.overridesByToRevision)
                LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
            """,
            // A state holds until the next one, so the last one up to the first revision is needed.
            """
            DELETE FROM level_state WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM level_state WHERE ctid = ANY(ARRAY(
                    SELECT ctid FROM (
                        SELECT ctid, row_number() OVER (PARTITION BY level_id ORDER BY revision DESC) AS age
                        FROM level_state WHERE venue_id = \(venue) AND revision <= \(first)
                    ) AS state
                    WHERE age > 1 LIMIT \(Self.pruneBatch)))
                FOR UPDATE SKIP LOCKED))
            """,
            """
            DELETE FROM revision WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM revision WHERE venue_id = \(venue) AND number < \(first)
                ORDER BY number LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
            """,
        ]
        for statement in statements {
            let deleted = try await self.pool.transaction { try await $0.query(statement) }
            if deleted.affected > 0 { return true }
        }
        return false
    }
}
