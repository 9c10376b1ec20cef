import IMDF
import Postgres

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
        let lease = LeaseID.random()
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
                        renewed_at = now(), claimed_at = clock_timestamp(), phase = 'reading', done = 0, total = 0, failure = NULL
                    FROM venue, archive
                    WHERE venue.id = upload.venue_id AND archive.id = upload.archive_id AND upload.id = (
                        SELECT id FROM upload AS next
                        WHERE state IN ('received', 'processing', 'staged')
                            AND (state = 'processing' AND \(Self.isAbandoned)
                                OR (\(Self.isWaiting(in: "next")))
                                    AND NOT EXISTS (
                                        SELECT FROM upload AS busy
                                        WHERE busy.venue_id = next.venue_id AND busy.state = 'processing')
                                    -- In order, because the first one is usually found at once, however many are waiting.
                                    AND NOT EXISTS (
                                        SELECT FROM upload AS other
                                        WHERE other.venue_id = next.venue_id AND other.sequence_number < next.sequence_number
                                            AND other.state IN ('received', 'processing', 'staged')
                                            AND (\(Self.isWaiting(in: "other")))
                                        ORDER BY other.sequence_number LIMIT 1))
                            AND \(Self.isClaimable("next", in: scope))
                        ORDER BY \(Self.lastServed("submitter")) NULLS FIRST,
                            \(Self.lastServed("venue_id")) NULLS FIRST, sequence_number
                        LIMIT 1 FOR UPDATE SKIP LOCKED)
                    RETURNING \(Self.jobColumns)
                    """
                ).first.map { try Self.job(of: $0, lease: lease) }
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            return nil  // another worker has just claimed an upload of the venue
        }
    }

    /// The time at which an upload with the same value in a column as `next` was claimed last.
    private static func lastServed(_ column: StaticString) -> Query {
        """
        (SELECT max(served.claimed_at) FROM upload AS served
            WHERE served.\(raw: "\(column)") = next.\(raw: "\(column)") AND served.claimed_at IS NOT NULL)
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
}
