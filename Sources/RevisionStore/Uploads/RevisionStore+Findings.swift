package import IMDF
import Postgres

extension RevisionStore {
    /// A page of an upload's findings, in the order in which they were found.
    package struct FindingPage: Sendable {
        package let findings: [Finding]
        /// How many there are of each rule, stored or not.
        package let counts: [String: Int]
        /// Whether some rule found more than is stored.
        package let isTruncated: Bool
        /// Where the next page begins; nil on the last.
        package let next: Int?
    }

    package func findings(
        of upload: FeatureID, severity: Finding.Severity?, rule: String?, after: Int, limit: Int
    ) async throws -> FindingPage {
        let results = try await self.pool.withConnection { connection in
            try await connection.pipeline([
                """
                SELECT number, rule, severity, message, feature_id, feature_type, file, pointer, at FROM finding
                WHERE upload_id = \(upload) AND number > \(Int32(clamping: after))
                    AND (\(severity?.rawValue)::text IS NULL OR severity = \(severity?.rawValue))
                    AND (\(rule)::text IS NULL OR rule = \(rule))
                ORDER BY number LIMIT \(Int64(limit) + 1)
                """,
                "SELECT finding_counts::text FROM upload WHERE id = \(upload)",
                "SELECT rule, count(*) FROM finding WHERE upload_id = \(upload) GROUP BY rule",
            ])
        }
        guard let text = try results[1].decode(String.self).first else { throw StoreError.unknownUpload }
        let counts = try Self.json(text, as: [String: Int].self)
        let stored = Dictionary(uniqueKeysWithValues: try results[2].decode((String, Int64).self))
        let rows = results[0].prefix(limit)
        let findings = try rows.map { row in
            Finding(
                rule: try row.decode(1), severity: Finding.Severity(rawValue: try row.decode(2)) ?? .info,
                message: try row.decode(3), featureID: try row.decode(4),
                featureType: try row.decode(5, as: String?.self).map(FeatureType.init(rawValue:)),
                file: try row.decode(6),
                pointer: try row.decode(7), at: try row.decode(8, as: [Double]?.self))
        }
        return FindingPage(
            findings: findings, counts: counts,
            isTruncated: counts.contains { Int64($0.value) > stored[$0.key] ?? 0 },
            next: results[0].count > limit ? try rows.last.map { Int(try $0.decode(0, as: Int32.self)) } : nil)
    }

    /// At most so many findings of one rule are stored; the counts are exact.
    package static let storedFindingsPerRule = 1_000

    static func store(
        _ findings: [Finding], of upload: FeatureID, on connection: Connection
    ) async throws -> (rules: [String: Int], severities: [String: Int]) {
        var rules: [String: Int] = [:]
        var severities: [String: Int] = [:]
        var stored: [(number: Int32, finding: Finding)] = []
        for finding in findings {
            rules[finding.rule, default: 0] += 1
            severities[finding.severity.rawValue, default: 0] += 1
            guard rules[finding.rule, default: 0] <= Self.storedFindingsPerRule else { continue }
            stored.append((Int32(stored.count + 1), finding))
        }
        _ = try await connection.query("DELETE FROM finding WHERE upload_id = \(upload)")
        _ = try await connection.copyIn(
            """
            COPY finding (upload_id, number, rule, severity, message, feature_id, feature_type, file, pointer, at)
            FROM STDIN (FORMAT binary)
            """
        ) { writer in
            for (number, finding) in stored {
                try await writer.row(
                    upload, number, finding.rule, finding.severity.rawValue, finding.message, finding.featureID,
                    finding.featureType?.rawValue, finding.file, finding.pointer, finding.at)
            }
        }
        return (rules, severities)
    }
}
