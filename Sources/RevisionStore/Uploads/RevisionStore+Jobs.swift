package import IMDF
import Postgres
package import SyncModel

/// An upload that a worker has claimed. While its lease is renewed, no other worker claims it.
package struct Job: Sendable {
    /// The difference that was shown when the upload was staged.
    package struct ShownDifference: Sendable, Hashable {
        /// The revision that the archive was compared with; 0 before the first.
        package let base: Int64
        /// The digest of the difference.
        package let digest: Digest
    }

    /// A request to publish a staged upload.
    package struct PublishRequest: Sendable, Hashable {
        /// The revision that the author believes to be the newest; nil to replace any.
        package let base: Int64?
        /// Reasons that do not prevent the publication.
        package let confirmed: Set<String>

        package init(base: Int64?, confirmed: Set<String>) {
            self.base = base
            self.confirmed = confirmed
        }
    }

    /// The outcome of an upload whose rules are still to be run.
    package struct Outcome: Sendable, Hashable {
        /// The revision that the archive was compared with; 0 before the first.
        package let base: Int64
        /// The revision that the upload was published as; nil for an upload that changed nothing.
        package let revision: Int64?
    }

    package let upload: FeatureID
    package let lease: FeatureID
    package let venue: VenueKey
    package let options: UploadOptions
    package let author: String
    package let message: String?
    package let attempt: Int
    package let archiveBytes: Int64
    /// Nil for an upload that was not staged before.
    package let shownDifference: ShownDifference?
    /// Nil without a request: a staged upload is published because its time has come.
    package let publishRequest: PublishRequest?
    /// Whether all rules were run when the upload was staged.
    package let isValidated: Bool
    /// Whether findings of the upload are stored.
    package let hasFindings: Bool
    /// For an upload that is published or unchanged and not validated yet; nil for any other.
    package let outcome: Outcome?
    /// The authorization of the last request to publish the upload.
    package let authorization: Authorization
}

/// Restricts which of the waiting uploads a worker claims.
package struct ClaimScope: Sendable, Hashable {
    /// The maximum size of the archive in bytes; nil for any size.
    package var largestArchive: Int64?
    /// Whether to skip submitters of whom another upload is being processed.
    package var onlyIdleSubmitters: Bool

    package init(largestArchive: Int64? = nil, onlyIdleSubmitters: Bool = false) {
        self.largestArchive = largestArchive
        self.onlyIdleSubmitters = onlyIdleSubmitters
    }

    package static let any = ClaimScope()
}

extension RevisionStore {
    /// The number of attempts after which an upload ends as `failed`.
    package static let attempts: Int32 = 3

