package import IMDF
import Postgres

/// A level of a venue's newest revision, or the venue-wide part, for the list of venues.
package struct ListedLevel: Sendable {
    /// The index of the venue among the requested ones.
    package let index: Int
    /// The digest of the revision.
    package let digest: Digest
    package let language: String?
    package let country: String?
    package let venueFeature: FeatureID?
    /// The number of levels of the venue, including those that are not listed.
    package let levelCount: Int
    package let state: LevelState
    package let ordinal: Int?
    /// The body of the level feature, or of the venue feature for the venue-wide part. Nil if there is none, or if it is too large
    /// to be read for its name.
    package let body: [UInt8]?
}

extension RevisionStore {
    /// The maximum number of levels that are listed for a venue.
    package static let maxListedLevels = 1_000
    /// The maximum size of a body that is read for the name of the feature, and of all such bodies of a venue.
    static let namedFeatureBytes: Int64 = 1 << 20
    static let namedFeaturesBytes: Int64 = 4 << 20
    /// The maximum size of a language tag or a country code; longer ones are ignored.
    package static let codeBytes: Int32 = 100

    /// Passes the levels of venues to a closure, each venue at the newest revision of its record, in one statement. The levels of a
    /// venue are consecutive: the venue-wide part, then the levels by id. A venue that was deleted meanwhile, or whose revision was
    /// pruned, is omitted.
    ///
    /// - Complexity: Bounded for each venue, independent of its content.
    package func listedLevels(
        of venues: some Collection<VenueRecord>, _ level: (ListedLevel) async throws -> Void
    ) async throws {
        // LIMIT keeps each subquery a lookup for one venue or one level, whatever sizes of the tables the planner assumes.
        let query: Query = """
            SELECT wanted.row_index, revision.digest, revision.language, revision.country, revision.venue_feature_id, part.count,
                part.level_id, part.digest, part.features, part.bytes, part.ordinal,
                CASE WHEN part.size <= \(Self.namedFeatureBytes) AND part.running <= \(Self.namedFeaturesBytes)
                    THEN part.body END
            FROM unnest(\(venues.map(\.id)), \(venues.map(\.epoch)), \(venues.map(\.head)))
                WITH ORDINALITY AS wanted (venue_id, epoch, number, row_index)
            CROSS JOIN LATERAL (
                SELECT revision.digest, revision.venue_feature_id,
                    CASE WHEN octet_length(language) <= \(Self.codeBytes) THEN language END AS language,
                    CASE WHEN octet_length(country) <= \(Self.codeBytes) THEN country END AS country
                FROM venue JOIN revision ON revision.venue_id = venue.id
                WHERE venue.id = wanted.venue_id AND venue.epoch = wanted.epoch AND venue.deleted_at IS NULL
                    AND venue.first_revision <= wanted.number AND revision.number = wanted.number
                LIMIT 1
            ) AS revision
            CROSS JOIN LATERAL (
                (SELECT NULL::uuid AS level_id, NULL::integer AS ordinal, feature.body,
                    octet_length(feature.body)::bigint AS size, 0::bigint AS running, level.count,
                    state.digest, state.features, state.bytes
                 FROM (\(Self.levelFeatures("count(*)"))) AS level
                 LEFT JOIN LATERAL (
                    SELECT body FROM feature_version
                    WHERE venue_id = wanted.venue_id AND feature_id = revision.venue_feature_id
                        AND from_revision <= wanted.number AND to_revision > wanted.number
                    LIMIT 1
                 ) AS feature ON true
                 LEFT JOIN LATERAL (\(Self.levelState("IS NULL"))) AS state ON true)
                UNION ALL
                (SELECT level.feature_id, ordinal, body, octet_length(body)::bigint, running, count,
                    state.digest, state.features, state.bytes
                 FROM (\(Self.levelFeatures("""
                    feature_id, ordinal, body, sum(octet_length(body)) OVER (ORDER BY feature_id) AS running,
                    count(*) OVER () AS count
                    """)) ORDER BY feature_id LIMIT \(Int64(Self.maxListedLevels))) AS level
                 LEFT JOIN LATERAL (\(Self.levelState("= level.feature_id"))) AS state ON true)
            ) AS part
            """
        try await self.pool.withConnection { connection in
            try await connection.stream(query) { row in try await level(Self.listedLevel(of: row)) }
        }
    }

