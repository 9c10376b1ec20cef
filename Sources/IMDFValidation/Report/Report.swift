package import IMDF

/// The result of checking an archive against the rule book.
package struct Report: Sendable {
    /// The edition of the rule book.
    package let edition: String
    /// By severity, then by rule and feature; at most ``FindingCollector/limit`` of a rule.
    package let findings: [Finding]
    /// How many findings each rule has, by severity, reported or not.
    package let counts: [String: [Finding.Severity: Int]]
    /// In the order of the rule book.
    package let skipped: [SkippedRule]

    package init(
        edition: String = RuleBook.edition, findings: [Finding], counts: [String: [Finding.Severity: Int]],
        skipped: [SkippedRule]
    ) {
        self.edition = edition
        self.findings = findings
        self.counts = counts
        self.skipped = skipped
    }

    package var ruleCounts: [String: Int] { self.counts.mapValues { $0.values.reduce(0, +) } }

    package func count(of severity: Finding.Severity) -> Int {
        self.counts.values.reduce(0) { $0 + ($1[severity] ?? 0) }
    }

    /// Whether a rule has more findings than are reported.
    package var isTruncated: Bool {
        self.counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } > self.findings.count
    }
}

extension Report {
    /// The report on a rejected archive of which nothing could be read: the blocking findings, and all other rules as skipped.
    package init(rejectedWith findings: [Finding], selection: RuleSelection = .all) {
        var collector = ReportCollector(selection: selection)
        collector.add(findings)
        let checked = Set(findings.map(\.rule))
        for rule in RuleBook.all where selection.contains(rule.id) && !checked.contains(rule.id) {
            if case .onReading = rule.check { continue }
            collector.skip(rule, because: "The archive could not be read.", features: nil)
        }
        self = collector.report()
    }
}

/// Assembles a report rule by rule.
struct ReportCollector {
    let selection: RuleSelection
    private var findings: [Finding] = []
    private var counts: [String: [Finding.Severity: Int]] = [:]
    private var skipped: [SkippedRule] = []

    init(selection: RuleSelection) {
        self.selection = selection
    }

    /// Adds findings of the archive reader.
    mutating func add(_ findings: [Finding]) {
        for finding in findings where self.selection.contains(finding.rule) {
            self.counts[finding.rule, default: [:]][finding.severity, default: 0] += 1
            self.findings.append(finding)
        }
    }

    mutating func add(_ findings: [Finding], counts: [Finding.Severity: Int], of rule: Rule) {
        guard !counts.isEmpty else { return }
        self.findings += findings
        self.counts[rule.id, default: [:]].merge(counts, uniquingKeysWith: +)
    }

    mutating func skip(_ rule: Rule, because reason: String, features: Int?) {
        self.skipped.append(SkippedRule(rule: rule.id, reason: reason, features: features))
    }

    func report() -> Report {
        // By severity and rule; within a rule in the order in which they were added, findings of the reader first.
        let ranks = self.findings.map { RuleBook.rank(of: $0.rule) }
        let order = self.findings.indices.sorted {
            let (one, other) = (self.findings[$0], self.findings[$1])
            if one.severity != other.severity { return one.severity < other.severity }
            return ranks[$0] == ranks[$1] ? $0 < $1 : ranks[$0] < ranks[$1]
        }
        var reported: [String: Int] = [:]
        let findings = order.compactMap { index in
            let finding = self.findings[index]
            reported[finding.rule, default: 0] += 1
            return reported[finding.rule, default: 0] <= FindingCollector.limit ? finding : nil
        }
        return Report(findings: findings, counts: self.counts, skipped: self.skipped)
    }
}