    /// Claims the next upload, or one whose worker is gone; nil if there is none.
    ///
    /// A staged upload is due when its time has come by the database's clock and there is no reason against it. The uploads of one
    /// venue are processed one at a time and in their order. Otherwise the submitter who was served longest ago comes first, then the
    /// venue. A deleted venue has no jobs.
    ///
    /// - Parameter session: The session of the worker, from which others can tell that its process has ended.
    package func claim(
        leaseFor seconds: Double, session: WorkerSession? = nil, scope: ClaimScope = .any
    ) async throws -> Job? {
        let lease = FeatureID.random()
        do {
            return try await self.pool.withConnection { connection in
                _ = try await connection.query(
                    """
                    WITH lost AS (
                        UPDATE upload SET state = 'failed', lease = NULL, finished_at = now(),
                            failure = 'the worker was lost ' || attempts || ' times while it worked on this archive'
                        WHERE id = ANY(ARRAY(
                            SELECT id FROM upload
                            WHERE state = 'processing' AND \(Self.isAbandoned) AND attempts >= \(Self.attempts)
                            FOR UPDATE SKIP LOCKED))
                        RETURNING id
                    )
                    DELETE FROM staged_change USING lost WHERE upload_id = lost.id
                    """)
                return try await connection.query(
                    """
                    UPDATE upload SET state = 'processing', lease = \(lease),
                        attempts = CASE WHEN state = 'staged' THEN 1 ELSE attempts + 1 END,
                        lease_until = now() + make_interval(secs => \(seconds)), lease_session = \(session?.number),
                        renewed_at = now(), claimed_at = clock_timestamp(), phase = 'reading', done = 0, total = 0
                    FROM venue, archive
                    WHERE venue.id = upload.venue_id AND archive.id = upload.archive_id AND upload.id = (
                        SELECT id FROM upload AS next
                        WHERE state IN ('received', 'processing', 'staged')
                            AND (state = 'processing' AND \(Self.isAbandoned)
                                OR (\(Self.isWaiting(in: "next"))) AND NOT EXISTS (
                                    SELECT FROM upload AS other
                                    WHERE other.venue_id = next.venue_id
                                        AND other.state IN ('received', 'processing', 'staged')
                                        AND (other.state = 'processing'
                                            OR other.sequence_number < next.sequence_number AND (\(Self.isWaiting(in: "other"))))))
                            AND \(Self.isClaimable("next", in: scope))
                        ORDER BY \(Self.lastServed("submitter", like: "next")) NULLS FIRST,
                            \(Self.lastServed("venue_id", like: "next")) NULLS FIRST, sequence_number
                        LIMIT 1 FOR UPDATE SKIP LOCKED)
                    RETURNING \(Self.jobColumns)
                    """
                ).first.map { try Self.job(of: $0, lease: lease) }
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            return nil  // another worker has just claimed an upload of the venue
        }
    }

    static let jobColumns: Query = """
        upload.id, venue.key, upload.options::text, upload.author, upload.message, upload.attempts, archive.bytes,
        upload.base, upload.difference_digest, upload.publish_base, upload.publish_confirm, upload.state, upload.revision,
        upload.findings_complete AND upload.rule_set IS NOT NULL, upload.finding_counts <> '{}', upload.authorized_by
        """

    /// The time at which an upload with the same value in a column was claimed last.
    private static func lastServed(_ column: StaticString, like table: StaticString) -> Query {
        """
        (SELECT max(served.claimed_at) FROM upload AS served
            WHERE served.\(raw: "\(column)") = \(raw: "\(table)").\(raw: "\(column)") AND served.claimed_at IS NOT NULL)
        """
    }

    private static func isClaimable(_ table: StaticString, in scope: ClaimScope) -> Query {
        let upload: Query = "\(raw: "\(table)")"
        var condition: Query = """
            EXISTS (SELECT FROM venue WHERE venue.id = \(upload).venue_id AND venue.deleted_at IS NULL)
            """
        if let largest = scope.largestArchive {
            condition = """
                \(condition) AND EXISTS (
                    SELECT FROM archive WHERE archive.id = \(upload).archive_id AND archive.bytes <= \(largest))
                """
        }
        if scope.onlyIdleSubmitters {
            condition = """
                \(condition) AND NOT EXISTS (
                    SELECT FROM upload AS busy WHERE busy.state = 'processing' AND busy.submitter = \(upload).submitter)
                """
        }
        return condition
    }

    /// The condition for an upload that waits for a worker.
    private static func isWaiting(in table: String) -> Query {
        let upload: Query = "\(raw: table)"
        return """
            \(upload).state = 'received'
            OR \(upload).state = 'staged' AND \(upload).publish_at <= now() AND \(upload).reasons = '{}'
            """
    }

    static func job(of row: Row, lease: FeatureID) throws -> Job {
        guard let venue = VenueKey(try row.decode(1, as: String.self)) else {
            throw PostgresError.decoding("a venue key")
        }
        let digest = try row.decode(8, as: Digest?.self)
        let base = try row.decode(9, as: Int64?.self)
        let confirmed = try row.decode(10, as: [String]?.self)
        let isFinished = try row.decode(11, as: String.self) != Upload.State.processing.rawValue
        return Job(
            upload: try row.decode(0), lease: lease, venue: venue,
            options: try Self.json(row.decode(2, as: String.self), as: UploadOptions.self), author: try row.decode(3),
            message: try row.decode(4), attempt: Int(try row.decode(5, as: Int32.self)),
            archiveBytes: try row.decode(6),
            shownDifference: try digest.map {
                Job.ShownDifference(base: try row.decode(7, as: Int64?.self) ?? 0, digest: $0)
            },
            publishRequest: confirmed.map { Job.PublishRequest(base: base, confirmed: Set($0)) },
            isValidated: try row.decode(13),
            hasFindings: try row.decode(14),
            outcome: isFinished
                ? Job.Outcome(base: try row.decode(7, as: Int64?.self) ?? 0, revision: try row.decode(12)) : nil,
            authorization: Authorization(
                key: try row.decode(15), author: try row.decode(3), role: .publish, venue: venue))
    }

    /// Whether the key of the last request to publish an upload still permits it.
    package func isAuthorized(_ job: Job) async throws -> Bool {
        do {
            try await self.pool.transaction { try await Self.check(job.authorization, on: $0) }
            return true
        } catch let error as StoreError where error == .keyRevoked || error == .notPermitted {
            return false
        }
    }

    /// Renews the lease and stores the progress.
    ///
    /// - Throws: `leaseLost` if another worker has the job.
    package func renew(_ job: Job, for seconds: Double, progress: Upload.Progress) async throws {
        let renewed = try await self.pool.query(
            """
            UPDATE upload SET lease_until = now() + make_interval(secs => \(seconds)), renewed_at = now(),
                phase = \(progress.phase?.rawValue), done = \(Int32(clamping: progress.done)), total = \(Int32(clamping: progress.total))
            WHERE id = \(job.upload) AND lease = \(job.lease) AND state IN ('processing', 'published', 'unchanged')
            """)
        guard renewed.affected == 1 else { throw StoreError.leaseLost }
    }

    /// Ends a job that publishes nothing: `unchanged` or `rejected`.
    ///
    /// - Parameter venue: The venue that the archive does not change; the import is counted, and its aliases are updated. Nil for a
    ///   rejected archive.
    package func finish(
        _ job: Job, as state: Upload.State, findings: FindingReport, base: Int64?, identity: ArchiveIdentity?,
        changes: ChangeSummary?, overrides: UploadedOverrides? = nil, in venue: VenueRecord? = nil
    ) async throws {
        try await self.write(to: job.venue) { connection in
            try await Self.finish(
                job, as: state, revision: nil, findings: findings, base: base, identity: identity, changes: changes,
                overrides: overrides?.counts, on: connection)
            guard let venue else { return }
            if let changes = overrides?.changes, !changes.isEmpty {
                // The archive changes no feature, but it says something new about overridden values.
                try await Self.check(job.authorization, on: connection)
                try await Self.lockHead(of: venue, on: connection)
                try await Self.write(changes, at: venue.head, of: venue.id, on: connection)
            }
            try await Self.countImport(of: venue, matches: identity?.matches ?? [], added: [], on: connection)
        }
    }

    static func finish(
        _ job: Job, as state: Upload.State, revision: Int64?, findings: FindingReport?, base: Int64?,
        identity: ArchiveIdentity?, changes: ChangeSummary?, overrides: Upload.OverrideCounts? = nil,
        created: String? = nil, on connection: Connection
    ) async throws {
        // Until the findings are complete the job continues with its lease.
        let isComplete = findings?.isComplete ?? job.isValidated
        let finished = try await connection.query(
            """
            UPDATE upload SET state = \(state.rawValue), revision = \(revision), base = \(base),
                reasons = '{}', identity = \(try identity.map { try Self.text($0.counts) })::jsonb, changes = \(try Self.stored(changes)),
                overrides = \(try overrides.map { try Self.text($0) })::jsonb, finished_at = clock_timestamp(), archive_created = \(created),
                lease = CASE WHEN \(isComplete) THEN NULL ELSE lease END,
                phase = CASE WHEN \(isComplete) THEN phase ELSE 'validating' END,
                validations = CASE WHEN \(isComplete) THEN validations ELSE 1 END
                \(try Self.assignments(of: findings))
            WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
            """)
        guard finished.affected == 1 else { throw StoreError.leaseLost }
        _ = try await connection.query("DELETE FROM staged_change WHERE upload_id = \(job.upload)")
        try await Self.store(identity?.matches ?? [], of: job.upload, on: connection)
        if let findings { try await Self.store(findings, of: job, replaces: job.hasFindings, on: connection) }
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.data(value), as: UTF8.self)
    }

