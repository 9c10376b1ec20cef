package import Foundation
package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

extension RevisionStore {
    /// The overrides that hold at a revision.
    ///
    /// - Parameter features: Only those of these features.
    package func overrides(
        of venue: VenueRecord, at number: Int64, features: [FeatureID]? = nil
    ) async throws -> OverrideSet {
        guard number > 0 else { return OverrideSet() }
        let query: Query =
            if let features {
                """
                SELECT found.* FROM \(Self.lookup(of: features, """
                    SELECT \(Self.overrideColumns) FROM feature_override
                    WHERE venue_id = \(venue.id) AND feature_id = wanted.id
                        AND from_revision <= \(number) AND to_revision > \(number)
                    """))
                """
            } else {
                """
                SELECT \(Self.overrideColumns) FROM feature_override
                WHERE venue_id = \(venue.id) AND \(Self.holds(at: number)) AND \(Self.overridesByToRevision)
                """
            }
        return try await self.overrides(query, of: venue, at: number)
    }

    /// Those of some overrides that hold at a revision.
    package func overrides(
        _ ids: [FeatureID], of venue: VenueRecord, at number: Int64
    ) async throws -> OverrideSet {
        let lookup: Query = """
            SELECT \(Self.overrideColumns) FROM feature_override
            WHERE venue_id = \(venue.id) AND id = wanted.id AND from_revision <= \(number) AND to_revision > \(number)
            """
        return try await self.overrides("SELECT found.* FROM \(Self.lookup(of: ids, lookup))", of: venue, at: number)
    }

    /// The number of the set of overrides that hold at a revision, without reading them.
    package func overrideNumber(of venue: VenueRecord, at number: Int64) async throws -> Int64 {
        let rows = try await self.read(
            "SELECT override_number FROM venue WHERE id = \(venue.id)", of: venue, at: number)
        guard let current = try rows.decode(Int64.self).first else { throw StoreError.unknownVenue }
        return current
    }

