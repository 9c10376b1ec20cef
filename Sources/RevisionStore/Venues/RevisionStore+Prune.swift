import Postgres
package import SyncModel

/// The end of history at its far side. A venue's mark goes first, in a transaction of its own; what it leaves behind is deleted in
/// batches, by anybody and at any time: nobody reads it any more. Whoever is killed in between has done nothing wrong.
extension RevisionStore {
    /// Versions, states or revisions that are deleted at a time.
    private static let pruneBatch: Int64 = 2_000

    /// Keeps the newest revisions of a venue and deletes what only older ones need.
    ///
    /// - Returns: What went, or would go. Of several who prune at the same time each is told what only they let go.
    /// - Throws: `venueGone` or `venueReplaced` when it is not the venue any more that the request was about.
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
                    while try await self.deleteSomePruned(of: venue.id) {}
                    return pruning
                }
            } catch StoreError.revisionPruned {
            } catch StoreError.historyChanged {
                throw StoreError.venueReplaced
            }
            venue = try await self.venue(venue.key)  // somebody else pruned meanwhile
            guard venue.epoch == epoch else { throw StoreError.venueReplaced }
        }
    }

    /// What ended between where the history begins and where it would begin: that stands still, whoever publishes meanwhile.
    private func pruning(of venue: VenueRecord, to first: Int64) async throws -> Pruning {
        let rows = try await self.read(
            """
            SELECT count(*), coalesce(sum(octet_length(body)), 0)::bigint FROM feature_version
            WHERE venue_id = \(venue.id) AND to_revision > \(venue.first) AND to_revision <= \(first) AND \(Self.byEnd)
            """, of: venue, at: venue.first)
        guard let (versions, bytes) = try rows.decode((Int64, Int64).self).first else {
            throw PostgresError.decoding("a count")
        }
        return Pruning(
            venue: venue.key, first: first, revisions: first - venue.first, versions: versions, bytes: bytes)
    }

    /// Raises the mark; false when it is not where the caller believed it to be.
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
            try await Self.tellNews(of: venue.id, on: connection)
            return true
        }
    }

    /// A step on the way to where every venue has as many revisions as its settings say: one mark, or one batch.
    ///
    /// - Returns: Whether there was anything to do.
    package func pruneSome() async throws -> Bool {
        let rows = try await self.pool.query(
            """
            SELECT \(raw: Self.venueColumns) FROM venue
            WHERE (keep_revisions IS NOT NULL OR first_revision > 1) AND deleted_at IS NULL
                AND (head - keep_revisions >= first_revision
                    OR EXISTS (SELECT FROM feature_version AS old WHERE old.venue_id = venue.id
                        AND old.to_revision <= venue.first_revision AND old.\(Self.byEnd))
                    OR EXISTS (SELECT FROM revision AS old WHERE old.venue_id = venue.id
                        AND old.number < venue.first_revision))
            ORDER BY id LIMIT 1
            """)
        guard let row = rows.first else { return false }
        let venue = try Self.venue(of: row).venue
        if let count = venue.settings.keepRevisions, venue.head - Int64(count) >= venue.first {
            return try await self.setFirst(of: venue, to: venue.head - Int64(count) + 1, by: .maintenance)
        }
        return try await self.deleteSomePruned(of: venue.id)
    }

    /// Deletes a batch of what lies before a venue's mark; false when there is nothing, or somebody else is at the rest.
    ///
    /// The mark is read by the statements that delete: of a venue that was made again meanwhile it is the new one.
    private func deleteSomePruned(of venue: Int64) async throws -> Bool {
        let first: Query = "(SELECT first_revision FROM venue WHERE id = \(venue))"
        let statements: [Query] = [
            """
            DELETE FROM feature_version WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM feature_version
                WHERE venue_id = \(venue) AND to_revision <= \(first) AND \(Self.byEnd)
                LIMIT \(Self.pruneBatch) FOR UPDATE SKIP LOCKED))
            """,
            // A state holds until the next one: the last one up to the mark is needed.
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
