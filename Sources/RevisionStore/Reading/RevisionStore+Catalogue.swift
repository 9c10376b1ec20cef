import IMDF
import Postgres
import SyncModel

extension RevisionStore {
    /// Whether the catalogue was ever at this position with this hash chain.
    func contains(_ checkpoint: CatalogueCursor.Checkpoint) async throws -> Bool {
        let hash = try await self.pool.query(
            "SELECT chain_hash FROM catalogue_position WHERE position = \(checkpoint.position)"
        ).decode(Bytes.self).first
        return hash.map { CatalogueCursor.Checkpoint(position: checkpoint.position, chainHash: $0.bytes) == checkpoint }
            ?? false
    }

    /// Whether the catalogue was ever at a position in this history.
    package func containsPosition(_ position: Int64) async throws -> Bool {
        try await self.pool.query("SELECT EXISTS (SELECT FROM catalogue_position WHERE position = \(position))")
            .decode(Bool.self) == [true]
    }

    /// Venues that were published after one catalogue position and up to another.
    func venuesPublished(after position: Int64, upTo last: Int64) async throws -> VenueSet {
        let rows = try await self.pool.query(
            """
            SELECT catalogue_index FROM venue WHERE id = ANY(ARRAY(
                SELECT venue_id FROM revision WHERE position > \(position) AND position <= \(last)))
            """)
        return VenueSet(try rows.decode(Int64.self))
    }

    /// A revision of a venue, identified also among those that had the same number before the venue was recreated.
    struct RevisionIdentity: Sendable, Hashable {
        let venue: Int64
        let revision: Int64
        let position: Int64
        let digest: Digest
        /// The number of features.
        let features: Int
    }

    /// The newest revision of each venue at two catalogue positions: nil if there was none, or if it was deleted or pruned.
    func revisions(
        of venues: [VenueRecord], at position: Int64?, and last: Int64
    ) async throws -> [(before: RevisionIdentity?, after: RevisionIdentity?)] {
        let rows = try await self.pool.query(
            """
            SELECT wanted.id, before.number, before.position, before.digest, before.features,
                after.number, after.position, after.digest, after.features
            FROM unnest(\(venues.map(\.id))) WITH ORDINALITY AS wanted (id, row_index)
            CROSS JOIN LATERAL (SELECT first_revision FROM venue WHERE id = wanted.id OFFSET 0) AS venue
            LEFT JOIN LATERAL (
                SELECT number, position, digest, features FROM revision
                WHERE venue_id = wanted.id AND position <= \(position) AND \(Self.byPosition)
                ORDER BY position DESC LIMIT 1
            ) AS before ON before.number >= venue.first_revision
            LEFT JOIN LATERAL (
                SELECT number, position, digest, features FROM revision
                WHERE venue_id = wanted.id AND position <= \(last) AND \(Self.byPosition)
                ORDER BY position DESC LIMIT 1
            ) AS after ON after.number >= venue.first_revision
            ORDER BY wanted.row_index
            """)
        return try rows.map { row in (try Self.identity(of: row, at: 1), try Self.identity(of: row, at: 5)) }
    }

    private static func identity(of row: Row, at column: Int) throws -> RevisionIdentity? {
        guard let revision = try row.decode(column, as: Int64?.self) else { return nil }
        return RevisionIdentity(
            venue: try row.decode(0), revision: revision, position: try row.decode(column + 1),
            digest: try row.decode(column + 2), features: Int(try row.decode(column + 3, as: Int32.self)))
    }

    /// Those of the revisions that were deleted or pruned.
    func missing(of revisions: [RevisionIdentity]) async throws -> Set<RevisionIdentity> {
        guard !revisions.isEmpty else { return [] }
        let rows = try await self.pool.query(
            """
            SELECT wanted.row_index
            FROM unnest(\(revisions.map(\.venue)), \(revisions.map(\.revision)), \(revisions.map(\.position)))
                WITH ORDINALITY AS wanted (venue_id, number, position, row_index)
            LEFT JOIN LATERAL (
                SELECT number FROM revision
                WHERE venue_id = wanted.venue_id AND number = wanted.number AND position = wanted.position
                    AND number >= (SELECT first_revision FROM venue WHERE id = wanted.venue_id)
                OFFSET 0
            ) AS kept ON true
            WHERE kept.number IS NULL
            """)
        return Set(try rows.decode(Int64.self).map { revisions[Int($0) - 1] })
    }
}