    /// Returns a job to the queue because this worker stops. This does not count as an attempt.
    package func giveBack(_ job: Job) async throws {
        try await self.pool.withConnection { connection in
            _ = try await connection.pipeline([
                """
                UPDATE upload SET lease = NULL, lease_until = NULL,
                    attempts = CASE WHEN state = 'processing' THEN greatest(attempts - 1, 0) ELSE attempts END,
                    validations = CASE WHEN state = 'processing' THEN validations ELSE greatest(validations - 1, 0) END,
                    state = CASE WHEN state = 'processing' THEN 'received' ELSE state END
                WHERE id = \(job.upload) AND lease = \(job.lease) AND state IN ('processing', 'published', 'unchanged')
                """,
                "SELECT pg_notify(\(Channel.upload), \(job.upload.description))::text",
            ])
        }
    }

    /// Returns a job to the queue after an error of the service, or ends it as `failed` after the last attempt. What is published
    /// already remains so, and only its rules are run again.
    ///
    /// - Parameter countsAttempt: False if the venue was only locked by others for too long.
    package func release(_ job: Job, after failure: String, countsAttempt: Bool = true) async throws {
        let limit: Query = countsAttempt ? "\(Self.attempts)" : "\(Int32.max)"
        _ = try await self.pool.query(
            """
            WITH released AS (
                UPDATE upload SET lease = NULL, lease_until = NULL, failure = \(failure),
                    attempts = CASE WHEN \(countsAttempt) THEN attempts ELSE attempts - 1 END,
                    state = CASE WHEN attempts >= \(limit) THEN 'failed' ELSE 'received' END,
                    finished_at = CASE WHEN attempts >= \(limit) THEN clock_timestamp() END
                WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
                RETURNING id, state
            ), unvalidated AS (
                UPDATE upload SET lease = NULL, lease_until = NULL
                WHERE id = \(job.upload) AND state IN ('published', 'unchanged') AND lease = \(job.lease)
            )
            DELETE FROM staged_change USING released WHERE upload_id = released.id AND released.state = 'failed'
            """)
    }
}
