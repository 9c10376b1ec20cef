import Foundation
import IMDF
import Postgres
package import SyncModel

extension RevisionStore {
    /// - Throws: `unknownVenue`, or `venueGone` for a deleted one.
    package func venue(_ key: VenueKey) async throws -> VenueRecord {
        let rows = try await self.pool.query(
            "SELECT \(raw: Self.venueColumns) FROM venue WHERE key = \(key.description)")
        guard let row = rows.first else { throw StoreError.unknownVenue }
        let (venue, isDeleted) = try Self.venue(of: row)
        if isDeleted { throw StoreError.venueGone(key, wasPublic: venue.settings.public) }
        return venue
    }

    static let venueColumns = """
        id, key, head, epoch, former_epochs, first_revision, imports, venue.change_number, venue.catalogue_index, deleted_at IS NOT NULL,
        \(VenueSetting.columns)
        """

    /// Decodes ``venueColumns``, the first of which is at `column`.
    static func venue(of row: Row, at column: Int = 0) throws -> (venue: VenueRecord, isDeleted: Bool) {
        let text = try row.decode(column + 1, as: String.self)
        guard let key = VenueKey(text) else { throw PostgresError.decoding("a venue key") }
        let venue = VenueRecord(
            id: try row.decode(column), key: key, head: try row.decode(column + 2), epoch: try row.decode(column + 3),
            formerEpochs: FormerEpoch.list(try row.decode(column + 4)), first: try row.decode(column + 5),
            imports: try row.decode(column + 6), changeNumber: try row.decode(column + 7),
            catalogueIndex: try row.decode(column + 8), settings: try Venue.Settings(row, at: column + 10),
            timeZoneSource: try Venue.TimeZoneSource.source(row, at: column + 10))
        return (venue, try row.decode(column + 9))
    }

    /// Deletes the content of a venue. Its row is kept, so that its clients learn that it is gone.
    ///
    /// Waiting uploads are discarded; one that is being processed finds no venue to publish to.
    ///
    /// - Throws: `venueGone` or `venueReplaced` if the venue was deleted or replaced since the request arrived.
    package func delete(_ venue: VenueRecord, by authorization: Authorization) async throws {
        try await self.write(to: venue.key, by: authorization) { connection in
            try await Self.lockQueue(of: venue.id, on: connection)
            // The revisions of the uploads are deleted, and must not be mistaken for revisions of a venue that is created again.
            _ = try await connection.query(
                """
                UPDATE upload SET revision = NULL, lease = NULL, difference_digest = NULL,
                    changes = CASE WHEN state = 'rejected' THEN NULL ELSE changes END,
                    facts = CASE WHEN state = 'rejected' THEN NULL ELSE facts END,
                    finished_at = CASE WHEN state IN ('received', 'processing', 'staged') THEN now() ELSE finished_at END,
                    state = CASE WHEN state IN ('received', 'processing', 'staged') THEN 'discarded' ELSE state END,
                    findings_complete = findings_complete OR state IN ('published', 'unchanged'),
                    skipped = CASE WHEN state IN ('published', 'unchanged') AND NOT findings_complete
                        THEN \(Self.venueDeleted)::jsonb ELSE skipped END
                WHERE venue_id = \(venue.id)
                    AND (revision IS NOT NULL OR state IN ('received', 'processing', 'staged')
                        OR state = 'unchanged' AND NOT findings_complete
                        OR state = 'rejected' AND difference_digest IS NOT NULL)
                """)
            let marked = try await connection.query(
                """
                UPDATE venue SET deleted_at = now(), head = 0, first_revision = 1
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND deleted_at IS NULL
                RETURNING \(raw: VenueSetting.columns)
                """)
            guard let row = marked.first else { throw try await Self.writeError(for: venue, on: connection) }
            // A venue that is created again begins with the standard settings.
            let reset = Venue.Settings().changes(from: try Venue.Settings(row, at: 0))
            try await Self.record(
                .venueDeleted, .init(settings: reset), of: venue.key, by: authorization, on: connection)
            _ = try await connection.pipeline([
                """
                DELETE FROM staged_change
                WHERE upload_id = ANY(ARRAY(SELECT id FROM upload WHERE venue_id = \(venue.id)))
                """,
                "DELETE FROM revision WHERE venue_id = \(venue.id)",
                "DELETE FROM level_state WHERE venue_id = \(venue.id)",
                "DELETE FROM feature_version WHERE venue_id = \(venue.id)",
                "DELETE FROM feature_alias WHERE venue_id = \(venue.id)",
                "DELETE FROM feature_override WHERE venue_id = \(venue.id)",
                "DELETE FROM edit_request WHERE venue_id = \(venue.id)",
            ])
            try await Self.recordChange(of: venue.id, on: connection)
        }
    }

