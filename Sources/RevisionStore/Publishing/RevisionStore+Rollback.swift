import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// A rollback of a venue to an earlier revision, as a new revision that is equal to it.
package struct Restoration: Sendable {
    package var venue: VenueRecord
    /// The revision for which the changes were counted, then the newest.
    package var base: Int64
    package var restores: Int64
    package var message: String?
    package var changes: ChangeSummary
    /// What the description of the changes is made from.
    package var facts: [Fact]

    package init(
        venue: VenueRecord, base: Int64, restores: Int64, message: String?, changes: ChangeSummary,
        facts: [Fact]
    ) {
        self.venue = venue
        self.base = base
        self.restores = restores
        self.message = message
        self.changes = changes
        self.facts = facts
    }
}

extension RevisionStore {
    /// Publishes an earlier state as the next revision, with a few statements over the whole venue.
    ///
    /// - Returns: The new revision's number.
    /// - Throws: `unknownRevision`, `revisionPruned`, `nothingToRestore`, or `headMoved` if another revision was published meanwhile.
    package func publish(_ restoration: Restoration, by authorization: Authorization) async throws -> Int64 {
        try await self.withPublication(in: restoration.venue) {
            try await self.restore(restoration, by: authorization, on: $0)
        }
    }

    private func restore(
        _ restoration: Restoration, by authorization: Authorization, on connection: Connection
    ) async throws -> Int64 {
        let (venue, base, restored) = (restoration.venue.id, restoration.base, restoration.restores)
        let number = base + 1
        let source = try await Self.source(of: restoration, on: connection)
        // As in every publication, versions are written before the lock: those of the restored revision that do not hold now.
        _ = try await connection.query(
            """
            INSERT INTO feature_version (venue_id, feature_id, from_revision, feature_type, level_id, touches, depth,
                ordinal, body_sha256, body)
            SELECT old.venue_id, old.feature_id, \(number), old.feature_type, old.level_id, old.touches, old.depth,
                old.ordinal, old.body_sha256, old.body
            FROM feature_version AS old
            LEFT JOIN LATERAL (
                SELECT body_sha256, level_id, touches, depth FROM feature_version
                WHERE venue_id = \(venue) AND feature_id = old.feature_id
                    AND from_revision <= \(base) AND to_revision > \(base)
                OFFSET 0
            ) AS now ON true
            WHERE old.venue_id = \(venue) AND (old.from_revision <= \(restored)) IS TRUE AND old.to_revision > \(restored)
                AND old.\(Self.byToRevision)
                AND (now.body_sha256, now.level_id, now.touches, now.depth)
                    IS DISTINCT FROM (old.body_sha256, old.level_id, old.touches, old.depth)
            ORDER BY old.feature_id
            """)
        try await Self.check(authorization, on: connection)
        try await Self.advanceHead(of: restoration.venue, from: base, restoring: restored, on: connection)
        // End the versions that are superseded, and those of features that the restored revision does not contain.
        _ = try await connection.query(
            """
            UPDATE feature_version AS now SET to_revision = \(number)
            WHERE now.venue_id = \(venue) AND now.from_revision < \(number) AND now.to_revision = \(Self.unended)
                AND now.\(Self.byToRevision)
                AND (EXISTS (SELECT FROM feature_version AS new WHERE new.venue_id = now.venue_id
                        AND new.feature_id = now.feature_id AND new.from_revision = \(number))
                    OR NOT EXISTS (SELECT FROM feature_version AS old WHERE old.venue_id = now.venue_id
                        AND old.feature_id = now.feature_id AND old.from_revision <= \(restored)
                        AND old.to_revision > \(restored)))
            """)
        try await Self.endAliases(at: number, of: venue, on: connection)
        try await Self.restoreLevelStates(of: venue, to: restored, as: number, on: connection)
        try await Self.restoreOverrides(of: venue, to: restored, as: number, on: connection)
        try await self.record(
            RevisionRow(
                venue: restoration.venue, number: number, kind: .rollback, restores: restored, upload: nil,
                author: authorization.author, message: restoration.message,
                features: Int(try source.decode(0, as: Int32.self)),
                digest: try source.decode(1), manifest: try source.decode(2), fileNames: try source.decode(3),
                venueFeature: try source.decode(4), language: try source.decode(5), country: try source.decode(6),
                facts: restoration.facts, changes: restoration.changes),
            on: connection)
        return number
    }

    /// The row of the revision to restore, after a check that it differs from the current one.
    private static func source(of restoration: Restoration, on connection: Connection) async throws -> Row {
        let rows = try await connection.query(
            """
            SELECT features, digest, manifest, file_names::text, venue_feature_id, language, country,
                digest = (SELECT digest FROM revision WHERE venue_id = \(restoration.venue.id)
                    AND number = \(restoration.base))
            FROM revision WHERE venue_id = \(restoration.venue.id) AND number = \(restoration.restores)
            """)
        guard let row = rows.first else {
            let error = try await Self.publicationError(
                for: restoration.venue.id, restoring: restoration.restores, on: connection)
            throw error == .headMoved ? StoreError.unknownRevision(restoration.restores) : error
        }
        if try row.decode(7, as: Bool?.self) ?? false { throw StoreError.nothingToRestore }
        return row
    }

    /// Copies the level states of the restored revision; since the bodies are the same, nothing is hashed again.
    ///
    /// - Parameter levels: The levels to restore; nil for all levels and the venue-wide part.
    static func restoreLevelStates(
        of venue: Int64, to restored: Int64, as number: Int64, only levels: [FeatureID]? = nil,
        on connection: Connection
    ) async throws {
        _ = try await connection.query(
            """
            WITH now AS (
                SELECT DISTINCT ON (level_id) level_id, digest FROM level_state
                WHERE venue_id = \(venue) AND revision < \(number)
                ORDER BY level_id, revision DESC
            )
            INSERT INTO level_state (venue_id, revision, level_id, digest, features, bytes)
            SELECT \(venue), \(number), now.level_id, coalesce(old.digest, sha256('')),
                coalesce(old.features, 0), coalesce(old.bytes, 0)
            FROM now LEFT JOIN LATERAL (
                (SELECT digest, features, bytes FROM level_state
                WHERE venue_id = \(venue) AND level_id = now.level_id AND revision <= \(restored)
                ORDER BY revision DESC LIMIT 1)
                UNION ALL
                (SELECT digest, features, bytes FROM level_state
                WHERE now.level_id IS NULL AND venue_id = \(venue) AND level_id IS NULL AND revision <= \(restored)
                ORDER BY revision DESC LIMIT 1)
            ) AS old ON true
            WHERE coalesce(old.digest, sha256('')) <> now.digest
                AND (\(levels)::uuid[] IS NULL OR now.level_id = ANY(\(levels)))
            """)
    }
}
