package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// What an upload would change, stored until it is published or discarded, or until the rule book rejects another upload.
package struct Staging: Sendable {
    package struct Change: Sendable {
        package var feature: FeatureID
        package var kind: RevisionDiff.Change.Kind
        /// The type after the change; before it, if the feature is removed.
        package var type: FeatureType
        package var levelBefore: FeatureID?
        package var levelAfter: FeatureID?
        package var classes: [String]
        /// The body after the change; nil for a removed feature.
        package var body: [UInt8]?

        package init(
            feature: FeatureID, kind: RevisionDiff.Change.Kind, type: FeatureType, levelBefore: FeatureID?,
            levelAfter: FeatureID?,
            classes: [String], body: [UInt8]?
        ) {
            self.feature = feature
            self.kind = kind
            self.type = type
            self.levelBefore = levelBefore
            self.levelAfter = levelAfter
            self.classes = classes
            self.body = body
        }
    }

    /// The revision that the archive was compared with; 0 before the first.
    package var base: Int64
    /// Why it is not published, apart from the operator's own request.
    package var reasons: [Upload.Reason]
    /// The digest of the difference.
    package var digest: Digest
    package var identity: ArchiveIdentity
    package var changes: ChangeSummary
    /// What the description of the changes is made from.
    package var facts: [Fact]
    /// By id.
    package var items: [Change]
    /// The number of overrides by what would become of them; nil if the venue has none.
    package var overrides: Upload.OverrideCounts?
    /// The first overrides that the archive contests and that the last upload did not contest in the same way.
    package var contested: [OverrideEntry]

    package init(
        base: Int64, reasons: [Upload.Reason], digest: Digest, identity: ArchiveIdentity, changes: ChangeSummary,
        facts: [Fact], items: [Change], overrides: Upload.OverrideCounts? = nil, contested: [OverrideEntry] = []
    ) {
        self.base = base
        self.reasons = reasons
        self.digest = digest
        self.identity = identity
        self.changes = changes
        self.facts = facts
        self.items = items
        self.overrides = overrides
        self.contested = contested
    }
}

extension RevisionStore {
    /// Ends a job with its upload `staged`, and replaces what was staged before. If there is a reason against the publication, the
    /// upload is not published by itself any more, and its publication has to be requested again.
    ///
    /// - Throws: `leaseLost` if another worker has the job.
    package func stage(_ staging: Staging, of job: Job, findings: FindingReport) async throws {
        try await self.pool.transaction { connection in
            try await Self.end(job, as: .staged, with: staging, findings, on: connection)
        }
    }

    /// Ends a job with its upload `rejected` because of errors that the rule book found. What it would change is kept until the rule book
    /// rejects another upload of the venue, so that the findings can be shown where they are.
    ///
    /// - Throws: `leaseLost` if another worker has the job.
    package func reject(_ staging: Staging, of job: Job, findings: FindingReport) async throws {
        try await self.pool.transaction { connection in
            try await Self.end(job, as: .rejected, with: staging, findings, on: connection)
            _ = try await connection.query(
                """
                WITH older AS (
                    UPDATE upload SET difference_digest = NULL, facts = NULL, changes = NULL
                    WHERE id = ANY(ARRAY(
                        SELECT other.id FROM upload AS other JOIN upload AS newest USING (venue_id)
                        WHERE newest.id = \(job.upload) AND other.id <> newest.id
                            AND other.state = 'rejected' AND other.difference_digest IS NOT NULL
                        FOR UPDATE OF other SKIP LOCKED))
                    RETURNING id
                )
                DELETE FROM staged_change WHERE upload_id = ANY(ARRAY(SELECT id FROM older))
                """)
        }
    }

