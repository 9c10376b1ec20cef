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
    /// What it touched; nil inside is the venue-wide part. At most ``listedLevels``.
    package let levels: [FeatureID?]
    /// Whether it touched more levels than are listed.
    package let touchedMore: Bool

    package static let listedLevels = 200
}

extension RevisionStore {
    /// The revisions of all venues after a position, at most `limit` of them, in order. Those of deleted venues are not there.
    package func publications(after position: Int64, limit: Int) async throws -> [PublicationNotice] {
        let rows = try await self.pool.query(
            """
            SELECT position, (SELECT key FROM venue WHERE id = revision.venue_id), revision.number, revision.kind,
                ARRAY(SELECT level_id FROM level_state
                    WHERE level_state.venue_id = revision.venue_id AND level_state.revision = revision.number
                        AND \(Self.byRevision)
                    ORDER BY level_id NULLS FIRST LIMIT \(Int64(PublicationNotice.listedLevels) + 1))
            FROM revision
            WHERE position > \(position) ORDER BY position LIMIT \(Int64(limit))
            """)
        return try rows.map { row in
            guard let key = VenueKey(try row.decode(1)), let kind = Revision.Kind(rawValue: try row.decode(3)) else {
                throw PostgresError.decoding("a revision")
            }
            let levels = try row.decode(4, as: [FeatureID?].self)
            return PublicationNotice(
                position: try row.decode(0), venue: key, number: try row.decode(2), kind: kind,
                levels: Array(levels.prefix(PublicationNotice.listedLevels)),
                touchedMore: levels.count > PublicationNotice.listedLevels)
        }
    }
}
