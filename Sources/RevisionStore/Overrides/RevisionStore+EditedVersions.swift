package import IMDF
import Postgres

/// The versions that an edit reads.
extension RevisionStore {
    /// Passes the features of a revision to a closure, in any order.
    ///
    /// - Parameter earlier: Only versions that began after this revision.
    package func versions(
        of venue: VenueRecord, at number: Int64, since earlier: Int64,
        _ body: (FeatureID, FeatureType, [UInt8]) throws -> Void
    ) async throws {
        let versions: Query = "SELECT feature_id, feature_type, body FROM feature_version WHERE venue_id = \(venue.id)"
        let condition: Query =
            if earlier > 0 {
                """
                from_revision > \(earlier) AND from_revision <= \(number) AND (to_revision > \(number)) IS TRUE
                    AND \(Self.byFromRevision)
                """
            } else {
                "\(Self.holds(at: number)) AND \(Self.byToRevision)"
            }
        try await self.stream("\(versions) AND \(condition)", of: venue, at: number) { row in
            try body(
                row.decode(0), FeatureType(rawValue: row.decode(1)), row.decode(2, as: TextBytes.self).bytes)
        }
    }

    /// The bodies of a level of the newest revision, or of its venue-wide part, in the order of the ids. If another revision is published
    /// meanwhile, some of them are missing, and nothing can be published that is based on them.
    package func orderedBodies(
        of level: FeatureID?, in venue: VenueRecord, _ body: (FeatureID, [UInt8]) throws -> Void
    ) async throws {
        let condition: Query = level.map { "level_id = \($0)" } ?? "level_id IS NULL"
        try await self.stream(
            """
            SELECT feature_id, body FROM feature_version
            WHERE venue_id = \(venue.id) AND to_revision = \(Self.unended) AND \(condition)
                AND (from_revision <= \(venue.head)) IS TRUE AND \(Self.byToRevision)
            ORDER BY feature_id
            """, of: venue, at: venue.head
        ) { row in
            try body(row.decode(0), row.decode(1, as: TextBytes.self).bytes)
        }
    }

    /// The versions of some features at a revision; features that it does not contain are omitted.
    package func storedVersions(
        of ids: [FeatureID], in venue: VenueRecord, at number: Int64
    ) async throws -> [FeatureID: Publication.Version] {
        let lookup: Query = """
            SELECT feature_id, feature_type, level_id, touches, depth, ordinal, body_sha256, body FROM feature_version
            WHERE venue_id = \(venue.id) AND feature_id = wanted.id AND from_revision <= \(number)
                AND to_revision > \(number)
            """
        let rows = try await self.read(
            "SELECT found.* FROM \(Self.lookup(of: ids, lookup))", of: venue, at: number)
        var versions: [FeatureID: Publication.Version] = [:]
        for row in rows {
            let id = try row.decode(0, as: FeatureID.self)
            versions[id] = Publication.Version(
                feature: id, type: FeatureType(rawValue: try row.decode(1)),
                placement: Placement(
                    level: try row.decode(2), touches: try row.decode(3), depth: Int(try row.decode(4, as: Int32.self))),
                ordinal: try row.decode(5, as: Int32?.self).map(Int.init), digest: try row.decode(6),
                body: try row.decode(7, as: TextBytes.self).bytes)
        }
        return versions
    }
}
