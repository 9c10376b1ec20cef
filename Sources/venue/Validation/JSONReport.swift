import IMDF
import IMDFValidation

/// A report as JSON, with the members of `GET /uploads/{id}/findings` and all findings at once.
struct JSONReport: Encodable {
    let archive: String
    let edition: String
    let findings: [Finding]
    let counts: [String: Int]
    let error: Int
    let warning: Int
    let info: Int
    let truncated: Bool
    let skipped: [SkippedRule]

    enum CodingKeys: String, CodingKey {
        case archive, findings, counts, error, warning, info, truncated, skipped
        case edition = "rule_set"
    }

    init(_ report: FindingReport, of file: String) {
        self.archive = file
        self.edition = RuleBook.edition
        self.findings = report.findings
        self.counts = report.ruleCounts
        self.error = report.count(of: .error)
        self.warning = report.count(of: .warning)
        self.info = report.count(of: .info)
        self.truncated = report.isTruncated
        self.skipped = report.skipped
    }
}
