package import IMDF

extension FindingReport {
    /// The report on a rejected archive of which nothing could be read: the blocking findings, and all other rules as skipped.
    package init(rejectedWith findings: [Finding], selection: RuleSelection = .all) {
        var collector = ReportCollector(selection: selection)
        collector.add(findings)
        let checked = Set(findings.map(\.rule))
        for rule in RuleBook.all where selection.contains(rule.id) && !checked.contains(rule.id) {
            if case .onReading = rule.check { continue }
            collector.skip(rule, because: "The archive could not be read.", features: nil)
        }
        self = collector.report(checkedAt: nil)
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

    func report(checkedAt: Double?) -> FindingReport {
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
        return FindingReport(
            findings: findings, counts: self.counts, skipped: self.skipped, edition: RuleBook.edition,
            checkedAt: checkedAt)
    }
}
