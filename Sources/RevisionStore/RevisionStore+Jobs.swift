package import IMDF
import Postgres
package import SyncModel

/// An upload that a worker has claimed. While the lease is renewed nobody else works on it.
package struct Job: Sendable {
    package let upload: FeatureID
    package let lease: FeatureID
    package let venue: VenueKey
    package let options: UploadOptions
    package let author: String
    package let message: String?
    package let attempt: Int
    package let archiveBytes: Int64
}

extension RevisionStore {
    /// Tries before an upload is given up as `failed`.
    package static let attempts: Int32 = 3

    /// Takes the next upload whose turn it is, or takes over one whose worker went silent; nil when there is none.
    ///
    /// Uploads of one venue are worked on one at a time and in their order.
    package func claim(leaseFor seconds: Double) async throws -> Job? {
        let lease = FeatureID.random()
        do {
            return try await self.pool.withConnection { connection in
                _ = try await connection.query(
                    """
                    UPDATE upload SET state = 'failed', lease = NULL, finished_at = now(),
                        failure = 'the worker was lost ' || attempts || ' times while it worked on this archive'
                    WHERE state = 'processing' AND lease_until < now() AND attempts >= \(Self.attempts)
                    """)
                return try await connection.query(
                    """
                    UPDATE upload SET state = 'processing', lease = \(lease), attempts = attempts + 1,
                        lease_until = now() + make_interval(secs => \(seconds)), phase = 'reading', done = 0, total = 0
                    FROM venue, archive
                    WHERE venue.id = upload.venue_id AND archive.id = upload.archive_id AND upload.id = (
                        SELECT id FROM upload AS next
                        WHERE state = 'processing' AND lease_until < now()
                            OR state = 'received' AND NOT EXISTS (
                                SELECT FROM upload AS earlier
                                WHERE earlier.venue_id = next.venue_id AND earlier.place < next.place
                                    AND earlier.state IN ('received', 'processing'))
                        ORDER BY place LIMIT 1 FOR UPDATE SKIP LOCKED)
                    RETURNING upload.id, venue.key, upload.options::text, upload.author, upload.message, upload.attempts,
                        archive.bytes
                    """
                ).first.map { try Self.job(of: $0, lease: lease) }
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            return nil  // another worker was a moment earlier; its job is this venue's turn
        }
    }

    private static func job(of row: Row, lease: FeatureID) throws -> Job {
        guard let venue = VenueKey(try row.decode(1, as: String.self)) else {
            throw PostgresError.decoding("a venue key")
        }
        return Job(
            upload: try row.decode(0), lease: lease, venue: venue,
            options: try Self.json(row.decode(2, as: String.self), as: UploadOptions.self), author: try row.decode(3),
            message: try row.decode(4), attempt: Int(try row.decode(5, as: Int32.self)), archiveBytes: try row.decode(6)
        )
    }

    /// Keeps the job and tells how far it is.
    ///
    /// - Throws: `leaseLost` when somebody else has it.
    package func renew(_ job: Job, for seconds: Double, progress: Upload.Progress) async throws {
        let renewed = try await self.pool.query(
            """
            UPDATE upload SET lease_until = now() + make_interval(secs => \(seconds)), phase = \(progress.phase?.rawValue),
                done = \(Int32(clamping: progress.done)), total = \(Int32(clamping: progress.total))
            WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
            """)
        guard renewed.affected == 1 else { throw StoreError.leaseLost }
    }

    /// Ends a job that publishes nothing: `unchanged` or `rejected`.
    ///
    /// - Parameter venue: the venue that the archive says the same as; its import counts, and its ids are remembered.
    package func finish(
        _ job: Job, as state: Upload.State, findings: [Finding], base: Int64?, identity: ArchiveIdentity?,
        changes: String?, in venue: VenueRecord? = nil
    ) async throws {
        try await self.pool.transaction { connection in
            if let venue { try await Self.write(identity?.matches ?? [], in: venue, on: connection) }
            try await Self.finish(
                job, as: state, revision: nil, findings: findings, base: base, identity: identity, changes: changes,
                on: connection)
            if let venue { try await Self.countImport(of: venue.id, added: [], on: connection) }
        }
    }

    static func finish(
        _ job: Job, as state: Upload.State, revision: Int64?, findings: [Finding], base: Int64?,
        identity: ArchiveIdentity?, changes: String?, on connection: Connection
    ) async throws {
        let finished = try await connection.query(
            """
            UPDATE upload SET state = \(state.rawValue), revision = \(revision), base = \(base), lease = NULL,
                identity = \(try identity.map { try Self.text($0.counts) })::jsonb, changes = \(changes)::jsonb,
                finished_at = clock_timestamp()
            WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
            """)
        guard finished.affected == 1 else { throw StoreError.leaseLost }
        try await Self.store(identity?.matches ?? [], of: job.upload, on: connection)
        let counts = try await Self.store(findings, of: job.upload, on: connection)
        _ = try await connection.query(
            """
            UPDATE upload SET findings_complete = true, finding_counts = \(try Self.text(counts.rules))::jsonb,
                severity_counts = \(try Self.text(counts.severities))::jsonb
            WHERE id = \(job.upload)
            """)
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.data(value), as: UTF8.self)
    }

    /// Gives a job back after a fault of ours: to be tried again, or given up as `failed` when it was tried often enough.
    package func release(_ job: Job, after failure: String) async throws {
        _ = try await self.pool.query(
            """
            UPDATE upload SET lease = NULL, lease_until = NULL, failure = \(failure),
                state = CASE WHEN attempts >= \(Self.attempts) THEN 'failed' ELSE 'received' END,
                finished_at = CASE WHEN attempts >= \(Self.attempts) THEN clock_timestamp() END
            WHERE id = \(job.upload) AND state = 'processing' AND lease = \(job.lease)
            """)
    }
}
