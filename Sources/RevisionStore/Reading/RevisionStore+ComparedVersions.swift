package import IMDF
import Postgres

/// A version that holds at one of two revisions, or at both.
package struct ComparedVersion: Sendable {
    package let feature: FeatureID
    package let type: FeatureType
    package let placement: Placement
    /// The revision that it began with. Together with the feature id it identifies the version.
    package let fromRevision: Int64
    package let digest: Digest
    package let holdsNow: Bool
    package let heldThen: Bool
    package let body: [UInt8]
}

extension RevisionStore {
    /// Passes the versions of two revisions to a closure, one by one and in any order; a version that holds at both, once.
    ///
    /// Both revisions are immutable, so nothing is locked. Bodies are not collected, because all of them may not fit into memory.
    package func comparedVersions(
        of venue: VenueRecord, at now: Int64, or then: Int64, _ body: (ComparedVersion) throws -> Void
    ) async throws {
        try await self.stream(
            """
            SELECT feature_id, feature_type, level_id, touches, depth, from_revision, body_sha256,
                from_revision <= \(now) AND to_revision > \(now), from_revision <= \(then) AND to_revision > \(then),
                body
            FROM feature_version
            WHERE venue_id = \(venue.id) AND \(Self.byToRevision) AND to_revision > \(min(now, then))
                AND (from_revision <= \(now) AND to_revision > \(now)
                    OR from_revision <= \(then) AND to_revision > \(then))
            """, of: venue, at: now, then
        ) { row in
            try body(
                ComparedVersion(
                    feature: row.decode(0), type: FeatureType(rawValue: row.decode(1)),
                    placement: Placement(
                        level: row.decode(2), touches: row.decode(3),
                        depth: Int(row.decode(4, as: Int32.self))),
                    fromRevision: row.decode(5), digest: row.decode(6), holdsNow: row.decode(7),
                    heldThen: row.decode(8), body: row.decode(9, as: TextBytes.self).bytes))
        }
    }
}
