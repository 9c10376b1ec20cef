package import Foundation
package import IMDF
import Postgres

extension RevisionStore {
    /// The number of the newest revision that was published at a time or before; nil if none of those that are kept was. Times are
    /// compared with the precision of milliseconds, in which clients see them.
    package func revisionNumber(publishedBy time: Date, of venue: VenueRecord) async throws -> Int64? {
        try await self.read(
            """
            SELECT number FROM revision
            WHERE venue_id = \(venue.id) AND number BETWEEN \(venue.first) AND \(venue.head)
                AND date_trunc('milliseconds', published_at) <= \(time)
            ORDER BY number DESC LIMIT 1
            """, of: venue, at: venue.first
        ).decode(Int64.self).first
    }

    /// The levels that the features of the venue-wide part touch; none for features without such levels.
    package func touchedLevels(of venue: VenueRecord, at number: Int64) async throws -> [FeatureID: [FeatureID]] {
        let rows = try await self.read(
            """
            SELECT feature_id, touches FROM feature_version
            WHERE venue_id = \(venue.id) AND \(Self.byToRevision) AND \(Self.holds(at: number)) AND level_id IS NULL
                AND touches <> '{}'
            """, of: venue, at: number)
        return Dictionary(try rows.decode((FeatureID, [FeatureID]).self)) { first, _ in first }
    }

    /// The bodies of features at a revision, in the same order, read in one statement.
    ///
    /// - Throws: `revisionPruned`, `venueGone` or `historyChanged` if some of them do not exist any more.
    package func bodies(
        of features: [FeatureID], in venue: VenueRecord, at number: Int64
    ) async throws -> [[UInt8]] {
        guard !features.isEmpty else { return [] }
        var bodies: [[UInt8]] = []
        bodies.reserveCapacity(features.count)
        try await self.stream(
            """
            SELECT version.body
            FROM unnest(\(features)) WITH ORDINALITY AS wanted (feature_id, row_index)
            CROSS JOIN LATERAL (
                SELECT body FROM feature_version
                WHERE venue_id = \(venue.id) AND feature_id = wanted.feature_id AND from_revision <= \(number)
                    AND to_revision > \(number)
                OFFSET 0
            ) AS version
            ORDER BY wanted.row_index
            """, of: venue, at: number
        ) { row in
            bodies.append(try row.decode(0, as: TextBytes.self).bytes)
        }
        guard bodies.count == features.count else { throw StoreError.historyChanged }
        return bodies
    }
}
