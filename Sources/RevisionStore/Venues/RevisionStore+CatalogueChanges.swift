import Postgres
import SyncModel

/// Reads the state that a node keeps in memory, and detects a database that is only partly restored.
extension RevisionStore {
    /// Venues that changed after `number`, including deleted ones. One statement, which finds an empty range of an index if there
    /// are no changes.
    ///
    /// - Parameter withChecksums: Also reads all venues and keys for their checksums, and checks the content more thoroughly.
    /// - Throws: `incompleteDatabase` when a part of the database is missing, or contradicts another; `lineageChanged` after a
    ///   promotion, until the epochs are renewed.
    package func catalogueChanges(after number: Int64, withChecksums: Bool = false) async throws -> CatalogueChanges {
        try await Self.detectingIncompleteSchema {
            let rows = try await self.pool.query(Self.changeRows(after: number, withChecksums: withChecksums))
            return try Self.catalogueChanges(in: rows)
        }
    }

    /// All venues and keys at one moment.
    ///
    /// - Throws: `incompleteDatabase`, as ``catalogueChanges(after:withChecksums:)``.
    package func catalogueSnapshot() async throws -> (changes: CatalogueChanges, keys: [KeyRecord]) {
        try await Self.detectingIncompleteSchema {
            try await self.pool.transaction(isolation: .repeatableRead, readOnly: true) { connection in
                let rows = try await connection.query(Self.changeRows(after: -1, withChecksums: true))
                return (try Self.catalogueChanges(in: rows), try await Self.keys(on: connection).keys)
            }
        }
    }

    /// A table, a column or a function that is missing was not restored yet.
    private static func detectingIncompleteSchema<Result>(_ read: () async throws -> Result) async throws -> Result {
        do {
            return try await read()
        } catch let error as PostgresError where error.sqlState?.hasPrefix("42") ?? false {
            throw StoreError.incompleteDatabase
        }
    }

    private static func changeRows(after number: Int64, withChecksums: Bool) -> Query {
        // Two texts instead of a parameter: a statement waits for a lock on every table that it names, and a poll for changes must
        // not wait for the tables of features.
        let comparison: Query =
            withChecksums
            ? """
            \(Self.isConsistent) AND \(Self.isComplete),
                (SELECT coalesce(bit_xor(\(raw: Self.venueChecksum)), 0) FROM venue),
                (SELECT coalesce(bit_xor(\(raw: Self.keyChecksum)), 0) FROM api_key)
            """ : "\(Self.isConsistent), NULL::bigint, NULL::bigint"
        return """
            SELECT catalogue.change_number, key_change_number, position, chain_hash, cursor_secret,
                concat_ws(' ', pg_relation_filenode('catalogue'), pg_relation_filenode('venue'),
                    pg_relation_filenode('api_key')),
                \(Self.lineageText), \(Self.isOfKnownTimeline),
                \(comparison), \(raw: Self.venueChecksum), \(raw: Self.venueColumns)
            FROM catalogue LEFT JOIN venue ON venue.change_number > \(number)
            """
    }

    private static func catalogueChanges(in rows: Rows) throws -> CatalogueChanges {
        guard let first = rows.first, try first.decode(8, as: Bool?.self) == true else {
            throw StoreError.incompleteDatabase
        }
        guard try first.decode(7, as: Bool.self) else { throw StoreError.lineageChanged }
        let (venues, keys) = (try first.decode(9, as: Int64?.self), try first.decode(10, as: Int64?.self))
        return CatalogueChanges(
            number: try first.decode(0), keyChangeNumber: try first.decode(1), position: try first.decode(2),
            chainHash: try first.decode(3, as: Bytes.self).bytes,
            cursorSecret: try first.decode(4, as: Bytes.self).bytes,
            venues: try rows.compactMap { row in
                guard try row.decode(12, as: Int64?.self) != nil else { return nil }
                let (venue, isDeleted) = try Self.venue(of: row, at: 12)
                return CatalogueChanges.Change(venue: venue, isDeleted: isDeleted, checksum: try row.decode(11))
            },
            tableFiles: try first.decode(5), lineage: try first.decode(6, as: String?.self) ?? "",
            checksums: venues.flatMap { venues in keys.map { CatalogueChanges.Checksums(venues: venues, keys: $0) } })
    }

    /// Invariants of every committed state that can be checked without reading a table: the last change is that of a venue or of a
    /// key, the catalogue's position is recorded, and a published venue has an index. Indexes are restored after all rows.
    private static let isConsistent: Query = """
        (greatest(key_change_number, (SELECT max(change_number) FROM venue)) = catalogue.change_number
            AND position = (SELECT max(position) FROM catalogue_position)
            AND (position = 0 OR EXISTS (SELECT FROM venue WHERE catalogue_index IS NOT NULL))
            AND num_nulls(to_regclass('venue_pkey'), to_regclass('api_key_pkey'), to_regclass('catalogue_position_pkey'),
                to_regclass('revision_pkey'), to_regclass('feature_version_pkey')) = 0)
        """

    /// Further invariants, which take reading all venues: catalogue indices have no gaps, and the newest revision of each venue
    /// exists with features. There is a subquery for each venue, because a join may be planned as a scan of all features.
    private static let isComplete: Query = """
        ((SELECT coalesce(max(catalogue_index), 0) = count(catalogue_index) FROM venue) AND NOT EXISTS (
            SELECT FROM venue AS published WHERE head > 0 AND deleted_at IS NULL AND NOT coalesce((
                SELECT features = 0 OR (SELECT true FROM feature_version AS version
                    WHERE version.venue_id = published.id AND version.to_revision = \(Self.unended) LIMIT 1)
                FROM revision WHERE venue_id = published.id AND number = published.head), false)))
        """

    /// The columns whose changes are recorded in ``CatalogueChanges``; others, such as the number of imports, are not.
    private static let venueChecksum = """
        hash_record_extended(ROW(venue.id, venue.key, head, epoch, first_revision, venue.change_number, venue.catalogue_index,
            deleted_at, \(VenueSetting.columns)), 0)
        """
}
