import Foundation
package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// The next revision of a venue, computed from `base` and not published yet.
package struct Publication: Sendable {
    /// A feature version that begins with the new revision.
    package struct Version: Sendable {
        package var feature: FeatureID
        package var type: FeatureType
        package var placement: Placement
        /// Only for level features.
        package var ordinal: Int?
        package var digest: Digest
        package var body: [UInt8]

        package init(
            feature: FeatureID, type: FeatureType, placement: Placement, ordinal: Int?, digest: Digest, body: [UInt8]
        ) {
            self.feature = feature
            self.type = type
            self.placement = placement
            self.ordinal = ordinal
            self.digest = digest
            self.body = body
        }
    }

    package var venue: VenueRecord
    package var base: Int64
    /// By id, so that publications do not deadlock.
    package var versions: [Version]
    package var removed: [FeatureID]
    /// Features that the base does not contain.
    package var added: [FeatureID]
    /// The states of all levels that the publication changes.
    package var levelStates: [LevelState]
    package var features: Int
    package var manifest: [UInt8]?
    package var fileNames: [FeatureType: String]
    package var venueFeature: FeatureID?
    package var language: String?
    package var country: String?
    /// The time zone of the venue, if it has none.
    package var timeZone: TimeZoneProposal?
    package var identity: ArchiveIdentity
    package var changes: ChangeSummary
    /// What the description of the changes is made from.
    package var facts: [Fact]
    /// `created` in the manifest of the archive.
    package var created: String?
    /// What the upload changes about the overrides, and their numbers; nil if the venue has none.
    package var overrides: UploadedOverrides?

    package init(
        venue: VenueRecord, base: Int64, versions: [Version], removed: [FeatureID], added: [FeatureID],
        levelStates: [LevelState], features: Int, manifest: [UInt8]?, fileNames: [FeatureType: String],
        venueFeature: FeatureID?,
        language: String?,
        country: String?, timeZone: TimeZoneProposal? = nil, identity: ArchiveIdentity, changes: ChangeSummary,
        facts: [Fact], created: String? = nil, overrides: UploadedOverrides? = nil
    ) {
        self.venue = venue
        self.base = base
        self.versions = versions
        self.removed = removed
        self.added = added
        self.levelStates = levelStates
        self.features = features
        self.manifest = manifest
        self.fileNames = fileNames
        self.venueFeature = venueFeature
        self.language = language
        self.country = country
        self.timeZone = timeZone
        self.identity = identity
        self.changes = changes
        self.facts = facts
        self.created = created
        self.overrides = overrides
    }
}

/// What an upload changes about the overrides of its venue.
package struct UploadedOverrides: Sendable {
    package var changes: OverrideChanges
    package var counts: Upload.OverrideCounts

    package init(changes: OverrideChanges, counts: Upload.OverrideCounts) {
        self.changes = changes
        self.counts = counts
    }
}

extension RevisionStore {
    /// Publishes the result of a job as the next revision, in one transaction.
    ///
    /// - Parameter findings: nil to keep those that are stored. If they are not complete, the lease is kept for the rule book.
    /// - Returns: The new revision's number.
    /// - Throws: `headMoved` if `base` is not the newest revision any more, `leaseLost` if another worker has the job, `keyRevoked`
    ///   if the key of the upload was revoked.
    package func publish(
        _ publication: Publication, of job: Job, findings: FindingReport?
    ) async throws -> Int64 {
        try await self.publish(publication.versions, over: publication.base, of: publication.venue, job, findings) {
            ((), publication)
        }.number
    }

    /// The same for a publication of which only the versions are known yet: the rest is planned while they are written.
    ///
    /// - Parameter plan: Plans the publication. The plan itself is for the caller.
    package func publish<Plan: Sendable>(
        _ versions: some Sequence<Publication.Version> & Sendable, over base: Int64, of venue: VenueRecord, _ job: Job,
        _ findings: FindingReport?, _ plan: @escaping @Sendable () async throws -> (Plan, Publication)
    ) async throws -> (number: Int64, plan: Plan) {
        var completed: Plan?
        let number = try await self.withPublication(in: venue) { connection in
            let number = base + 1
            async let planned = plan()
            // Before any lock: these rows are not visible to others until COMMIT, and they are most of the work.
            try await Self.write(versions, as: number, of: venue.id, on: connection)
            let publication: Publication
            (completed, publication) = try await planned
            try await Self.check(job.authorization, on: connection)
            try await Self.finish(
                job, as: .published, revision: number, findings: findings, base: publication.base,
                identity: publication.identity, changes: publication.changes,
                overrides: publication.overrides?.counts, created: publication.created, on: connection)
            try await Self.advanceHead(of: publication.venue, from: publication.base, on: connection)
            if let timeZone = publication.timeZone {
                try await Self.propose(timeZone, for: publication.venue, on: connection)
            }
            try await Self.countImport(
                of: publication.venue, matches: publication.identity.matches, added: publication.added, on: connection)
            try await Self.endSpans(
                of: publication.versions.map(\.feature) + publication.removed, at: number, of: publication.venue.id,
                on: connection)
            if let overrides = publication.overrides?.changes {
                try await Self.write(overrides, at: number, of: publication.venue.id, on: connection)
            }
            try await Self.write(publication.levelStates, at: number, of: publication.venue.id, on: connection)
            let digest = try await Self.digest(
                of: publication.venue.id, at: number, manifest: publication.manifest, on: connection)
            let names = Dictionary(uniqueKeysWithValues: publication.fileNames.map { ($0.key.rawValue, $0.value) })
            try await self.record(
                RevisionRow(
                    venue: publication.venue, number: number, kind: .upload, restores: nil, upload: job.upload,
                    author: job.author, message: job.message, features: publication.features, digest: digest,
                    manifest: publication.manifest.map { String(decoding: $0, as: UTF8.self) },
                    fileNames: try Self.text(names), venueFeature: publication.venueFeature,
                    language: publication.language, country: publication.country, facts: publication.facts,
                    changes: publication.changes),
                on: connection)
            return number
        }
        guard let completed else { throw StoreError.headMoved }  // not reached: a number is the result of a plan
        return (number, completed)
    }