    /// Why the rules were not run on an upload.
    private static let venueDeleted = """
        [{"rule": "*", "reason": "The venue was deleted before the rules were run.", "features": null}]
        """

    /// A published revision with its levels.
    ///
    /// - Throws: `unknownRevision` unless it is published, `revisionPruned` if it was pruned.
    package func revision(_ number: Int64, of venue: VenueRecord) async throws -> RevisionRecord {
        if number > 0, number < venue.first { throw StoreError.revisionPruned(number, first: venue.first) }
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([
                Self.progressRow(of: venue),
                """
                SELECT digest, CASE WHEN octet_length(language) <= \(Self.codeBytes) THEN language END,
                    CASE WHEN octet_length(country) <= \(Self.codeBytes) THEN country END, venue_feature_id,
                    published_at
                FROM revision
                WHERE venue_id = \(venue.id) AND number = \(number)
                """,
                """
                SELECT feature_id, ordinal FROM feature_version
                WHERE venue_id = \(venue.id) AND feature_type = 'level' AND \(Self.holds(at: number))
                """,
                Self.validityRow(of: venue),
            ])
        }
        try Self.checkValidity(results[3], of: venue, at: [number])
        try Self.checkProgress(results[0], of: venue, at: [number])
        guard
            let (digest, language, country, feature, publishedAt) = try results[1]
                .decode((Digest, String?, String?, FeatureID?, Date).self).first
        else { throw StoreError.unknownRevision(number) }
        return RevisionRecord(
            number: number, digest: digest, publishedAt: publishedAt,
            about: .init(
                language: language, timeZone: venue.settings.timeZone, country: country,
                wayfinding: venue.settings.wayfinding),
            venueFeature: feature,
            levels: try results[2].decode((FeatureID, Int32?).self).map { .init(id: $0.0, ordinal: $0.1.map(Int.init)) }
                .sorted { $0.id < $1.id })
    }

    /// The states of the venue-wide part (first) and of every level of a revision, by id; also of levels without features.
    package func levelStates(of venue: VenueRecord, at revision: RevisionRecord) async throws -> [LevelState] {
        let levels = revision.levels.map(\.id)
        let rows = try await self.read(
            Self.levelStateRows(of: venue.id, at: revision.number, levels: levels), of: venue, at: revision.number)
        return try Self.levelStates(in: rows, of: levels)
    }

    static func levelStates(
        of venue: Int64, at revision: Int64, levels: [FeatureID], on connection: Connection
    ) async throws -> [LevelState] {
        let rows = try await connection.query(Self.levelStateRows(of: venue, at: revision, levels: levels))
        return try Self.levelStates(in: rows, of: levels)
    }

    private static func levelStateRows(of venue: Int64, at revision: Int64, levels: [FeatureID]) -> Query {
        """
        (SELECT NULL::uuid, digest, features, bytes FROM level_state
         WHERE venue_id = \(venue) AND level_id IS NULL AND revision <= \(revision)
         ORDER BY revision DESC LIMIT 1)
        UNION ALL
        SELECT wanted.level_id, state.digest, state.features, state.bytes
        FROM unnest(\(levels)) AS wanted (level_id)
        CROSS JOIN LATERAL (
            SELECT digest, features, bytes FROM level_state
            WHERE venue_id = \(venue) AND level_id = wanted.level_id AND revision <= \(revision)
            ORDER BY revision DESC LIMIT 1
        ) AS state
        """
    }

    private static func levelStates(in rows: Rows, of levels: [FeatureID]) throws -> [LevelState] {
        var states: [FeatureID?: LevelState] = [:]
        for row in rows {
            let level = try row.decode(0, as: FeatureID?.self)
            states[level] = LevelState(
                level: level, digest: try row.decode(1), features: Int(try row.decode(2, as: Int32.self)),
                bytes: try row.decode(3))
        }
        let emptyDigest = LevelDigest().finalize()
        return ([nil] + levels.map(Optional.some)).map { level in
            states[level] ?? LevelState(level: level, digest: emptyDigest, features: 0, bytes: 0)
        }
    }
}