    /// The level features of the revision `wanted.number` of the venue `wanted.venue_id`.
    static func levelFeatures(_ columns: Query) -> Query {
        """
        SELECT \(columns) FROM feature_version
        WHERE venue_id = wanted.venue_id AND feature_type = 'level' AND from_revision <= wanted.number
            AND to_revision > wanted.number
        """
    }

    /// The state of a level at the revision `wanted.number` of the venue `wanted.venue_id`.
    static func levelState(_ level: Query) -> Query {
        """
        SELECT digest, features, bytes FROM level_state
        WHERE level_state.venue_id = wanted.venue_id AND level_state.level_id \(level)
            AND level_state.revision <= wanted.number
        ORDER BY level_state.revision DESC LIMIT 1
        """
    }

    private static func listedLevel(of row: Row) throws -> ListedLevel {
        let digest = try row.decode(7, as: Digest?.self)
        return ListedLevel(
            index: Int(try row.decode(0, as: Int64.self)) - 1, digest: try row.decode(1), language: try row.decode(2),
            country: try row.decode(3), venueFeature: try row.decode(4),
            levelCount: Int(try row.decode(5, as: Int64.self)),
            state: LevelState(
                level: try row.decode(6), digest: digest ?? LevelDigest().finalize(),
                features: Int(try row.decode(8, as: Int32?.self) ?? 0), bytes: try row.decode(9, as: Int64?.self) ?? 0),
            ordinal: try row.decode(10, as: Int32?.self).map(Int.init),
            body: try row.decode(11, as: TextBytes?.self)?.bytes)
    }

    /// The bodies of level features at some revisions, for their names: each version once, with the indices of all requests for it.
    /// Bodies that are too large or do not exist are omitted.
    ///
    /// - Parameter oldest: The oldest of the revisions.
    package func levelBodies(
        _ levels: [(id: FeatureID, revision: Int64)], of venue: VenueRecord, since oldest: Int64,
        _ body: (_ indices: [Int], _ body: [UInt8]) async throws -> Void
    ) async throws {
        let query: Query = """
            WITH version AS (
                SELECT version.feature_id, version.from_revision, version.bytes, array_agg(wanted.row_index) AS row_indices
                FROM unnest(\(levels.map(\.id)), \(levels.map(\.revision)))
                    WITH ORDINALITY AS wanted (feature_id, number, row_index)
                CROSS JOIN LATERAL (
                    SELECT feature_id, from_revision, octet_length(body)::bigint AS bytes FROM feature_version
                    WHERE venue_id = \(venue.id) AND feature_id = wanted.feature_id AND from_revision <= wanted.number
                        AND to_revision > wanted.number
                    LIMIT 1
                ) AS version
                GROUP BY version.feature_id, version.from_revision, version.bytes
            ), page AS (
                SELECT *, sum(bytes) OVER (ORDER BY feature_id, from_revision) AS running FROM version
                WHERE bytes <= \(Self.namedFeatureBytes)
            )
            SELECT page.row_indices, (
                SELECT body FROM feature_version
                WHERE venue_id = \(venue.id) AND feature_version.feature_id = page.feature_id
                    AND feature_version.from_revision = page.from_revision)
            FROM page WHERE running <= \(Self.namedFeaturesBytes)
            """
        try await self.stream(query, of: venue, at: oldest) { row in
            guard let text = try row.decode(1, as: TextBytes?.self) else { return }
            try await body(try row.decode(0, as: [Int64].self).map { Int($0) - 1 }, text.bytes)
        }
    }
}
