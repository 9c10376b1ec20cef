package import IMDF
import Postgres

extension RevisionStore {
    /// A page of an upload's findings, in the order in which they were found.
    package struct FindingPage: Sendable {
        package let findings: [(number: Int, finding: Finding)]
        /// Whether there are no further findings.
        package let isLast: Bool
        /// The number of findings by rule, including those that are not stored.
        package let counts: [String: Int]
        /// Whether a rule has more findings than are stored.
        package let isTruncated: Bool
        /// The edition of the rule book; nil while only the checks on reading were made.
        package let edition: String?
        /// Whether all rules were run.
        package let isComplete: Bool
        /// Rules that could not check everything.
        package let skipped: [SkippedRule]
    }

    package func findings(
        of upload: UploadID, severity: Finding.Severity?, rule: String?, after: Int, limit: Int
    ) async throws -> FindingPage {
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([
                """
                SELECT number, rule, severity, left(message, \(Self.findingCharacters)), feature_id,
                    left(feature_type, \(Self.findingCharacters)), left(file, \(Self.findingCharacters)),
                    CASE WHEN length(pointer) <= \(Self.findingCharacters) THEN pointer END, at
                FROM finding
                WHERE upload_id = \(upload) AND number > \(Int32(clamping: after))
                    AND (\(severity?.rawValue)::text IS NULL OR severity = \(severity?.rawValue))
                    AND (\(rule)::text IS NULL OR rule = \(rule))
                ORDER BY number LIMIT \(Int64(limit) + 1)
                """,
                "SELECT finding_counts::text, rule_set, skipped::text, findings_complete FROM upload WHERE id = \(upload)",
                "SELECT rule, count(*) FROM finding WHERE upload_id = \(upload) GROUP BY rule",
            ])
        }
        guard let summary = try results[1].decode((String, String?, String, Bool).self).first
        else { throw StoreError.unknownUpload }
        let counts = try Self.json(summary.0, as: [String: Int].self)
        let stored = Dictionary(uniqueKeysWithValues: try results[2].decode((String, Int64).self))
        let rows = results[0].prefix(limit)
        let findings = try rows.map { row in
            (
                Int(try row.decode(0, as: Int32.self)),
                Finding(
                    rule: try row.decode(1), severity: Finding.Severity(rawValue: try row.decode(2)) ?? .info,
                    message: try row.decode(3), featureID: try row.decode(4),
                    featureType: try row.decode(5, as: String?.self).map(FeatureType.init(rawValue:)),
                    file: try row.decode(6),
                    pointer: try row.decode(7), at: try row.decode(8, as: [Double]?.self))
            )
        }
        return FindingPage(
            findings: findings, isLast: results[0].count <= limit, counts: counts,
            isTruncated: counts.contains { Int64($0.value) > stored[$0.key] ?? 0 },
            edition: summary.1, isComplete: summary.3,
            skipped: try Self.json(summary.2, as: [SkippedRule].self))
    }
}
