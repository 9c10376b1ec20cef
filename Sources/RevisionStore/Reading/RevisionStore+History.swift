package import Foundation
package import IMDF
import Postgres
package import SyncModel

extension RevisionStore {
    /// A revision as the log tells it; the words are made by whoever answers, from the facts.
    package struct LogEntry: Sendable {
        package var revision: Revision
        package var facts: String
    }

    /// The revisions of a venue that are kept, the newest first.
    package func log(of venue: VenueRecord, before number: Int64?, limit: Int) async throws -> [LogEntry] {
        try await self.pool.query(
            """
            \(Self.revisions) WHERE venue_id = \(venue.id) AND (\(number)::bigint IS NULL OR number < \(number))
                AND number >= (SELECT first_revision FROM venue WHERE id = \(venue.id))
            ORDER BY number DESC LIMIT \(Int64(limit))
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
        SELECT number, kind, restores, author, message, published_at, features, digest, changes::text, facts::text,
            levels
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
            facts: try row.decode(9))
    }

    /// One span of a feature's life, with the revision that began it, if that is kept.
    package struct Span: Sendable {
        package let from: Int64
        /// The first revision in which it holds no more; nil while it is current.
        package let end: Int64?
        package let level: FeatureID?
        package let author: String?
        package let message: String?
        package let publishedAt: Date?
        package let body: [UInt8]
    }

    /// Every version of a feature that a kept revision has, the newest first.
    package func history(of feature: FeatureID, in venue: VenueRecord) async throws -> [Span] {
        let rows = try await self.pool.query(
            """
            SELECT version.from_revision, nullif(version.to_revision, \(Self.forever)), version.level_id, revision.author,
                revision.message, revision.published_at, version.body
            FROM feature_version AS version
            JOIN venue ON venue.id = version.venue_id AND version.to_revision > venue.first_revision
            LEFT JOIN revision ON revision.venue_id = version.venue_id AND revision.number = version.from_revision
                AND revision.number >= venue.first_revision
            WHERE version.venue_id = \(venue.id) AND version.feature_id = \(feature)
            ORDER BY version.from_revision DESC
            """)
        guard !rows.isEmpty else { throw StoreError.unknownFeature }
        return try rows.map { row in
            Span(
                from: try row.decode(0), end: try row.decode(1), level: try row.decode(2), author: try row.decode(3),
                message: try row.decode(4), publishedAt: try row.decode(5),
                body: try row.decode(6, as: TextBytes.self).bytes)
        }
    }

    /// The body that a feature has at a revision.
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
