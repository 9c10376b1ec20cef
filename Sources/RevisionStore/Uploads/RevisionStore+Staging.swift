package import IMDF
package import IMDFDiff
import Postgres
package import SyncModel

/// What an upload would change, kept until somebody has decided.
package struct Staging: Sendable {
    package struct Change: Sendable {
        package var feature: FeatureID
        package var kind: RevisionDiff.Change.Kind
        /// After the change; before it, when the feature is removed.
        package var type: FeatureType
        package var levelBefore: FeatureID?
        package var levelAfter: FeatureID?
        package var classes: [String]
        /// After the change; nil for what is removed.
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

    /// The revision it was compared with; 0 before the first.
    package var base: Int64
    /// What holds it back, apart from the operator's own wish.
    package var reasons: [Upload.Reason]
    /// Of the difference.
    package var digest: Digest
    package var identity: ArchiveIdentity
    package var changes: ChangeSummary
    package var facts: [Fact]
    /// By id.
    package var items: [Change]

    package init(
        base: Int64, reasons: [Upload.Reason], digest: Digest, identity: ArchiveIdentity, changes: ChangeSummary,
        facts: [Fact], items: [Change]
    ) {
        self.base = base
        self.reasons = reasons
        self.digest = digest
        self.identity = identity
        self.changes = changes
        self.facts = facts
        self.items = items
    }
}

extension RevisionStore {
    /// Ends a job with its upload `staged`, in place of what was staged of it before. An upload that something speaks against
    /// has no time any more, and whoever asked for it to be published has to ask again.
    ///
    /// - Throws: `leaseLost` when the job is somebody else's now.
    package func stage(_ staging: Staging, of job: Job, findings: FindingReport) async throws {
        try await self.pool.transaction { connection in
            let staged = try await connection.query(
                """
                UPDATE upload SET state = 'staged', lease = NULL, phase = NULL, done = 0, total = 0,
                    reasons = \(staging.reasons.map(\.rawValue)), base = \(staging.base), difference_digest = \(staging.digest),
                    identity = \(try Self.text(staging.identity.counts))::jsonb, changes = \(try Self.stored(staging.changes)),
                    facts = \(try Self.text(staging.facts))::jsonb,
                    publish_at = CASE WHEN \(staging.reasons.isEmpty) THEN publish_at END,
                    published_by = NULL, publish_base = NULL, publish_confirm = NULL, failure = NULL
                    \(try Self.assignments(of: findings))
                WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
                """)
            guard staged.affected == 1 else { throw StoreError.leaseLost }
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
    }

    /// Puts a staged upload back into the queue, to be compared with the newest revision once more and published.
    ///
    /// - Throws: `wrongState` unless it is staged: of two who ask, one is heard.
    package func requestPublication(
        of upload: FeatureID, wish: Job.Wish, by authorization: Authorization
    ) async throws {
        try await self.write(to: self.venue(of: upload), by: authorization) { connection in
            let queued = try await connection.query(
                """
                UPDATE upload SET state = 'received', attempts = 0, reasons = '{}',
                    published_by = \(authorization.author), authorized_by = \(authorization.key),
                    publish_base = \(wish.base), publish_confirm = \(wish.confirmed.sorted())
                WHERE id = \(upload) AND state = 'staged'
                """)
            guard queued.affected == 1 else { throw try await Self.refusal(of: upload, on: connection) }
            _ = try await connection.query("SELECT pg_notify(\(Channel.upload), \(upload.description))::text")
        }
    }

    /// Ends an upload that nobody works on.
    ///
    /// - Throws: `wrongState` when it is being worked on, or finished.
    package func discard(_ upload: FeatureID, by authorization: Authorization) async throws {
        try await self.write(to: self.venue(of: upload), by: authorization) { connection in
            let discarded = try await connection.query(
                """
                UPDATE upload SET state = 'discarded', publish_at = NULL, finished_at = clock_timestamp()
                WHERE id = \(upload) AND state IN ('received', 'staged')
                """)
            guard discarded.affected == 1 else { throw try await Self.refusal(of: upload, on: connection) }
            _ = try await connection.query("DELETE FROM staged_change WHERE upload_id = \(upload)")
        }
    }

    /// The key of an upload's venue.
    private func venue(of upload: FeatureID) async throws -> VenueKey {
        let keys = try await self.pool.query(
            "SELECT key FROM venue WHERE id = (SELECT venue_id FROM upload WHERE id = \(upload))"
        ).decode(String.self)
        guard let key = keys.first.flatMap({ VenueKey($0) }) else { throw StoreError.unknownUpload }
        return key
    }

    private static func refusal(of upload: FeatureID, on connection: Connection) async throws -> StoreError {
        let states = try await connection.query("SELECT state FROM upload WHERE id = \(upload)").decode(String.self)
        guard let text = states.first, let state = Upload.State(rawValue: text) else { return .unknownUpload }
        return .wrongState(state)
    }
}
