package import IMDF
import Postgres
package import SyncModel

/// That a revision was published, with no more of it than tells a client whether it is concerned.
package struct PublicationNotice: Sendable {
    /// Among the revisions of all venues.
    package let position: Int64
    package let venue: VenueKey
    package let number: Int64
    package let kind: Revision.Kind
    /// What it touched; nil inside is the venue-wide part.
    package let levels: [FeatureID?]
}

extension RevisionStore {
    /// The revisions of all venues after a position, at most `limit` of them, in order. Those of deleted venues are not there.
    package func publications(after position: Int64, limit: Int) async throws -> [PublicationNotice] {
        let rows = try await self.pool.query(
            """
            SELECT position, venue.key, revision.number, revision.kind,
                ARRAY(SELECT level_id FROM level_state
                    WHERE level_state.venue_id = revision.venue_id AND level_state.revision = revision.number
                    ORDER BY level_id NULLS FIRST)
            FROM revision JOIN venue ON venue.id = revision.venue_id
            WHERE position > \(position) ORDER BY position LIMIT \(Int64(limit))
            """)
        return try rows.map { row in
            guard let key = VenueKey(try row.decode(1)), let kind = Revision.Kind(rawValue: try row.decode(3)) else {
                throw PostgresError.decoding("a revision")
            }
            return PublicationNotice(
                position: try row.decode(0), venue: key, number: try row.decode(2), kind: kind,
                levels: try row.decode(4))
        }
    }
}
