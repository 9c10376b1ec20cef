package import Foundation
package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

extension RevisionStore {
    /// A revision in the revision log. Its description is made from the facts by the caller, in the language of the request.
    package struct LogEntry: Sendable {
        package var revision: Revision
        /// Nil if they exceed ``summaryBytes``.
        package var facts: [Fact]?
    }

    /// The maximum size of the counts or facts of a revision that are read; of longer counts only the totals are read.
    static let summaryBytes: Int32 = 256 << 10

    /// A change summary as JSON text; only the totals if it is too long.
    static func summary(_ column: Query) -> Query {
        """
        CASE WHEN octet_length(\(column)::text) <= \(Self.summaryBytes) THEN \(column)::text
            ELSE (\(column) || '{"levels": [], "types": []}')::text END
        """
    }

    /// The revisions of a venue that are not pruned, the newest first: as many as fit on a page, at least one.
    package func log(of venue: VenueRecord, before number: Int64?, limit: Int) async throws -> [LogEntry] {
        try await self.pool.query(
            """
            WITH entry AS (
                \(Self.revisions) WHERE venue_id = \(venue.id) AND number < \(number ?? Self.unended)
                    AND number >= (SELECT first_revision FROM venue WHERE id = \(venue.id))
                ORDER BY number DESC LIMIT \(Int64(limit))
            ), page AS (
                SELECT *, row_number() OVER (ORDER BY number DESC) AS row_index,
                    sum(octet_length(changes) + coalesce(octet_length(facts), 0) + coalesce(cardinality(levels), 0) * 40)
                        OVER (ORDER BY number DESC) AS running
                FROM entry
            )
            SELECT * FROM page WHERE running <= \(Int64(Self.pageBytes)) OR row_index = 1 ORDER BY number DESC
            """
        ).map(Self.entry(of:))
    }

    package func logEntry(_ number: Int64, of venue: VenueRecord) async throws -> LogEntry {
        let rows = try await self.read(
            "\(Self.revisions) WHERE venue_id = \(venue.id) AND number = \(number)", of: venue, at: number)
        guard let row = rows.first else { throw StoreError.unknownRevision(number) }
        return try Self.entry(of: row)
    }

    private static let revisions: Query = """
        SELECT number, kind, restores, author, message, published_at, features, digest, \(summary("changes")) AS changes,
            CASE WHEN octet_length(facts::text) <= \(summaryBytes) THEN facts::text END AS facts, levels
        FROM revision
        """

    private static func entry(of row: Row) throws -> LogEntry {
        guard let kind = Revision.Kind(rawValue: try row.decode(1)) else { throw PostgresError.decoding("a revision") }
        return LogEntry(
            revision: Revision(
                number: try row.decode(0), kind: kind, restores: try row.decode(2), levels: try row.decode(10),
                author: try row.decode(3),
                message: try row.decode(4), publishedAt: try row.decode(5),
                features: Int(try row.decode(6, as: Int32.self)), digest: try row.decode(7),
                changes: try Self.json(row.decode(8, as: String.self), as: ChangeSummary.self)),
            facts: try row.decode(9, as: String?.self).map { try Self.json($0, as: [Fact].self) })
    }

    /// A version of a feature, with the revision that began it unless that is pruned.
    package struct HistoryEntry: Sendable {
        package let from: Int64
        /// The first revision in which it does not hold any more; nil for the current version.
        package let end: Int64?
        package let level: FeatureID?
        package let author: String?
        package let message: String?
        package let publishedAt: Date?
        package let body: [UInt8]
    }

    /// The versions of a feature in revisions that are not pruned, the newest first: as many as fit on a page, at least one, and the
    /// one before them.
    ///
    /// - Parameter number: Only versions that began before this revision.
    /// - Returns: The versions, and whether the last one is only included for comparison with its successor.
    package func history(
        of feature: FeatureID, in venue: VenueRecord, before number: Int64?, limit: Int
    ) async throws -> (entries: [HistoryEntry], hasPredecessor: Bool) {
        let rows = try await self.pool.query(
            """
            WITH version AS (
                SELECT version.*, octet_length(version.body)::bigint AS bytes, venue.first_revision
                FROM feature_version AS version
                JOIN venue ON venue.id = \(venue.id) AND version.to_revision > venue.first_revision
                WHERE version.venue_id = \(venue.id) AND version.feature_id = \(feature)
                    AND from_revision < \(number ?? Self.unended)
                ORDER BY from_revision DESC LIMIT \(Int64(limit) + 1)
            ), page AS (
                SELECT *, row_number() OVER (ORDER BY from_revision DESC) AS row_index,
                    sum(bytes) OVER (ORDER BY from_revision DESC) AS running
                FROM version
            )
            SELECT page.from_revision, nullif(page.to_revision, \(Self.unended)), page.level_id, revision.author,
                revision.message, revision.published_at, page.body,
                row_index > \(Int64(limit)) OR row_index > 1 AND running > \(Int64(Self.pageBytes))
            FROM page
            LEFT JOIN LATERAL (
                SELECT author, message, published_at FROM revision
                WHERE venue_id = \(venue.id) AND number = page.from_revision AND number >= page.first_revision
                OFFSET 0
            ) AS revision ON true
            WHERE row_index <= 2 OR running - bytes <= \(Int64(Self.pageBytes))
            ORDER BY page.from_revision DESC
            """)
        guard !rows.isEmpty || number != nil else { throw StoreError.unknownFeature }
        let entries = try rows.map { row in
            HistoryEntry(
                from: try row.decode(0), end: try row.decode(1), level: try row.decode(2), author: try row.decode(3),
                message: try row.decode(4), publishedAt: try row.decode(5),
                body: try row.decode(6, as: TextBytes.self).bytes)
        }
        return (entries, try rows.last?.decode(7) ?? false)
    }

    /// A feature at a revision.
    package func feature(_ id: FeatureID, of venue: VenueRecord, at number: Int64) async throws -> FeatureRecord {
        let rows = try await self.read(
            """
            SELECT feature_type, level_id, body FROM feature_version
            WHERE venue_id = \(venue.id) AND feature_id = \(id) AND from_revision <= \(number) AND to_revision > \(number)
            """, of: venue, at: number)
        guard let row = rows.first else { throw StoreError.unknownFeature }
        return FeatureRecord(
            id: id, type: FeatureType(rawValue: try row.decode(0)), level: try row.decode(1),
            body: try row.decode(2, as: TextBytes.self).bytes)
    }
}
