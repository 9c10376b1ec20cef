package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// How the ids of an archive were matched.
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
    /// The number of imports after which an alias that none of them contained is deleted, by the next import that sweeps.
    static let aliasAge: Int64 = 20
    /// One import of so many sweeps: it reads all aliases of the venue, which may be twenty times as many as features.
    static let aliasSweepInterval: Int64 = 5

    /// How far aliases of aliases are followed. An import creates at most one link of such a chain.
    private static let longestAliasChain = Int(aliasAge + aliasSweepInterval)

    /// The feature ids of those ids that are aliases.
    package func aliases(of ids: [FeatureID], in venue: VenueRecord) async throws -> [FeatureID: FeatureID] {
        guard !ids.isEmpty else { return [:] }
        return try await self.pool.withConnection { connection in
            guard try await Self.hasAliases(venue.id, on: connection) else { return [:] }
            let lookup: Query = """
                SELECT alias, feature_id FROM feature_alias WHERE venue_id = \(venue.id) AND alias = wanted.id
                """
            let rows = try await connection.query("SELECT found.* FROM \(Self.lookup(of: Array(Set(ids)), lookup))")
            return Dictionary(uniqueKeysWithValues: try rows.decode((FeatureID, FeatureID).self))
        }
    }

    /// Most venues have no aliases, and then no lookups are needed for the ids of an archive.
    private static func hasAliases(_ venue: Int64, on connection: Connection) async throws -> Bool {
        try await !connection.query("SELECT FROM feature_alias WHERE venue_id = \(venue) LIMIT 1").isEmpty
    }

    /// The ids at which the chains of aliases end: the first one that is known, or else the last one. The target of an alias is an alias
    /// itself if that feature was removed, delivered again under another id and matched.
    ///
    /// - Parameter known: which of the targets are known.
    /// - Returns: an id for each of the given ones that is an alias.
    package func targets(
        ofAliases ids: [FeatureID], in venue: VenueRecord, known: (Set<FeatureID>) async throws -> Set<FeatureID>
    ) async throws -> [FeatureID: FeatureID] {
        var targets = try await self.aliases(of: ids, in: venue)
        var open = Set(targets.values)
        for _ in 0..<Self.longestAliasChain where !open.isEmpty {
            open.subtract(try await known(open))
            let next = try await self.aliases(of: Array(open), in: venue)
            targets = targets.mapValues { next[$0] ?? $0 }
            open = Set(next.values)
        }
        return targets
    }

    /// Counts an import, which locks the venue's row, and then updates the aliases.
    ///
    /// - Parameters:
    ///   - matches: The matches of the ids of the archive.
    ///   - added: Ids of new features, which are not aliases any more.
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

    /// Deletes aliases that are ids of features of a revision.
    static func endAliases(at number: Int64, of venue: Int64, on connection: Connection) async throws {
        _ = try await connection.query(
            """
            DELETE FROM feature_alias WHERE ctid = ANY(ARRAY(
                SELECT found.tid FROM feature_version AS new CROSS JOIN LATERAL (
                    SELECT ctid AS tid FROM feature_alias WHERE venue_id = \(venue) AND alias = new.feature_id OFFSET 0
                ) AS found
                WHERE venue_id = \(venue) AND from_revision = \(number) AND \(Self.byFromRevision)))
            """)
    }

    /// Writes aliases, and deletes those that were not used for ``aliasAge`` imports.
    ///
    /// - Parameter number: The number of the import.
    private static func write(
        _ matches: [IdentityMatch], in venue: Int64, at number: Int64, on connection: Connection
    ) async throws {
        if number % Self.aliasSweepInterval == 0 {
            _ = try await connection.query(
                "DELETE FROM feature_alias WHERE venue_id = \(venue) AND last_import <= \(number - Self.aliasAge)")
        }
        guard !matches.isEmpty else { return }
        let known = matches.filter { $0.kind == .alias }.map(\.archiveID)
        if !known.isEmpty {
            _ = try await connection.query(
                "UPDATE feature_alias SET last_import = \(number) WHERE \(Self.aliases(known, of: venue))")
        }
        // In the order of the index, so that its pages are written once.
        let new = matches.filter { $0.kind != .alias }.sorted { $0.archiveID < $1.archiveID }
        if try await Self.hasAliases(venue, on: connection) {
            // Ids that were aliases of another feature.
            _ = try await connection.query(
                "DELETE FROM feature_alias WHERE \(Self.aliases(new.map(\.archiveID), of: venue))")
        }
        _ = try await connection.copyIn(
            "COPY feature_alias (venue_id, alias, feature_id, last_import) FROM STDIN (FORMAT binary)"
        ) { writer in
            for match in new { try await writer.row(venue, match.archiveID, match.id, number) }
        }
    }

    /// The number of matches in a block.
    private static let matchBlock = 1_000

    /// Stores the matches of an upload with their reasons.
    static func store(_ matches: [IdentityMatch], of upload: UploadID, on connection: Connection) async throws {
        _ = try await connection.query("DELETE FROM upload_match WHERE upload_id = \(upload)")
        guard !matches.isEmpty else { return }
        var blocks: [ArraySlice<IdentityMatch>] = []
        for kind in IdentityMatch.Kind.allCases {
            let matches = matches.filter { $0.kind == kind }
            for start in stride(from: 0, to: matches.count, by: Self.matchBlock) {
                blocks.append(matches[start..<min(start + Self.matchBlock, matches.count)])
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
                    block.map(\.type.rawValue), block.map(\.reason.rawValue), block.map(\.score))
                number += Int32(block.count)
            }
        }
    }

    /// A page of an upload's matches: aliases, then exact matches, then near ones, each by the stored ids.
    ///
    /// - Parameter offset: The offset at which the page begins: `next` of the page before.
    package func matches(
        of upload: UploadID, kind: IdentityMatch.Kind?, from offset: Int, limit: Int
    ) async throws -> (matches: [(offset: Int, match: IdentityMatch)], next: Int?) {
        // A block that begins before the offset may contain it.
        let rows = try await self.pool.query(
            """
            SELECT number, kind, feature_ids, archive_ids, feature_types, reasons, scores FROM upload_match
            WHERE upload_id = \(upload) AND number > \(Int32(clamping: offset - Self.matchBlock))
                AND (\(kind?.rawValue)::text IS NULL OR kind = \(kind?.rawValue))
            ORDER BY number LIMIT \(Int64(limit / Self.matchBlock + 4))
            """)
        var matches: [(offset: Int, match: IdentityMatch)] = []
        for row in rows {
            let first = Int(try row.decode(0, as: Int32.self))
            let block = try Self.matches(in: row)
            for (index, match) in block.enumerated() where first + index >= offset {
                if matches.count == limit { return (matches, first + index) }
                matches.append((first + index, match))
            }
        }
        return (matches, nil)
    }

    private static func matches(in row: Row) throws -> [IdentityMatch] {
        guard let kind = IdentityMatch.Kind(rawValue: try row.decode(1)) else {
            throw PostgresError.decoding("a match")
        }
        let ids = try row.decode(2, as: [FeatureID].self)
        let archiveIDs = try row.decode(3, as: [FeatureID].self)
        let types = try row.decode(4, as: [String].self)
        let reasons = try row.decode(5, as: [String].self)
        let scores = try row.decode(6, as: [Double].self)
        return try ids.indices.map { index in
            guard let reason = IdentityMatch.Reason(rawValue: reasons[index]) else {
                throw PostgresError.decoding("the reason of a match")
            }
            return IdentityMatch(
                id: ids[index], archiveID: archiveIDs[index], type: FeatureType(rawValue: types[index]), kind: kind,
                reason: reason, score: scores[index])
        }
    }
}
