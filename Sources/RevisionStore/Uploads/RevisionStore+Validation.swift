import Foundation
package import IMDF
import Postgres

/// Validation of uploads that are published, or that changed nothing. No request waits for it, and if a worker is killed, another one
/// repeats it.
extension RevisionStore {
    /// Claims the next upload that is to be validated; nil if there is none.
    ///
    /// The venue whose uploads were validated longest ago comes first; a deleted venue has no validations. A validation that was
    /// started too often is given up, so that an archive that crashes workers does so only a few times: its findings are complete
    /// then, and report that no rule was run.
    package func claimValidation(leaseFor seconds: Double, session: WorkerSession? = nil) async throws -> Job? {
        let lease = LeaseID.random()
        return try await self.pool.withConnection { connection in
            _ = try await connection.query(
                """
                UPDATE upload SET findings_complete = true, lease = NULL, skipped = \(Self.givenUp)::jsonb
                WHERE id = ANY(ARRAY(
                    SELECT id FROM upload WHERE \(Self.isUnvalidated) AND validations >= \(Self.attempts)
                    FOR UPDATE SKIP LOCKED))
                """)
            return try await connection.query(
                """
                UPDATE upload SET lease = \(lease), lease_until = now() + make_interval(secs => \(seconds)),
                    lease_session = \(session?.number), renewed_at = now(),
                    validations = validations + 1, phase = 'validating', done = 0, total = 0
                FROM venue, archive
                WHERE venue.id = upload.venue_id AND archive.id = upload.archive_id AND upload.id = (
                    SELECT id FROM upload AS next WHERE \(Self.isUnvalidated)
                        AND EXISTS (SELECT FROM venue WHERE venue.id = next.venue_id AND venue.deleted_at IS NULL)
                    ORDER BY (SELECT max(checked_at) FROM upload AS served WHERE served.venue_id = next.venue_id)
                        NULLS FIRST, sequence_number
                    LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING \(Self.jobColumns)
                """
            ).first.map { try Self.job(of: $0, lease: lease) }
        }
    }

    private static let isUnvalidated: Query = """
        state IN ('published', 'unchanged') AND NOT findings_complete AND (lease IS NULL OR \(Self.isAbandoned))
        """

    private static let givenUp = """
        [{"rule": "*", "reason": "The rule book was begun \(attempts) times and never finished.", "features": null}]
        """

    /// Ends a validation. The findings are complete now.
    ///
    /// - Throws: `leaseLost` if another worker has the job.
    package func finishValidation(_ job: Job, findings: FindingReport) async throws {
        try await self.pool.transaction { connection in
            let finished = try await connection.query(
                """
                UPDATE upload SET lease = NULL \(try Self.assignments(of: findings))
                WHERE id = \(job.upload) AND lease = \(job.lease)
                    AND state IN ('published', 'unchanged') AND NOT findings_complete
                """)
            guard finished.affected == 1 else { throw StoreError.leaseLost }
            try await Self.store(findings, of: job, replaces: true, on: connection)
        }
    }

    /// `created` in the manifest of the last archive that was published as a revision up to this one.
    package func archiveCreated(in venue: VenueRecord, upTo number: Int64) async throws -> String? {
        try await self.pool.query(
            """
            SELECT (SELECT archive_created FROM upload WHERE id = revision.upload_id) FROM revision
            WHERE venue_id = \(venue.id) AND number <= \(number) AND upload_id IS NOT NULL
            ORDER BY number DESC LIMIT 1
            """
        ).decode(String?.self).first ?? nil
    }

    /// Those of some ids that features of the venue had before a revision, and do not have at it.
    package func revived(
        _ ids: [FeatureID], in venue: VenueRecord, since number: Int64
    ) async throws -> Set<FeatureID> {
        guard !ids.isEmpty else { return [] }
        let lookup: Query = """
            SELECT feature_id FROM feature_version
            WHERE venue_id = \(venue.id) AND feature_id = wanted.id AND to_revision <= \(number) LIMIT 1
            """
        let found = try await self.pool.query("SELECT found.* FROM \(Self.lookup(of: ids, lookup))")
        return Set(try found.decode(FeatureID.self))
    }

    /// The stored ids by the ids of an upload's archive, if they differ.
    package func storedIDs(of upload: UploadID) async throws -> [FeatureID: FeatureID] {
        let rows = try await self.pool.query(
            "SELECT archive_ids, feature_ids FROM upload_match WHERE upload_id = \(upload) ORDER BY number"
        ).decode(([FeatureID], [FeatureID]).self)
        return Dictionary(rows.flatMap { zip($0.0, $0.1) }, uniquingKeysWith: { $1 })
    }

    // MARK: - Findings

    /// The maximum number of findings of one rule that are stored; the counts are exact.
    private static let storedFindingsPerRule = 1_000

    /// The assignments of an `UPDATE upload` for a report; empty without one.
    static func assignments(of report: FindingReport?) throws -> Query {
        guard let report else { return "" }
        let severities = Dictionary(
            uniqueKeysWithValues: Finding.Severity.allCases.map { ($0.rawValue, report.count(of: $0)) })
        let checkedAt = report.checkedAt.map { Date(timeIntervalSince1970: $0) }
        return """
            , findings_complete = \(report.isComplete), finding_counts = \(try Self.text(report.ruleCounts))::jsonb,
            severity_counts = \(try Self.text(severities))::jsonb, rule_set = \(report.edition),
            checked_at = \(checkedAt), skipped = \(try Self.text(report.skipped))::jsonb
            """
    }

    /// - Parameter replaces: Whether findings may be stored already.
    static func store(
        _ report: FindingReport, of job: Job, replaces: Bool, on connection: Connection
    ) async throws {
        if replaces { _ = try await connection.query("DELETE FROM finding WHERE upload_id = \(job.upload)") }
        try await Self.store(report.findings, of: job.upload, on: connection)
    }

    /// The maximum length of a text of a finding that is stored and read, because names in an archive have any length.
    static let findingCharacters: Int32 = 1_000

    /// Shortens a text of an archive and replaces NUL, which PostgreSQL does not accept.
    private static func storable(_ text: String) -> String {
        text.excerpt(characters: Int(Self.findingCharacters), bytes: 4 * Int(Self.findingCharacters))
            .replacing("\0", with: "\u{2400}")
    }

    /// A pointer that is too long is omitted, because a shortened one would point elsewhere.
    private static func storable(pointer: String) -> String? {
        pointer.utf8.count <= Int(Self.findingCharacters) ? Self.storable(pointer) : nil
    }

    private static func store(_ findings: [Finding], of upload: UploadID, on connection: Connection) async throws {
        guard !findings.isEmpty else { return }
        var rules: [String: Int] = [:]
        let stored = findings.filter { finding in
            rules[finding.rule, default: 0] += 1
            return rules[finding.rule, default: 0] <= Self.storedFindingsPerRule
        }
        _ = try await connection.copyIn(
            """
            COPY finding (upload_id, number, rule, severity, message, feature_id, feature_type, file, pointer, at)
            FROM STDIN (FORMAT binary)
            """
        ) { writer in
            for (number, finding) in stored.enumerated() {
                try await writer.row(
                    upload, Int32(number + 1), finding.rule, finding.severity.rawValue,
                    Self.storable(finding.message), finding.featureID,
                    finding.featureType.map { Self.storable($0.rawValue) },
                    finding.file.map(Self.storable), finding.pointer.flatMap(Self.storable(pointer:)), finding.at)
            }
        }
    }
}
