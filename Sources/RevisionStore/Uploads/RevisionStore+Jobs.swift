package import IMDF
import Postgres
package import SyncModel

extension RevisionStore {
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

    /// Ends a job that publishes nothing: `unchanged`, or `rejected` because the archive cannot be read.
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
                reasons = '{}', difference_digest = NULL, identity = \(try identity.map { try Self.text($0.counts) })::jsonb, changes = \(try Self.stored(changes)),
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

    /// Returns a job to the queue because this worker stops, or because of a condition of the database. This does not count as an
    /// attempt.
    ///
    /// - Parameter failure: What the upload waits for, which is shown until it is claimed again; nil for nothing.
    package func giveBack(_ job: Job, because failure: String? = nil) async throws {
        try await self.pool.withConnection { connection in
            _ = try await connection.pipeline([
                """
                UPDATE upload SET lease = NULL, lease_until = NULL,
                    attempts = CASE WHEN state = 'processing' THEN greatest(attempts - 1, 0) ELSE attempts END,
                    validations = CASE WHEN state = 'processing' THEN validations ELSE greatest(validations - 1, 0) END,
                    failure = CASE WHEN state = 'processing' THEN \(failure) ELSE failure END,
                    state = CASE WHEN state = 'processing' THEN 'received' ELSE state END
                WHERE id = \(job.upload) AND lease = \(job.lease) AND state IN ('processing', 'published', 'unchanged')
                """,
                "SELECT pg_notify(\(Channel.upload), \(job.upload.description))::text",
            ])
        }
    }

    /// Whether a job is tried again after an error.
    package enum NextAttempt: Sendable {
        /// Until all attempts are used up.
        case counted
        /// Without using up an attempt: the venue was only locked by others for too long.
        case uncounted
        /// It is not: every attempt would end like this one.
        case none
    }

    /// Returns a job to the queue after an error of the service, or ends it as `failed` after the last attempt. What is published
    /// already remains so, and only its rules are run again.
    ///
    package func release(_ job: Job, after failure: String, _ next: NextAttempt = .counted) async throws {
        let countsAttempt = next != .uncounted
        let limit: Query =
            switch next {
            case .counted: "\(Self.attempts)"
            case .uncounted: "\(Int32.max)"
            case .none: "0"
            }
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