    /// Stores the outcome of a job that publishes nothing, with what the upload would change.
    private static func end(
        _ job: Job, as state: Upload.State, with staging: Staging, _ findings: FindingReport, on connection: Connection
    ) async throws {
        let contested: String? = try staging.contested.isEmpty ? nil : Self.text(staging.contested)
        let remainsTimed = state == .staged && staging.reasons.isEmpty
        let ended = try await connection.query(
            """
            UPDATE upload SET state = \(state.rawValue), lease = NULL, phase = NULL, done = 0, total = 0,
                reasons = \(staging.reasons.map(\.rawValue)), base = \(staging.base), difference_digest = \(staging.digest),
                identity = \(try Self.text(staging.identity.counts))::jsonb, changes = \(try Self.stored(staging.changes)),
                facts = \(try Self.text(staging.facts))::jsonb,
                overrides = \(try staging.overrides.map { try Self.text($0) })::jsonb,
                contested = \(contested), publish_at = CASE WHEN \(remainsTimed) THEN publish_at END,
                published_by = NULL, publish_base = NULL, publish_confirm = NULL, failure = NULL,
                finished_at = CASE WHEN \(state.isFinal) THEN clock_timestamp() END
                \(try Self.assignments(of: findings))
            WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
            """)
        guard ended.affected == 1 else { throw StoreError.leaseLost }
        _ = try await connection.query("DELETE FROM staged_change WHERE upload_id = \(job.upload)")
        _ = try await connection.copyIn(
            """
            COPY staged_change (upload_id, feature_id, kind, feature_type, level_before, level_after, classes, body)
            FROM STDIN (FORMAT binary)
            """
        ) { writer in
            for item in staging.items {
                try await writer.row(
                    job.upload, item.feature, item.kind.rawValue, item.type.rawValue, item.levelBefore,
                    item.levelAfter, item.classes, item.body.map(TextBytes.init))
            }
        }
        try await Self.store(staging.identity.matches, of: job.upload, on: connection)
        try await Self.store(findings, of: job, replaces: job.hasFindings, on: connection)
    }

    /// Returns a staged upload to the queue, to be compared with the newest revision again and published.
    ///
    /// - Throws: `wrongState` unless it is staged. Of two requests at the same time one succeeds.
    package func requestPublication(
        of upload: UploadID, _ request: Job.PublishRequest, by authorization: Authorization
    ) async throws {
        try await self.write(to: self.venue(of: upload), by: authorization) { connection in
            let queued = try await connection.query(
                """
                UPDATE upload SET state = 'received', attempts = 0, reasons = '{}',
                    published_by = \(authorization.author), authorized_by = \(authorization.key),
                    publish_base = \(request.base), publish_confirm = \(request.confirmed.sorted())
                WHERE id = \(upload) AND state = 'staged'
                """)
            guard queued.affected == 1 else { throw try await Self.stateError(for: upload, on: connection) }
            _ = try await connection.query("SELECT pg_notify(\(Channel.upload), \(upload.description))::text")
        }
    }

    /// Ends an upload that is not being processed.
    ///
    /// - Throws: `wrongState` if it is being processed, or finished.
    package func discard(_ upload: UploadID, by authorization: Authorization) async throws {
        try await self.write(to: self.venue(of: upload), by: authorization) { connection in
            let discarded = try await connection.query(
                """
                UPDATE upload SET state = 'discarded', publish_at = NULL, finished_at = clock_timestamp()
                WHERE id = \(upload) AND state IN ('received', 'staged')
                """)
            guard discarded.affected == 1 else { throw try await Self.stateError(for: upload, on: connection) }
            _ = try await connection.query("DELETE FROM staged_change WHERE upload_id = \(upload)")
        }
    }

    /// The key of an upload's venue.
    private func venue(of upload: UploadID) async throws -> VenueKey {
        let keys = try await self.pool.query(
            "SELECT key FROM venue WHERE id = (SELECT venue_id FROM upload WHERE id = \(upload))"
        ).decode(String.self)
        guard let key = keys.first.flatMap({ VenueKey($0) }) else { throw StoreError.unknownUpload }
        return key
    }

    private static func stateError(for upload: UploadID, on connection: Connection) async throws -> StoreError {
        let states = try await connection.query("SELECT state FROM upload WHERE id = \(upload)").decode(String.self)
        guard let text = states.first, let state = Upload.State(rawValue: text) else { return .unknownUpload }
        return .wrongState(state)
    }
}
