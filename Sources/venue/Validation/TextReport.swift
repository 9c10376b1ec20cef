import IMDF
import IMDFValidation

/// A report for people: by rule, most severe first, with counts and locations.
struct TextReport {
    private let report: FindingReport
    private let file: String
    private let show: Int

    init(_ report: FindingReport, of file: String, show: Int) {
        self.report = report
        self.file = file
        self.show = show
    }

    func print() {
        let counts = Finding.Severity.allCases.map { self.report.count(of: $0) }
        Terminal.print(
            "\(Terminal.plain(self.file)): \(Terminal.count(counts[0], "error")), \(Terminal.count(counts[1], "warning")), \(counts[2]) informational. Rule book \(RuleBook.edition)."
        )
        for severity in Finding.Severity.allCases { self.print(severity) }
        guard !self.report.skipped.isEmpty else { return }
        Terminal.print("\nSkipped:")
        for (reason, features, rules) in self.skipped {
            let features = features.map { " (\(Terminal.count($0, "feature")))" } ?? ""
            Terminal.print("  \(Self.names(of: rules).joined(separator: " "))\(features): \(reason)")
        }
    }

    private func print(_ severity: Finding.Severity) {
        for rule in self.rules(with: severity) {
            let count = self.report.counts[rule]?[severity] ?? 0
            let findings = self.report.findings.filter { $0.rule == rule && $0.severity == severity }
            Terminal.print("\n\(severity.rawValue) \(rule) × \(count)  \(RuleBook.rule(rule)?.title ?? "")")
            for finding in findings.prefix(self.show) {
                Terminal.print("  \(Terminal.plain(finding.message))")
                let location = Self.location(of: finding)
                if !location.isEmpty { Terminal.print("    \(location)") }
            }
            let rest = count - min(findings.count, self.show)
            if rest > 0 { Terminal.print("  … and \(rest) more") }
        }
    }

    /// The rules with findings of this severity, in the order of the findings.
    private func rules(with severity: Finding.Severity) -> [String] {
        var seen: Set<String> = []
        return self.report.findings.filter { $0.severity == severity }.map(\.rule).filter { seen.insert($0).inserted }
    }

    /// Skipped rules, grouped by reason and number of features.
    private var skipped: [(reason: String, features: Int?, rules: [String])] {
        var groups: [(reason: String, features: Int?, rules: [String])] = []
        for skipped in self.report.skipped {
            if let index = groups.firstIndex(where: { $0.reason == skipped.reason && $0.features == skipped.features })
            {
                groups[index].rules.append(skipped.rule)
            } else {
                groups.append((skipped.reason, skipped.features, [skipped.rule]))
            }
        }
        return groups
    }

    /// Names a family instead of its rules if all of them are in the list.
    private static func names(of rules: [String]) -> [String] {
        let listed = Set(rules)
        let complete = Set(RuleBook.all.map(\.family)).filter { family in
            RuleBook.all.allSatisfy { $0.family != family || listed.contains($0.id) }
        }
        var named: Set<String> = []
        return rules.compactMap { rule in
            let family = String(rule.prefix { $0 != "-" })
            guard complete.contains(family) else { return rule }
            return named.insert(family).inserted ? family : nil
        }
    }

    private static func location(of finding: Finding) -> String {
        var parts = [[finding.file, finding.pointer].compactMap { $0 }.joined(separator: " ")]
        if let id = finding.featureID { parts.append("\(finding.featureType?.rawValue ?? "feature") \(id)") }
        if let at = finding.at, at.count == 2 { parts.append("at \(at[0]), \(at[1])") }
        return Terminal.plain(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }
}
