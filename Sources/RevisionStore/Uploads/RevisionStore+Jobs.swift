package import IMDF
import Postgres
package import SyncModel

/// An upload that a worker has claimed. While the lease is renewed nobody else works on it.
package struct Job: Sendable {
    /// What was shown of the upload when it was staged.
    package struct Shown: Sendable, Hashable {
        /// The revision it was compared with; 0 before the first.
        package let base: Int64
        /// Of the difference.
        package let digest: Digest
    }

    /// What somebody asked for who wants a staged upload published.
    package struct Wish: Sendable, Hashable {
        /// The revision they believe to be the newest; nil to replace whatever is there.
        package let base: Int64?
        /// Reasons that do not stop it.
        package let confirmed: Set<String>

        package init(base: Int64?, confirmed: Set<String>) {
            self.base = base
            self.confirmed = confirmed
        }
    }

    /// What became of an upload before its rule book was run through.
    package struct Settled: Sendable, Hashable {
        /// The revision it was compared with; 0 before the first.
        package let base: Int64
        /// The one that it made; nil for an upload that changed nothing.
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
    /// Nil for an upload that is worked on for the first time.
    package let shown: Shown?
    /// Nil when nobody asked: what was staged before is published because its time has come.
    package let wish: Wish?
    /// Whether all of the rule book was run through when the upload was staged.
    package let isValidated: Bool
    /// Whether findings are stored of it.
    package let hasFindings: Bool
    /// Of an upload that is published, or unchanged, and not validated yet; nil for any other.
    package let settled: Settled?
    /// Of whoever asked last for it to be published.
    package let authorization: Authorization
}

/// Which of the waiting uploads a worker takes.
package struct ClaimScope: Sendable, Hashable {
    /// In bytes; nil for any size.
    package var largestArchive: Int64?
    /// Whether authors are passed over of whom another upload is being processed.
    package var onlyIdleAuthors: Bool

    package init(largestArchive: Int64? = nil, onlyIdleAuthors: Bool = false) {
        self.largestArchive = largestArchive
        self.onlyIdleAuthors = onlyIdleAuthors
    }

    package static let any = ClaimScope()
}

extension RevisionStore {
    /// Tries before an upload is given up as `failed`.
    package static let attempts: Int32 = 3

    /// Takes the next upload whose turn it is, or takes over one whose worker went silent; nil when there is none.
    ///
    /// A staged upload has its turn when its time has come by the database's clock and nothing speaks against it. Uploads of
    /// one venue are processed one at a time and in their order. Among venues the turns go round: first comes the author
    /// who was served longest ago, then the venue. A deleted venue has no jobs.
    ///
    /// - Parameter session: Of the worker, so that others can tell when its process is gone.
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
                                OR (\(Self.waits(in: "next"))) AND NOT EXISTS (
                                    SELECT FROM upload AS other
                                    WHERE other.venue_id = next.venue_id
                                        AND other.state IN ('received', 'processing', 'staged')
                                        AND (other.state = 'processing'
                                            OR other.sequence_number < next.sequence_number AND (\(Self.waits(in: "other"))))))
                            AND \(Self.isClaimable("next", in: scope))
                        ORDER BY \(Self.lastServed("author", like: "next")) NULLS FIRST,
                            \(Self.lastServed("venue_id", like: "next")) NULLS FIRST, sequence_number
                        LIMIT 1 FOR UPDATE SKIP LOCKED)
                    RETURNING \(Self.jobColumns)
                    """
                ).first.map { try Self.job(of: $0, lease: lease) }
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            return nil  // another worker was a moment earlier; its job is this venue's turn
        }
    }

    static let jobColumns: Query = """
        upload.id, venue.key, upload.options::text, upload.author, upload.message, upload.attempts, archive.bytes,
        upload.base, upload.difference_digest, upload.publish_base, upload.publish_confirm, upload.state, upload.revision,
        upload.findings_complete AND upload.rule_set IS NOT NULL, upload.finding_counts <> '{}', upload.authorized_by
        """

    /// When an upload with the same value in a column was claimed last.
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
        if scope.onlyIdleAuthors {
            condition = """
                \(condition) AND NOT EXISTS (
                    SELECT FROM upload AS busy WHERE busy.state = 'processing' AND busy.author = \(upload).author)
                """
        }
        return condition
    }

    /// Whether an upload is waiting for a worker.
    private static func waits(in table: String) -> Query {
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
        let isSettled = try row.decode(11, as: String.self) != Upload.State.processing.rawValue
        return Job(
            upload: try row.decode(0), lease: lease, venue: venue,
            options: try Self.json(row.decode(2, as: String.self), as: UploadOptions.self), author: try row.decode(3),
            message: try row.decode(4), attempt: Int(try row.decode(5, as: Int32.self)),
            archiveBytes: try row.decode(6),
            shown: try digest.map { Job.Shown(base: try row.decode(7, as: Int64?.self) ?? 0, digest: $0) },
            wish: confirmed.map { Job.Wish(base: base, confirmed: Set($0)) }, isValidated: try row.decode(13),
            hasFindings: try row.decode(14),
            settled: isSettled
                ? Job.Settled(base: try row.decode(7, as: Int64?.self) ?? 0, revision: try row.decode(12)) : nil,
            authorization: Authorization(
                key: try row.decode(15), author: try row.decode(3), role: .publish, venue: venue))
    }

    /// Whether the key that asked for an upload to be published may still do so.
    package func isAuthorized(_ job: Job) async throws -> Bool {
        do {
            try await self.pool.transaction { try await Self.check(job.authorization, on: $0) }
            return true
        } catch let error as StoreError where error == .keyRevoked || error == .notPermitted {
            return false
        }
    }

    /// Keeps the job and tells how far it is.
    ///
    /// - Throws: `leaseLost` when somebody else has it.
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
    /// - Parameter venue: the venue that the archive says the same as; its import counts, and its ids are cache.
    package func finish(
        _ job: Job, as state: Upload.State, findings: FindingReport, base: Int64?, identity: ArchiveIdentity?,
        changes: ChangeSummary?, in venue: VenueRecord? = nil
    ) async throws {
        try await self.write(to: job.venue) { connection in
            try await Self.finish(
                job, as: state, revision: nil, findings: findings, base: base, identity: identity, changes: changes,
                on: connection)
            guard let venue else { return }
            try await Self.countImport(of: venue, matches: identity?.matches ?? [], added: [], on: connection)
        }
    }

    static func finish(
        _ job: Job, as state: Upload.State, revision: Int64?, findings: FindingReport?, base: Int64?,
        identity: ArchiveIdentity?, changes: ChangeSummary?, created: String? = nil, on connection: Connection
    ) async throws {
        // Until the findings are complete the job goes on, under the lease that it has.
        let isOver = findings?.isComplete ?? job.isValidated
        let finished = try await connection.query(
            """
            UPDATE upload SET state = \(state.rawValue), revision = \(revision), base = \(base),
                reasons = '{}', identity = \(try identity.map { try Self.text($0.counts) })::jsonb, changes = \(try Self.stored(changes)),
                finished_at = clock_timestamp(), archive_created = \(created),
                lease = CASE WHEN \(isOver) THEN NULL ELSE lease END,
                phase = CASE WHEN \(isOver) THEN phase ELSE 'validating' END,
                validations = CASE WHEN \(isOver) THEN validations ELSE 1 END
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

    /// Gives back a job that this worker cannot finish because it stops. That does not count as an attempt.
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

    /// Gives a job back after a fault of ours: to be tried again, or given up as `failed` when it was tried often enough. What
    /// is published already stays so, and only its rule book is run through again.
    ///
    /// - Parameter countsAttempt: False when the job only met others that held the venue for too long.
    package func release(_ job: Job, after failure: String, countsAttempt: Bool = true) async throws {
        let most: Query = countsAttempt ? "\(Self.attempts)" : "\(Int32.max)"
        _ = try await self.pool.query(
            """
            WITH released AS (
                UPDATE upload SET lease = NULL, lease_until = NULL, failure = \(failure),
                    attempts = CASE WHEN \(countsAttempt) THEN attempts ELSE attempts - 1 END,
                    state = CASE WHEN attempts >= \(most) THEN 'failed' ELSE 'received' END,
                    finished_at = CASE WHEN attempts >= \(most) THEN clock_timestamp() END
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
