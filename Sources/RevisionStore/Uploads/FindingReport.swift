package import Foundation
package import IMDF

/// What is stored of the findings of an upload.
package struct FindingReport: Sendable {
    /// In the order in which they are to be told.
    package var findings: [Finding]
    /// How many there are of each rule and of each severity, listed or not.
    package var rules: [String: Int]
    package var severities: [Finding.Severity: Int]
    /// Whether all of the rule book was run through.
    package var isComplete: Bool
    /// Its edition; nil when only the door was looked at.
    package var ruleSet: String?
    /// The moment that its rules took for now.
    package var checkedAt: Date?
    /// Rules that could not look at everything, as JSON text.
    package var skipped: String

    package init(
        findings: [Finding], rules: [String: Int], severities: [Finding.Severity: Int], isComplete: Bool = true,
        ruleSet: String? = nil, checkedAt: Date? = nil, skipped: String = "[]"
    ) {
        self.findings = findings
        self.rules = rules
        self.severities = severities
        self.isComplete = isComplete
        self.ruleSet = ruleSet
        self.checkedAt = checkedAt
        self.skipped = skipped
    }

    /// What is found while an archive is read.
    package init(atTheDoor findings: [Finding], isComplete: Bool) {
        self.init(
            findings: findings, rules: findings.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 },
            severities: findings.reduce(into: [:]) { $0[$1.severity, default: 0] += 1 }, isComplete: isComplete)
    }

    package var errors: Int { self.severities[.error] ?? 0 }
}

extension FindingReport: ExpressibleByArrayLiteral {
    /// A complete report.
    package init(arrayLiteral findings: Finding...) {
        self.init(atTheDoor: findings, isComplete: true)
    }
}
