import Postgres

/// Statements about many venues. Each has one lateral subquery for each of them, which `LIMIT` or `OFFSET 0` keeps a lookup; the first
/// column is the index of the venue or revision among those that were asked for, from 1.
extension RevisionStore {
    static func venueRows(_ columns: Query, of ids: [Int64]) -> Query {
        """
        SELECT wanted.row_index, venue.*
        FROM unnest(\(ids)) WITH ORDINALITY AS wanted (id, row_index)
        CROSS JOIN LATERAL (SELECT \(columns) FROM venue WHERE venue.id = wanted.id OFFSET 0) AS venue
        """
    }

    static func revisionRows(_ venues: [Int64], _ numbers: [Int64]) -> Query {
        """
        SELECT wanted.row_index, revision.*
        FROM unnest(\(venues), \(numbers)) WITH ORDINALITY AS wanted (venue_id, number, row_index)
        CROSS JOIN LATERAL (
            SELECT digest, CASE WHEN octet_length(language) <= \(Self.codeBytes) THEN language END AS language,
                CASE WHEN octet_length(country) <= \(Self.codeBytes) THEN country END AS country, venue_feature_id,
                published_at
            FROM revision WHERE revision.venue_id = wanted.venue_id AND revision.number = wanted.number OFFSET 0
        ) AS revision
        """
    }

    /// The venue-wide part and the levels of revisions with their states.
    static func levelRows(_ venues: [Int64], _ numbers: [Int64]) -> Query {
        """
        SELECT wanted.row_index, part.level_id, part.ordinal, part.digest, part.features, part.bytes
        FROM unnest(\(venues), \(numbers)) WITH ORDINALITY AS wanted (venue_id, number, row_index)
        CROSS JOIN LATERAL (
            (SELECT NULL::uuid AS level_id, NULL::integer AS ordinal, state.digest, state.features, state.bytes
             FROM (\(Self.levelState("IS NULL"))) AS state)
            UNION ALL
            (SELECT level.feature_id, level.ordinal, state.digest, state.features, state.bytes
             FROM (\(Self.levelFeatures("feature_id, ordinal")) OFFSET 0) AS level
             LEFT JOIN LATERAL (\(Self.levelState("= level.feature_id"))) AS state ON true)
        ) AS part
        """
    }

    /// All versions of revisions, without their bodies.
    static func versionRows(_ venues: [Int64], _ numbers: [Int64]) -> Query {
        """
        SELECT wanted.row_index, version.*
        FROM unnest(\(venues), \(numbers)) WITH ORDINALITY AS wanted (venue_id, number, row_index)
        CROSS JOIN LATERAL (
            SELECT feature_id, feature_type, level_id, depth, from_revision, octet_length(body) AS bytes
            FROM feature_version
            WHERE venue_id = wanted.venue_id AND \(Self.byToRevision) AND to_revision > wanted.number
                AND (from_revision <= wanted.number) IS TRUE OFFSET 0
        ) AS version
        """
    }

    /// The net changes between two revisions of each venue: of every venue at most one more than ``VenueRange/maxChanges``.
    static func changeRows(_ venues: [Int64], _ from: [Int64], _ to: [Int64]) -> Query {
        """
        SELECT wanted.row_index, changed.*
        FROM unnest(\(venues), \(from), \(to)) WITH ORDINALITY AS wanted (venue_id, older, newer, row_index)
        CROSS JOIN LATERAL (
            \(Self.netChanges(
                Self.exclusiveVersions(of: "wanted.venue_id", older: "wanted.older", newer: "wanted.newer")))
            LIMIT \(Int64(VenueRange.maxChanges) + 1)
        ) AS changed
        """
    }
}