    /// The number is read first: if an override changes in between, the number is the old one, and nothing is written with it.
    private func overrides(_ query: Query, of venue: VenueRecord, at number: Int64) async throws -> OverrideSet {
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([
                "SELECT override_number FROM venue WHERE id = \(venue.id)", query, Self.validityRow(of: venue),
            ])
        }
        try Self.checkValidity(results[2], of: venue, at: [number])
        guard let current = try results[0].decode(Int64.self).first else { throw StoreError.unknownVenue }
        return OverrideSet(
            number: current,
            overrides: try results[1].map { try Self.override(of: $0, at: 0) }.sorted { $0.id < $1.id })
    }

    /// A page of the overrides that hold at a revision, by id: as many as fit, at least one.
    ///
    /// - Parameter id: Only overrides with a greater id.
    /// - Returns: The overrides, and whether there are no more.
    package func overrides(
        of venue: VenueRecord, at number: Int64, state: Override.State?, feature: FeatureID?, after id: FeatureID?,
        limit: Int
    ) async throws -> (overrides: [Override], isLast: Bool) {
        let start = id ?? FeatureID(high: 0, low: 0)
        let holds: Query = "from_revision <= \(number) AND to_revision > \(number)"
        // The condition that selects the index: by feature, or the primary key.
        let selected: Query =
            if let feature {
                "feature_id = \(feature) AND (id > \(start)) IS TRUE"
            } else {
                "id > \(start)"
            }
        let rows = try await self.read(
            """
            WITH listed AS (
                SELECT \(Self.overrideColumns) FROM feature_override
                WHERE venue_id = \(venue.id) AND \(selected) AND \(holds)
                    AND (\(state?.rawValue)::text IS NULL OR state = \(state?.rawValue))
                ORDER BY id LIMIT \(Int64(limit) + 1)
            ), page AS (
                SELECT *, row_number() OVER (ORDER BY id) AS row_index, count(*) OVER () AS count,
                    sum(coalesce(octet_length(base), 0) + coalesce(octet_length(value), 0)
                        + coalesce(octet_length(source), 0) + coalesce(octet_length(feature_name), 0)
                        + coalesce(octet_length(covered), 0) + 500)
                        OVER (ORDER BY id) AS running
                FROM listed
            )
            SELECT \(Self.overrideColumns), row_index = count FROM page
            WHERE row_index <= \(Int64(limit)) AND (running <= \(Int64(Self.pageBytes)) OR row_index = 1) ORDER BY id
            """, of: venue, at: number)
        return (try rows.map { try Self.override(of: $0, at: 0) }, try rows.last?.decode(16, as: Bool.self) ?? true)
    }

    /// The lengths of the bodies of some features at a revision; features that it does not contain are omitted.
    package func bodyLengths(
        of ids: [FeatureID], in venue: VenueRecord, at number: Int64
    ) async throws -> [FeatureID: Int] {
        let lookup: Query = """
            SELECT feature_id, octet_length(body)::bigint FROM feature_version
            WHERE venue_id = \(venue.id) AND feature_id = wanted.id AND from_revision <= \(number)
                AND to_revision > \(number)
            """
        let rows = try await self.read(
            "SELECT found.* FROM \(Self.lookup(of: ids, lookup))", of: venue, at: number)
        return Dictionary(uniqueKeysWithValues: try rows.decode((FeatureID, Int64).self).map { ($0.0, Int($0.1)) })
    }

    private static let overrideColumns: Query = """
        id, feature_id, pointer, feature_type, feature_name, level_id, base, value, source, state, orphaned_at, author, message,
        made_at, expires_at, covered
        """

    /// Decodes ``overrideColumns``, the first of which is at `first`.
    private static func override(of row: Row, at first: Int) throws -> Override {
        func text(_ column: Int) throws -> [UInt8]? { try row.decode(first + column, as: TextBytes?.self)?.bytes }
        guard let pointer = OverridePointer(try row.decode(first + 2, as: String.self)),
            let state = Override.State(rawValue: try row.decode(first + 9, as: String.self))
        else { throw PostgresError.decoding("an override") }
        var override = Override(
            id: try row.decode(first + 0), feature: try row.decode(first + 1), pointer: pointer, base: try text(6),
            value: try text(7), source: try text(8),
            witness: .init(type: FeatureType(rawValue: try row.decode(first + 3)), name: try text(4)),
            level: try row.decode(first + 5), author: try row.decode(first + 11), message: try row.decode(first + 12),
            since: try row.decode(first + 13), until: try row.decode(first + 14))
        override.state = state
        override.orphanedAt = try row.decode(first + 10)
        if let covered = try row.decode(first + 15, as: String?.self) {
            override.covered = try CoveredOverride.overrides(of: covered, coveredBy: override)
        }
        return override
    }

    /// The pointers of a feature that were overridden at revisions, with the authors.
    package func origins(
        of feature: FeatureID, in venue: VenueRecord, at numbers: [Int64]
    ) async throws -> [Int64: [Override]] {
        guard let oldest = numbers.min(), let newest = numbers.max() else { return [:] }
        let rows = try await self.pool.query(
            """
            SELECT from_revision, to_revision, \(Self.overrideColumns) FROM feature_override
            WHERE venue_id = \(venue.id) AND feature_id = \(feature) AND from_revision <= \(newest)
                AND to_revision > \(oldest)
            """)
        return [:].merging(
            try numbers.map { number in
                let held = try rows.filter {
                    try $0.decode(0, as: Int64.self) <= number && $0.decode(1, as: Int64.self) > number
                }
                return (number, try held.map { try Self.override(of: $0, at: 2) })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Overrides of one venue and one author whose time is over by the clock of the database; nil if there are none.
    ///
    /// - Parameters:
    ///   - time: Another time than that of the clock.
    ///   - venues: Venues that are left out.
    package func expiredOverrides(
        at time: Date? = nil, outside venues: Set<VenueKey> = []
    ) async throws -> ExpiredOverrides? {
        let excluded = venues.map(\.description).sorted()
        let rows = try await self.pool.query(
            """
            SELECT venue.key, expired.author, expired.id, coalesce(\(time), now())
            FROM feature_override AS expired JOIN venue ON venue.id = expired.venue_id AND venue.deleted_at IS NULL
            WHERE expired.expires_at IS NOT NULL AND expired.\(Self.current)
                AND expired.expires_at <= coalesce(\(time), now()) AND venue.key <> ALL(\(excluded))
            ORDER BY expired.expires_at LIMIT 1000
            """
        ).decode((String, String, FeatureID, Date).self)
        guard let (text, author, _, time) = rows.first, let venue = VenueKey(text) else { return nil }
        return ExpiredOverrides(
            venue: venue, author: author, ids: rows.filter { $0.0 == text && $0.1 == author }.map(\.2), time: time)
    }
}

/// Overrides of one venue and one author whose time is over.
package struct ExpiredOverrides: Sendable {
    package let venue: VenueKey
    package let author: String
    package let ids: [FeatureID]
    /// By the clock of the database.
    package let time: Date
}
