package import IMDF
import Postgres
package import SyncModel

/// What became of the ids of an archive.
package struct ArchiveIdentity: Sendable {
    package var counts: Upload.Identity
    /// By the stored ids.
    package var matches: [IdentityMatch]

    package init(counts: Upload.Identity, matches: [IdentityMatch]) {
        self.counts = counts
        self.matches = matches
    }
}

extension RevisionStore {
    /// An alias that so many imports in a row did without goes.
    static let aliasAge: Int64 = 20

    /// An alias of an alias, and so on, is followed so far: no import makes more than one of them.
    package static let longestAliasChain = Int(aliasAge)

    /// The features that some ids stand for.
    package func aliases(of ids: [FeatureID], in venue: VenueRecord) async throws -> [FeatureID: FeatureID] {
        guard !ids.isEmpty else { return [:] }
        return try await self.pool.withConnection { connection in
            guard try await Self.hasAliases(venue.id, on: connection) else { return [:] }
            let lookup: Query = """
                SELECT alias, feature_id FROM feature_alias WHERE venue_id = \(venue.id) AND alias = wanted.id
                """
            let rows = try await connection.query("SELECT found.* FROM \(Self.each(of: Array(Set(ids)), lookup))")
            return Dictionary(uniqueKeysWithValues: try rows.decode((FeatureID, FeatureID).self))
        }
    }

    /// Most venues have none, and then nobody has to look for a hundred thousand.
    private static func hasAliases(_ venue: Int64, on connection: Connection) async throws -> Bool {
        try await !connection.query("SELECT FROM feature_alias WHERE venue_id = \(venue) LIMIT 1").isEmpty
    }

    /// The feature that an id stands for, if it stands for one.
    package func feature(aliased id: FeatureID, in venue: VenueRecord) async throws -> FeatureID? {
        try await self.aliases(of: [id], in: venue)[id]
    }

    /// Counts an import, which locks the venue's row, and then brings the aliases up to date.
    ///
    /// - Parameters:
    ///   - matches: What the ids of the archive were taken for.
    ///   - added: ids that are features of their own now, so that they stand for nothing else.
    static func countImport(
        of venue: VenueRecord, matches: [IdentityMatch], added: [FeatureID], on connection: Connection
    ) async throws {
        let imports = try await connection.query(
            "UPDATE venue SET imports = imports + 1 WHERE id = \(venue.id) RETURNING imports"
        ).decode(Int64.self)
        guard let number = imports.first else { throw StoreError.unknownVenue }
        try await Self.write(matches, in: venue.id, at: number, on: connection)
        guard number > 1, !added.isEmpty else { return }
        _ = try await connection.query(
            "DELETE FROM feature_alias WHERE \(Self.aliases(added, of: venue.id))")
    }

    /// Ids that a revision has features under stand for nothing else.
    static func endAliases(at number: Int64, of venue: Int64, on connection: Connection) async throws {
        _ = try await connection.query(
            """
            DELETE FROM feature_alias WHERE ctid = ANY(ARRAY(
                SELECT found.tid FROM feature_version AS new CROSS JOIN LATERAL (
                    SELECT ctid AS tid FROM feature_alias WHERE venue_id = \(venue) AND alias = new.feature_id OFFSET 0
                ) AS found
                WHERE venue_id = \(venue) AND from_revision = \(number) AND \(Self.byBeginning)))
            """)
    }

