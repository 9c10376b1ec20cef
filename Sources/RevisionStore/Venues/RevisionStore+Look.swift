import Postgres

/// How a node reads what it keeps in memory, and how it sees that the database is only half there.
extension RevisionStore {
    /// Venues that changed after `number`, deleted ones too. One statement, which finds an index with nothing in it when there is
    /// no news.
    ///
    /// - Parameter withChecksums: Adds one reading of all venues and keys, and looks more closely whether all is there.
    /// - Throws: `incompleteDatabase` when a part of the database is missing, or contradicts another.
    package func news(after number: Int64, withChecksums: Bool = false) async throws -> News {
        try await Self.looking {
            let rows = try await self.pool.query(Self.newsRows(after: number, withChecksums: withChecksums))
            return try Self.news(in: rows)
        }
    }

    /// Everything that a node keeps, as it is at one moment.
    ///
    /// - Throws: `incompleteDatabase`, as there.
    package func everything() async throws -> (news: News, keys: [KeyRecord]) {
        try await Self.looking {
            try await self.pool.transaction(isolation: .repeatableRead, readOnly: true) { connection in
                let rows = try await connection.query(Self.newsRows(after: -1, withChecksums: true))
                return (try Self.news(in: rows), try await Self.keys(on: connection).keys)
            }
        }
    }

    /// A table, a column or a function that is missing is one that is not restored yet.
    private static func looking<Answer>(_ look: () async throws -> Answer) async throws -> Answer {
        do {
            return try await look()
        } catch let error as PostgresError where error.sqlState?.hasPrefix("42") ?? false {
            throw StoreError.incompleteDatabase
        }
    }

    private static func newsRows(after number: Int64, withChecksums: Bool) -> Query {
        // Two texts rather than a parameter: a statement waits for a lock on every table that it names, and who only looks for
        // news must not wait for one that holds features.
        let comparison: Query =
            withChecksums
            ? """
            \(Self.isConsistent) AND \(Self.isWhole),
                (SELECT coalesce(bit_xor(\(raw: Self.venueChecksum)), 0) FROM venue),
                (SELECT coalesce(bit_xor(\(raw: Self.keyChecksum)), 0) FROM api_key)
            """ : "\(Self.isConsistent), NULL::bigint, NULL::bigint"
        return """
            SELECT catalogue.change_number, key_change_number, position, chain_hash, cursor_secret,
                concat_ws(' ', pg_relation_filenode('catalogue'), pg_relation_filenode('venue'),
                    pg_relation_filenode('api_key')),
                \(comparison), \(raw: Self.venueChecksum), \(raw: Self.venueColumns)
            FROM catalogue LEFT JOIN venue ON venue.change_number > \(number)
            """
    }

    private static func news(in rows: Rows) throws -> News {
        guard let first = rows.first, try first.decode(6, as: Bool?.self) == true else {
            throw StoreError.incompleteDatabase
        }
        let (venues, keys) = (try first.decode(7, as: Int64?.self), try first.decode(8, as: Int64?.self))
        return News(
            number: try first.decode(0), ofKeys: try first.decode(1), position: try first.decode(2),
            chain: try first.decode(3, as: Bytes.self).bytes, secret: try first.decode(4, as: Bytes.self).bytes,
            venues: try rows.compactMap { row in
                guard try row.decode(10, as: Int64?.self) != nil else { return nil }
                let (venue, isDeleted) = try Self.venue(of: row, at: 10)
                return News.Change(venue: venue, isDeleted: isDeleted, checksum: try row.decode(9))
            },
            files: try first.decode(5),
            checksums: venues.flatMap { venues in keys.map { News.Checksums(venues: venues, keys: $0) } })
    }

    /// What holds in every state that this program commits, and can be seen without reading a table: the newest change is that of
    /// a venue or of a key, the catalogue's position is marked, whoever published has a place. Indexes are restored after all rows.
    private static let isConsistent: Query = """
        (greatest(key_change_number, (SELECT max(change_number) FROM venue)) = catalogue.change_number
            AND position = (SELECT max(position) FROM catalogue_position)
            AND (position = 0 OR EXISTS (SELECT FROM venue WHERE catalogue_index IS NOT NULL))
            AND num_nulls(to_regclass('venue_pkey'), to_regclass('api_key_pkey'), to_regclass('catalogue_position_pkey'),
                to_regclass('revision_pkey'), to_regclass('feature_version_pkey')) = 0)
        """

    /// What holds likewise, and takes a reading of all venues: places have no gaps, and the newest revision of each is there with
    /// features. Subqueries for each venue, because a join may be planned as a reading of all features.
    private static let isWhole: Query = """
        ((SELECT coalesce(max(catalogue_index), 0) = count(catalogue_index) FROM venue) AND NOT EXISTS (
            SELECT FROM venue AS published WHERE head > 0 AND deleted_at IS NULL AND NOT coalesce((
                SELECT features = 0 OR (SELECT true FROM feature_version AS version
                    WHERE version.venue_id = published.id AND version.to_revision = \(Self.forever) LIMIT 1)
                FROM revision WHERE venue_id = published.id AND number = published.head), false)))
        """

    /// Of the columns that a change of ``News`` is told for; others, as the count of imports, change without one.
    private static let venueChecksum = """
        hash_record_extended(ROW(venue.id, venue.key, head, epoch, public, validation, identity, removal_guard, time_zone,
            keep_revisions, venue.change_number, deleted_at, venue.catalogue_index, first_revision), 0)
        """
}
