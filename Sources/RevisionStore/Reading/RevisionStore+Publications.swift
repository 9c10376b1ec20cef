package import IMDF
import Postgres
package import SyncModel

/// A notice that a revision was published, with just enough for a client to decide whether it is affected.
package struct PublicationNotice: Sendable {
    /// The catalogue position of the revision.
    package let position: Int64
    package let venue: VenueKey
    package let number: Int64
    package let kind: Revision.Kind
    /// The levels that it changed; nil stands for the venue-wide part. At most ``listedLevels``.
    package let levels: [FeatureID?]
    /// Whether it changed more levels than are listed.
    package let hasMoreLevels: Bool

    package static let listedLevels = 200
}

extension RevisionStore {
    /// The first revisions of all venues after a position, in order, without those of deleted venues.
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
                hasMoreLevels: levels.count > PublicationNotice.listedLevels)
        }
    }
}
