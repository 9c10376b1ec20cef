package import IMDF
import Postgres

/// A feature that differs between two revisions, at least one of which contains it.
package struct FeatureChange: Sendable {
    package let feature: FeatureID
    package let before: VersionSummary?
    package let after: VersionSummary?
}

extension RevisionStore {
    /// The net changes between two revisions: each feature at most once, and only if its body or level differs. `to` may be the
    /// older one.
    ///
    /// - Complexity: Proportional to the versions that began or ended in between.
    package func changes(in venue: VenueRecord, from: Int64, to: Int64) async throws -> [FeatureChange] {
        let rows = try await self.read(
            Self.netChanges(Self.exclusiveVersions(of: venue, from: from, to: to)), of: venue, at: from, to)
        return try rows.map { try Self.change(of: $0, at: 0) }
    }

    /// The net changes without bodies, for ``change(of:at:)``.
    ///
    /// - Parameter versions: ``exclusiveVersions(of:from:to:)``.
    static func netChanges(_ versions: Query) -> Query {
        """
        \(versions)
        SELECT feature_id,
            before.feature_type AS type_before, before.level_id AS level_before, before.depth AS depth_before,
            before.from_revision AS from_before, before.bytes AS bytes_before,
            after.feature_type AS type_after, after.level_id AS level_after, after.depth AS depth_after,
            after.from_revision AS from_after, after.bytes AS bytes_after
        FROM before FULL JOIN after USING (feature_id)
        WHERE before.body_sha256 IS DISTINCT FROM after.body_sha256 OR before.level_id IS DISTINCT FROM after.level_id
        """
    }

    static func change(of row: Row, at column: Int) throws -> FeatureChange {
        let feature = try row.decode(column, as: FeatureID.self)
        return FeatureChange(
            feature: feature, before: try Self.summary(of: feature, in: row, at: column + 1),
            after: try Self.summary(of: feature, in: row, at: column + 6))
    }

    private static func summary(of feature: FeatureID, in row: Row, at column: Int) throws -> VersionSummary? {
        guard let type = try row.decode(column, as: String?.self) else { return nil }
        return VersionSummary(
            feature: feature, type: FeatureType(rawValue: type), level: try row.decode(column + 1),
            depth: Int(try row.decode(column + 2, as: Int32.self)), fromRevision: try row.decode(column + 3),
            bytes: Int(try row.decode(column + 4, as: Int32.self)))
    }

    /// The maximum size of a page: the number of changes and the size of their bodies. A page has at least one change.
    package struct ChangePage: Sendable {
        let limit: Int?
        let bytes: Int64

        package static let everything = ChangePage(limit: nil, bytes: .max)

        package init(limit: Int?, bytes: Int64) {
            self.limit = limit
            self.bytes = bytes
        }
    }