    /// Writes aliases, and forgets those that nobody used for long.
    ///
    /// - Parameter number: Of the import.
    private static func write(
        _ matches: [IdentityMatch], in venue: Int64, at number: Int64, on connection: Connection
    ) async throws {
        _ = try await connection.query(
            "DELETE FROM feature_alias WHERE venue_id = \(venue) AND last_import <= \(number - Self.aliasAge)")
        guard !matches.isEmpty else { return }
        let known = matches.filter { $0.kind == .alias }.map(\.archiveID)
        if !known.isEmpty {
            _ = try await connection.query(
                "UPDATE feature_alias SET last_import = \(number) WHERE \(Self.aliases(known, of: venue))")
        }
        // In the order of the index, which then grows at its end and not all over.
        let new = matches.filter { $0.kind != .alias }.sorted { $0.archiveID < $1.archiveID }
        if try await Self.hasAliases(venue, on: connection) {
            // Ids that stood for something that is there under its own id again.
            _ = try await connection.query(
                "DELETE FROM feature_alias WHERE \(Self.aliases(new.map(\.archiveID), of: venue))")
        }
        _ = try await connection.copyIn(
            "COPY feature_alias (venue_id, alias, feature_id, last_import) FROM STDIN (FORMAT binary)"
        ) { writer in
            for match in new { try await writer.row(venue, match.archiveID, match.id, number) }
        }
    }

    /// Matches of one block.
    private static let block = 1_000

    /// Keeps what was matched and why, for the one who asks.
    static func store(_ matches: [IdentityMatch], of upload: FeatureID, on connection: Connection) async throws {
        _ = try await connection.query("DELETE FROM upload_match WHERE upload_id = \(upload)")
        guard !matches.isEmpty else { return }
        var blocks: [ArraySlice<IdentityMatch>] = []
        for kind in IdentityMatch.Kind.allCases {
            let matches = matches.filter { $0.kind == kind }
            for start in stride(from: 0, to: matches.count, by: Self.block) {
                blocks.append(matches[start..<min(start + Self.block, matches.count)])
            }
        }
        _ = try await connection.copyIn(
            """
            COPY upload_match (upload_id, number, kind, feature_ids, archive_ids, feature_types, reasons, scores)
            FROM STDIN (FORMAT binary)
            """
        ) { writer in
            var number: Int32 = 0
            for block in blocks {
                try await writer.row(
                    upload, number, block.first?.kind.rawValue, block.map(\.id), block.map(\.archiveID),
                    block.map(\.type.rawValue), block.map(\.reason), block.map(\.score))
                number += Int32(block.count)
            }
        }
    }

    /// A page of an upload's matches: those known before, then exact ones, then near ones, each by the stored ids.
    ///
    /// - Parameter place: where the page begins, as `next` of the page before told.
    package func matches(
        of upload: FeatureID, kind: IdentityMatch.Kind?, from place: Int, limit: Int
    ) async throws -> (matches: [(place: Int, match: IdentityMatch)], next: Int?) {
        // A block that begins before the place may reach beyond it.
        let rows = try await self.pool.query(
            """
            SELECT number, kind, feature_ids, archive_ids, feature_types, reasons, scores FROM upload_match
            WHERE upload_id = \(upload) AND number > \(Int32(clamping: place - Self.block))
                AND (\(kind?.rawValue)::text IS NULL OR kind = \(kind?.rawValue))
            ORDER BY number LIMIT \(Int64(limit / Self.block + 4))
            """)
        var matches: [(place: Int, match: IdentityMatch)] = []
        for row in rows {
            let first = Int(try row.decode(0, as: Int32.self))
            let block = try Self.block(of: row)
            for (offset, match) in block.enumerated() where first + offset >= place {
                if matches.count == limit { return (matches, first + offset) }
                matches.append((first + offset, match))
            }
        }
        return (matches, nil)
    }

    private static func block(of row: Row) throws -> [IdentityMatch] {
        guard let kind = IdentityMatch.Kind(rawValue: try row.decode(1)) else {
            throw PostgresError.decoding("a match")
        }
        let ids = try row.decode(2, as: [FeatureID].self)
        let archiveIDs = try row.decode(3, as: [FeatureID].self)
        let types = try row.decode(4, as: [String].self)
        let reasons = try row.decode(5, as: [String].self)
        let scores = try row.decode(6, as: [Double].self)
        return ids.indices.map { index in
            IdentityMatch(
                id: ids[index], archiveID: archiveIDs[index], type: FeatureType(rawValue: types[index]), kind: kind,
                reason: reasons[index], score: scores[index])
        }
    }
}
