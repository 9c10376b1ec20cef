import Foundation
package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// A rollback of some levels of a venue to an earlier revision, as a new revision.
package struct LevelRestoration: Sendable {
    /// A feature version that begins with the new revision: the body of a stored version, and its placement.
    package struct Version: Sendable {
        package var feature: FeatureID
        /// The revision with which the stored version began.
        package var source: Int64
        package var placement: Placement

        package init(feature: FeatureID, source: Int64, placement: Placement) {
            self.feature = feature
            self.source = source
            self.placement = placement
        }
    }

    package var venue: VenueRecord
    /// The revision for which the rollback was planned, then the newest.
    package var base: Int64
    package var restores: Int64
    /// By id.
    package var levels: [FeatureID]
    /// By id, so that publications do not deadlock.
    package var versions: [Version]
    package var removed: [FeatureID]
    package var features: Int
    package var venueFeature: FeatureID?
    package var fileNames: [FeatureType: String]
    package var message: String?
    package var changes: ChangeSummary
    /// What the description of the changes is made from.
    package var facts: [Fact]
    package var overrides: OverrideChanges

    package init(
        venue: VenueRecord, base: Int64, restores: Int64, levels: [FeatureID], versions: [Version],
        removed: [FeatureID], features: Int, venueFeature: FeatureID?, fileNames: [FeatureType: String],
        message: String?,
        changes: ChangeSummary, facts: [Fact], overrides: OverrideChanges
    ) {
        self.venue = venue
        self.base = base
        self.restores = restores
        self.levels = levels
        self.versions = versions
        self.removed = removed
        self.features = features
        self.venueFeature = venueFeature
        self.fileNames = fileNames
        self.message = message
        self.changes = changes
        self.facts = facts
        self.overrides = overrides
    }
}

extension RevisionStore {
    /// Publishes earlier states of some levels as the next revision. Manifest, language and country remain those of the head.
    ///
    /// - Returns: The new revision's number.
    /// - Throws: `headMoved` if another revision was published meanwhile, or if a required body is not stored any more;
    ///   `revisionPruned`.
    package func publish(_ restoration: LevelRestoration, by authorization: Authorization) async throws -> Int64 {
        try await self.withPublication(in: restoration.venue) {
            try await self.restore(restoration, by: authorization, on: $0)
        }
    }

    private func restore(
        _ restoration: LevelRestoration, by authorization: Authorization, on connection: Connection
    ) async throws -> Int64 {
        let venue = restoration.venue
        let number = restoration.base + 1
        let ended = restoration.versions.map(\.feature) + restoration.removed
        // As in every publication, the versions are written and hashed before the venue is locked.
        let about = try await connection.query(
            """
            SELECT manifest, language, country FROM revision
            WHERE venue_id = \(venue.id) AND number = \(restoration.base)
            """
        ).decode((String?, String?, String?).self).first
        guard let (manifest, language, country) = about else { throw StoreError.headMoved }
        for start in stride(from: 0, to: restoration.versions.count, by: Self.versionBatch) {
            let end = min(start + Self.versionBatch, restoration.versions.count)
            try await Self.write(restoration.versions[start..<end], as: number, of: venue.id, on: connection)
        }
        let venueWide = try await Self.venueWideState(of: venue.id, as: number, without: ended, on: connection)
        let before = try await Self.levelStates(of: venue.id, at: restoration.base, levels: [], on: connection)
        try await Self.check(authorization, on: connection)
        try await Self.advanceHead(
            of: venue, from: restoration.base, restoring: restoration.restores, on: connection)
        try await Self.endSpans(of: ended, at: number, of: venue.id, on: connection)
        try await Self.endAliases(at: number, of: venue.id, on: connection)
        try await Self.restoreLevelStates(
            of: venue.id, to: restoration.restores, as: number, only: restoration.levels, on: connection)
        try await Self.write(restoration.overrides, at: number, of: venue.id, on: connection)
        if venueWide.digest != before[0].digest {
            try await Self.write([venueWide], at: number, of: venue.id, on: connection)
        }
        let digest = try await Self.digest(
            of: venue.id, at: number, manifest: manifest.map { Array($0.utf8) }, on: connection)
        let names = Dictionary(uniqueKeysWithValues: restoration.fileNames.map { ($0.key.rawValue, $0.value) })
        try await self.record(
            RevisionRow(
                venue: venue, number: number, kind: .rollback, restores: restoration.restores,
                levels: restoration.levels, upload: nil, author: authorization.author, message: restoration.message,
                features: restoration.features, digest: digest, manifest: manifest, fileNames: try Self.text(names),
                venueFeature: restoration.venueFeature, language: language, country: country, facts: restoration.facts,
                changes: restoration.changes),
            on: connection)
        return number
    }

    /// The number of versions that are written in one statement.
    private static let versionBatch = 10_000

    /// Copies the bodies within the database; only placements are transferred.
    private static func write(
        _ versions: ArraySlice<LevelRestoration.Version>, as number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        let touches = versions.map { "{\($0.placement.touches.map(\.description).joined(separator: ","))}" }
        let written = try await connection.query(
            """
            INSERT INTO feature_version (venue_id, feature_id, from_revision, feature_type, level_id, touches, depth,
                ordinal, body_sha256, body)
            SELECT source.venue_id, source.feature_id, \(number), source.feature_type, placement.level_id,
                placement.touches::uuid[], placement.depth, source.ordinal, source.body_sha256, source.body
            FROM unnest(\(versions.map(\.feature)), \(versions.map(\.source)), \(versions.map(\.placement.level)),
                \(touches), \(versions.map { Int32(clamping: $0.placement.depth) }))
                AS placement (feature_id, from_revision, level_id, touches, depth)
            CROSS JOIN LATERAL (
                \(Self.version("*", of: venue, "placement.feature_id", from: "placement.from_revision"))
            ) AS source
            ORDER BY source.feature_id
            """)
        guard written.affected == versions.count else { throw StoreError.headMoved }
    }

    /// The new state of the venue-wide part. The bodies are hashed while they are read, because their size is not bounded.
    private static func venueWideState(
        of venue: Int64, as number: Int64, without ended: [FeatureID], on connection: Connection
    ) async throws -> LevelState {
        var state = LevelState(level: nil, digest: LevelDigest().finalize(), features: 0, bytes: 0)
        var digest = LevelDigest()
        try await connection.stream(
            """
            SELECT version.body FROM feature_version AS version
            WHERE version.venue_id = \(venue) AND version.to_revision = \(Self.unended) AND version.level_id IS NULL
                AND \(Self.byToRevision)
                AND (version.from_revision = \(number) OR version.from_revision < \(number) AND NOT EXISTS (
                    SELECT FROM unnest(\(ended)) AS ended (feature_id) WHERE ended.feature_id = version.feature_id))
            ORDER BY version.feature_id
            """
        ) { row in
            let body = try row.decode(0, as: TextBytes.self).bytes
            digest.add(body: body)
            state.features += 1
            state.bytes += Int64(body.count)
        }
        state.digest = digest.finalize()
        return state
    }
}