    /// The net changes with both bodies, passed to a closure one by one, by id.
    ///
    /// - Parameters:
    ///   - levels: Only changes of features that are on one of these at either revision; nil for all. `nil` as an element stands for
    ///     the venue-wide part.
    ///   - after: Only features with a greater id.
    /// - Returns: Whether there are no further changes.
    @discardableResult
    package func changedBodies(
        in venue: VenueRecord, from: Int64, to: Int64, levels: [FeatureID?]? = nil, after id: FeatureID? = nil,
        page: ChangePage = .everything,
        _ change: (FeatureID, _ before: FeatureRecord?, _ after: FeatureRecord?) async throws -> Void
    ) async throws -> Bool {
        let named = levels?.compactMap { $0 }
        let venueWide = levels?.contains(nil) ?? false
        let query: Query = """
            \(Self.exclusiveVersions(of: venue, from: from, to: to))
            , changed AS (
                SELECT feature_id, before.feature_type AS type_before, before.level_id AS level_before,
                    before.from_revision AS from_before, after.feature_type AS type_after, after.level_id AS level_after,
                    after.from_revision AS from_after, coalesce(before.bytes, 0) + coalesce(after.bytes, 0)::bigint AS bytes
                FROM before FULL JOIN after USING (feature_id)
                WHERE (before.body_sha256 IS DISTINCT FROM after.body_sha256 OR before.level_id IS DISTINCT FROM after.level_id)
                    AND (\(named)::uuid[] IS NULL OR before.level_id = ANY(\(named)) OR after.level_id = ANY(\(named))
                        OR \(venueWide) AND (before.feature_id IS NOT NULL AND before.level_id IS NULL
                            OR after.feature_id IS NOT NULL AND after.level_id IS NULL))
                    AND (\(id)::uuid IS NULL OR feature_id > \(id))
                ORDER BY feature_id LIMIT \(page.limit.map { Int64($0) + 1 })
            ), page AS (
                SELECT *, row_number() OVER (ORDER BY feature_id) AS row_index, sum(bytes) OVER (ORDER BY feature_id) AS running,
                    count(*) OVER () AS count
                FROM changed
            )
            SELECT changed.feature_id, type_before, level_before, before.body, type_after, level_after, after.body,
                row_index = count
            FROM page AS changed
            LEFT JOIN LATERAL (\(Self.version("body", of: venue.id, "changed.feature_id", from: "from_before"))) AS before ON true
            LEFT JOIN LATERAL (\(Self.version("body", of: venue.id, "changed.feature_id", from: "from_after"))) AS after ON true
            WHERE (running <= \(page.bytes) OR row_index = 1) AND row_index <= coalesce(\(page.limit.map(Int64.init)), row_index)
            ORDER BY changed.feature_id
            """
        var isLast = true
        try await self.stream(query, of: venue, at: from, to) { row in
            let feature = try row.decode(0, as: FeatureID.self)
            try await change(feature, Self.body(feature, of: row, at: 1), Self.body(feature, of: row, at: 4))
            isLast = try row.decode(7)
        }
        return isLast
    }

    private static func body(_ feature: FeatureID, of row: Row, at column: Int) throws -> FeatureRecord? {
        guard let type = try row.decode(column, as: String?.self) else { return nil }
        return FeatureRecord(
            id: feature, type: FeatureType(rawValue: type), level: try row.decode(column + 1),
            body: try row.decode(column + 2, as: TextBytes.self).bytes)
    }

    /// Common table expressions `before` and `after`: the versions that hold at one of the two revisions and not at the other.
    private static func exclusiveVersions(of venue: VenueRecord, from: Int64, to: Int64) -> Query {
        let (older, newer) = (min(from, to), max(from, to))
        let (ended, begun): (Query, Query) = from <= to ? ("before", "after") : ("after", "before")
        return Self.exclusiveVersions(
            of: "\(venue.id)", older: "\(older)", newer: "\(newer)", ended: ended, begun: begun,
            // All versions of the first revision began with it.
            beginnings: older > 0 ? nil : "\(Self.byToRevision) AND (from_revision <= \(newer)) IS TRUE")
    }

    /// - Parameters:
    ///   - older: An expression for the older revision, at least 1; `newer` for the newer one.
    ///   - ended: The name for the versions that hold only at the older revision, `begun` for those only at the newer one.
    ///   - beginnings: The condition for the beginning of the latter.
    static func exclusiveVersions(
        of venue: Query, older: Query, newer: Query, ended: Query = "before", begun: Query = "after",
        beginnings: Query? = nil
    ) -> Query {
        let afterOlder: Query = "\(Self.byFromRevision) AND from_revision > \(older) AND from_revision <= \(newer)"
        // Bodies are large and few are needed, so they are read once it is known which.
        let columns: Query = """
            feature_id, feature_type, level_id, depth, from_revision, body_sha256, octet_length(body) AS bytes
            """
        return """
            WITH \(ended) AS (
                SELECT \(columns) FROM feature_version WHERE venue_id = \(venue) AND \(Self.byToRevision)
                    AND from_revision <= \(older) AND to_revision > \(older) AND to_revision <= \(newer)
            ), \(begun) AS (
                SELECT \(columns) FROM feature_version WHERE venue_id = \(venue) AND \(beginnings ?? afterOlder)
                    AND to_revision > \(newer)
            )
            """
    }
}
