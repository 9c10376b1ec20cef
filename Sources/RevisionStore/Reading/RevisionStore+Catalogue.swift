import IMDF
import Postgres
import SyncModel

extension RevisionStore {
    /// Whether the catalogue was ever in a state.
    func hasMark(_ mark: CatalogueCursor.Mark) async throws -> Bool {
        let chain = try await self.pool.query(
            "SELECT chain_hash FROM catalogue_position WHERE position = \(mark.position)"
        ).decode(Bytes.self).first
        return chain.map { CatalogueCursor.Mark(position: mark.position, chain: $0.bytes) == mark } ?? false
    }

    /// Whether the catalogue was ever at a position, in this history.
    package func wasAt(_ position: Int64) async throws -> Bool {
        try await self.pool.query("SELECT EXISTS (SELECT FROM catalogue_position WHERE position = \(position))")
            .decode(Bool.self) == [true]
    }

    /// Venues that were published after one position and up to another.
    func venuesPublished(after position: Int64, upTo last: Int64) async throws -> VenueSet {
        if let known = self.cache.published.value(for: position...last) { return known }
        let rows = try await self.pool.query(
            """
            SELECT catalogue_index FROM venue WHERE id = ANY(ARRAY(
                SELECT venue_id FROM revision WHERE position > \(position) AND position <= \(last)))
            """)
        let venues = VenueSet(try rows.decode(Int64.self))
        self.cache.published.keep(venues, for: position...last, cost: 1 + venues.runs.count)
        return venues
    }

    /// A revision of a venue, by what tells it from one of the same number that the venue had before it was made again.
    struct Moment: Sendable, Hashable {
        let venue: Int64
        let revision: Int64
        let position: Int64
        let digest: Digest
    }

    /// The newest revision of each of some venues at two positions: nil where there was none, or where it was deleted or pruned.
    func moments(
        of venues: [VenueRecord], at position: Int64?, and last: Int64
    ) async throws -> [(then: Moment?, now: Moment?)] {
        let rows = try await self.pool.query(
            """
            SELECT wanted.id, before.number, before.position, before.digest, after.number, after.position, after.digest
            FROM unnest(\(venues.map(\.id))) WITH ORDINALITY AS wanted (id, row_index)
            CROSS JOIN LATERAL (SELECT first_revision FROM venue WHERE id = wanted.id OFFSET 0) AS venue
            LEFT JOIN LATERAL (
                SELECT number, position, digest FROM revision
                WHERE venue_id = wanted.id AND position <= \(position) AND \(Self.byPosition)
                ORDER BY position DESC LIMIT 1
            ) AS before ON before.number >= venue.first_revision
            LEFT JOIN LATERAL (
                SELECT number, position, digest FROM revision
                WHERE venue_id = wanted.id AND position <= \(last) AND \(Self.byPosition)
                ORDER BY position DESC LIMIT 1
            ) AS after ON after.number >= venue.first_revision
            ORDER BY wanted.row_index
            """)
        return try rows.map { row in (try Self.moment(of: row, at: 1), try Self.moment(of: row, at: 4)) }
    }

    private static func moment(of row: Row, at column: Int) throws -> Moment? {
        guard let revision = try row.decode(column, as: Int64?.self) else { return nil }
        return Moment(
            venue: try row.decode(0), revision: revision, position: try row.decode(column + 1),
            digest: try row.decode(column + 2))
    }

    /// Those of some revisions that are not there any more.
    func lost(of moments: [Moment]) async throws -> Set<Moment> {
        guard !moments.isEmpty else { return [] }
        let rows = try await self.pool.query(
            """
            SELECT wanted.row_index FROM unnest(\(moments.map(\.venue)), \(moments.map(\.revision)), \(moments.map(\.position)))
                WITH ORDINALITY AS wanted (venue_id, number, position, row_index)
            LEFT JOIN LATERAL (
                SELECT number FROM revision
                WHERE venue_id = wanted.venue_id AND number = wanted.number AND position = wanted.position
                    AND number >= (SELECT first_revision FROM venue WHERE id = wanted.venue_id)
                OFFSET 0
            ) AS kept ON true
            WHERE kept.number IS NULL
            """)
        return Set(try rows.decode(Int64.self).map { moments[Int($0) - 1] })
    }
}
