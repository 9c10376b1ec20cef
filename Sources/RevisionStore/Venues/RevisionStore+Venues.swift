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
        id, key, head, epoch, public, validation, identity, removal_guard, time_zone, keep_revisions, imports,
        venue.change_number, deleted_at IS NOT NULL, venue.catalogue_index, first_revision
        """

    /// Reads ``venueColumns`` from the one at `column` on.
    static func venue(of row: Row, at column: Int = 0) throws -> (venue: VenueRecord, isDeleted: Bool) {
        let text = try row.decode(column + 1, as: String.self)
        guard let key = VenueKey(text) else { throw PostgresError.decoding("a venue key") }
        let venue = VenueRecord(
            id: try row.decode(column), key: key, head: try row.decode(column + 2), epoch: try row.decode(column + 3),
            first: try row.decode(column + 14), imports: try row.decode(column + 10),
            news: try row.decode(column + 11), place: try row.decode(column + 13),
            settings: Venue.Settings(
                public: try row.decode(column + 4), validation: try row.decode(column + 5),
                identity: try row.decode(column + 6),
                removalGuard: try row.decode(column + 7), timeZone: try row.decode(column + 8),
                keepRevisions: try row.decode(column + 9, as: Int32?.self).map(Int.init)))
        return (venue, try row.decode(column + 12))
    }

    /// Turns the venue into a tombstone: its content goes, its key stays known.
    ///
    /// Waiting uploads are discarded; one that is being worked on finds no venue to publish to.
    ///
    /// - Throws: `venueGone` or `venueReplaced` when it is not the venue any more that the request was about.
    package func delete(_ venue: VenueRecord, by authorization: Authorization) async throws {
        try await self.write(to: venue.key, by: authorization) { connection in
            try await Self.lockQueue(of: venue.id, on: connection)
            // What an upload made is not there any more, and must not be taken for a revision of a venue made again.
            _ = try await connection.query(
                """
                UPDATE upload SET revision = NULL, lease = NULL,
                    finished_at = CASE WHEN state IN ('received', 'processing', 'staged') THEN now() ELSE finished_at END,
                    state = CASE WHEN state IN ('received', 'processing', 'staged') THEN 'discarded' ELSE state END,
                    findings_complete = findings_complete OR state IN ('published', 'unchanged'),
                    skipped = CASE WHEN state IN ('published', 'unchanged') AND NOT findings_complete
                        THEN \(Self.venueDeleted)::jsonb ELSE skipped END
                WHERE venue_id = \(venue.id)
                    AND (revision IS NOT NULL OR state IN ('received', 'processing', 'staged')
                        OR state = 'unchanged' AND NOT findings_complete)
                """)
            let marked = try await connection.query(
                """
                UPDATE venue SET deleted_at = now(), head = 0, first_revision = 1
                WHERE id = \(venue.id) AND epoch = \(venue.epoch) AND deleted_at IS NULL
                """)
            guard marked.affected == 1 else { throw try await Self.refusal(toWrite: venue, on: connection) }
            _ = try await connection.pipeline([
                """
                DELETE FROM staged_change
                WHERE upload_id = ANY(ARRAY(SELECT id FROM upload WHERE venue_id = \(venue.id)))
                """,
                "DELETE FROM revision WHERE venue_id = \(venue.id)",
                "DELETE FROM level_state WHERE venue_id = \(venue.id)",
                "DELETE FROM feature_version WHERE venue_id = \(venue.id)",
                "DELETE FROM feature_alias WHERE venue_id = \(venue.id)",
            ])
            try await Self.tellNews(of: venue.id, on: connection)
        }
    }

    /// Why the rules were not run over an upload.
    private static let venueDeleted = """
        [{"rule": "*", "reason": "The venue was deleted before the rules were run.", "features": null}]
        """

    /// A published revision with its levels.
    ///
    /// - Throws: `unknownRevision` unless it is published, `revisionPruned` when it is not kept any more.
    package func revision(_ number: Int64, of venue: VenueRecord) async throws -> RevisionRecord {
        if number > 0, number < venue.first { throw StoreError.revisionPruned(number, first: venue.first) }
        let name = RevisionCache.RevisionName(number, of: venue)
        var revision: RevisionRecord
        if let known = self.cache.revisions.value(for: name) {
            revision = known
        } else {
            revision = try await self.readRevision(number, of: venue)
            self.cache.revisions.keep(revision, for: name, cost: 1 + revision.levels.count)
        }
        // The only thing in it that may be set anew.
        revision.about.timeZone = venue.settings.timeZone
        return revision
    }

    private func readRevision(_ number: Int64, of venue: VenueRecord) async throws -> RevisionRecord {
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([
                """
                SELECT digest, CASE WHEN octet_length(language) <= \(Self.codeBytes) THEN language END,
                    CASE WHEN octet_length(country) <= \(Self.codeBytes) THEN country END, venue_feature_id FROM revision
                WHERE venue_id = \(venue.id) AND number = \(number)
                """,
                """
                SELECT feature_id, ordinal FROM feature_version
                WHERE venue_id = \(venue.id) AND feature_type = 'level' AND \(Self.hold(at: number))
                """,
                Self.mark(of: venue),
            ])
        }
        try Self.check(results[2], of: venue, at: [number])
        guard
            let (digest, language, country, feature) = try results[0]
                .decode((Digest, String?, String?, FeatureID?).self).first
        else { throw StoreError.unknownRevision(number) }
        return RevisionRecord(
            number: number, digest: digest, about: .init(language: language, timeZone: nil, country: country),
            venueFeature: feature,
            levels: try results[1].decode((FeatureID, Int32?).self).map { .init(id: $0.0, ordinal: $0.1.map(Int.init)) }
                .sorted { $0.id < $1.id })
    }

    /// The state of the venue-wide part (first) and of every level of a revision, by id; also of levels without a feature.
    package func levelStates(of venue: VenueRecord, at revision: RevisionRecord) async throws -> [LevelState] {
        let name = RevisionCache.RevisionName(revision.number, of: venue)
        if let states = self.cache.states.value(for: name) { return states }
        let levels = revision.levels.map(\.id)
        let rows = try await self.read(
            Self.levelStateRows(of: venue.id, at: revision.number, levels: levels), of: venue, at: revision.number)
        let states = try Self.levelStates(in: rows, of: levels)
        self.cache.states.keep(states, for: name, cost: states.count)
        return states
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
        let nothing = LevelDigest().finalize()
        return ([nil] + levels.map(Optional.some)).map { level in
            states[level] ?? LevelState(level: level, digest: nothing, features: 0, bytes: 0)
        }
    }
}
