/// The findings on an archive: those of the rule book, or only those on reading.
package struct FindingReport: Sendable {
    /// In the order in which they are reported. Of a rule with very many findings the report has only the first ones.
    package let findings: [Finding]
    /// How many findings each rule has, by severity, including those that are not listed.
    package let counts: [String: [Finding.Severity: Int]]
    /// Rules that could not check everything, in the order of the rule book.
    package let skipped: [SkippedRule]
    /// Whether all rules were run.
    package let isComplete: Bool
    /// The edition of the rule book; nil if only the checks on reading were made.
    package let edition: String?
    /// The time that the rules used as the current time, in seconds since 1970.
    package let checkedAt: Double?

    /// - Parameters:
    ///   - edition: the edition of the rule book, of which all rules were run.
    ///   - checkedAt: nil if nothing could be read, so that no rule looked at the time.
    package init(
        findings: [Finding], counts: [String: [Finding.Severity: Int]], skipped: [SkippedRule], edition: String,
        checkedAt: Double?
    ) {
        self.findings = findings
        self.counts = counts
        self.skipped = skipped
        self.isComplete = true
        self.edition = edition
        self.checkedAt = checkedAt
    }

    /// The findings on reading an archive.
    package init(onReading findings: [Finding], isComplete: Bool) {
        self.findings = findings
        self.counts = findings.reduce(into: [:]) { $0[$1.rule, default: [:]][$1.severity, default: 0] += 1 }
        self.skipped = []
        self.isComplete = isComplete
        self.edition = nil
        self.checkedAt = nil
    }

    package var ruleCounts: [String: Int] { self.counts.mapValues { $0.values.reduce(0, +) } }

    package func count(of severity: Finding.Severity) -> Int {
        self.counts.values.reduce(0) { $0 + ($1[severity] ?? 0) }
    }

    /// Whether a rule has more findings than are listed.
    package var isTruncated: Bool { self.ruleCounts.values.reduce(0, +) > self.findings.count }
}

extension FindingReport: ExpressibleByArrayLiteral {
    /// A complete report.
    package init(arrayLiteral findings: Finding...) {
        self.init(onReading: findings, isComplete: true)
    }
}
