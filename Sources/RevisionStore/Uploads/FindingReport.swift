package import Foundation
package import IMDF

/// The findings of an upload, as they are stored.
package struct FindingReport: Sendable {
    /// In the order in which they are reported.
    package var findings: [Finding]
    /// The number of findings by rule and by severity, including those that are not listed.
    package var rules: [String: Int]
    package var severities: [Finding.Severity: Int]
    /// Whether all rules were run.
    package var isComplete: Bool
    /// The edition of the rule book; nil if only the checks on reading were made.
    package var edition: String?
    /// The time that the rules used as the current time.
    package var checkedAt: Date?
    /// Rules that could not check everything.
    package var skipped: [SkippedRule]

    package init(
        findings: [Finding], rules: [String: Int], severities: [Finding.Severity: Int], isComplete: Bool = true,
        edition: String? = nil, checkedAt: Date? = nil, skipped: [SkippedRule] = []
    ) {
        self.findings = findings
        self.rules = rules
        self.severities = severities
        self.isComplete = isComplete
        self.edition = edition
        self.checkedAt = checkedAt
        self.skipped = skipped
    }

    /// The findings on reading an archive.
    package init(onReading findings: [Finding], isComplete: Bool) {
        self.init(
            findings: findings, rules: findings.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 },
            severities: findings.reduce(into: [:]) { $0[$1.severity, default: 0] += 1 }, isComplete: isComplete)
    }

    package var errors: Int { self.severities[.error] ?? 0 }
}

extension FindingReport: ExpressibleByArrayLiteral {
    /// A complete report.
    package init(arrayLiteral findings: Finding...) {
        self.init(onReading: findings, isComplete: true)
    }
}