    static func write(
        _ versions: some Sequence<Publication.Version>, as number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        _ = try await connection.copyIn(
            """
            COPY feature_version (venue_id, feature_id, from_revision, feature_type, level_id, touches, depth, ordinal,
                body_sha256, body) FROM STDIN (FORMAT binary)
            """
        ) { writer in
            for version in versions {
                try await writer.row(
                    venue, version.feature, number, version.type.rawValue, version.placement.level,
                    version.placement.touches, Int32(clamping: version.placement.depth),
                    version.ordinal.flatMap(Int32.init(exactly:)), version.digest, TextBytes(version.body))
            }
        }
    }

    /// Increments the head. From here on the venue's row is locked, so no other publication continues, and nothing is pruned.
    ///
    /// - Parameter source: The revision that a rollback has read. If it is not pruned now, it was read completely.
    /// - Throws: `headMoved` if the base is not the newest revision any more, `revisionPruned` if the source was pruned,
    ///   `lineageChanged` if the server was promoted and the epochs are not renewed yet.
    static func advanceHead(
        of venue: VenueRecord, from base: Int64, restoring source: Int64? = nil, on connection: Connection
    ) async throws {
        let advanced = try await connection.query(
            """
            UPDATE venue SET head = head + 1
            WHERE id = \(venue.id) AND head = \(base) AND epoch = \(venue.epoch) AND deleted_at IS NULL
                AND \(Self.isOfKnownTimeline) AND (\(source)::bigint IS NULL OR first_revision <= \(source))
            """)
        guard advanced.affected == 1 else {
            throw try await Self.publicationError(for: venue.id, restoring: source, on: connection)
        }
    }

    /// The reason why a revision cannot be published on top of another, or from an earlier one.
    static func publicationError(
        for venue: Int64, restoring source: Int64?, on connection: Connection
    ) async throws -> StoreError {
        let isKnown = try await connection.query("SELECT \(Self.isOfKnownTimeline)").decode(Bool.self)
        guard isKnown == [true] else { return .lineageChanged }
        let first = try await connection.query("SELECT first_revision FROM venue WHERE id = \(venue)")
            .decode(Int64.self).first
        if let source, let first, source < first { return .revisionPruned(source, first: first) }
        return .headMoved
    }

    static func endSpans(
        of features: [FeatureID], at number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        guard number > 1 else { return }  // there are no earlier versions
        let lookup: Query = """
            SELECT ctid AS tid FROM feature_version
            WHERE venue_id = \(venue) AND feature_id = wanted.id
                AND from_revision < \(number) AND to_revision = \(Self.unended)
            """
        _ = try await connection.query(
            """
            UPDATE feature_version SET to_revision = \(number)
            WHERE ctid = ANY(ARRAY(SELECT tid FROM \(Self.lookup(of: features, lookup))))
            """)
    }

    static func write(
        _ states: [LevelState], at number: Int64, of venue: Int64, on connection: Connection
    ) async throws {
        _ = try await connection.query(
            """
            INSERT INTO level_state (venue_id, revision, level_id, digest, features, bytes)
            SELECT \(venue), \(number), * FROM unnest(\(states.map(\.level)), \(states.map(\.digest)),
                \(states.map { Int32(clamping: $0.features) }), \(states.map(\.bytes)))
            """)
    }

    /// The digest of a revision that is being written, computed from the states of all its levels.
    static func digest(
        of venue: Int64, at number: Int64, manifest: [UInt8]?, on connection: Connection
    ) async throws -> Digest {
        Self.digest(of: try await Self.newestStates(of: venue, at: number, on: connection), manifest: manifest)
    }

    /// - Parameter states: The venue-wide part first, then all levels by id.
    static func digest(of states: [LevelState], manifest: [UInt8]?) -> Digest {
        RevisionDigest.digest(
            venueWide: states[0].digest, levels: states.compactMap { state in state.level.map { ($0, state.digest) } },
            manifest: manifest)
    }

    /// The states of all levels of a revision that is being written: the venue-wide part first, then the levels by id.
    static func newestStates(
        of venue: Int64, at number: Int64, on connection: Connection
    ) async throws -> [LevelState] {
        let levels = try await connection.query(
            """
            SELECT feature_id FROM feature_version
            WHERE venue_id = \(venue) AND feature_type = 'level' AND to_revision = \(Self.unended)
            """
        ).decode(FeatureID.self).sorted()
        return try await Self.levelStates(of: venue, at: number, levels: levels, on: connection)
    }
}
