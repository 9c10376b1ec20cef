import IMDF
import IMDFValidation

/// A report for people: by rule, the gravest first, with counts and where to look.
struct TextReport {
    private let report: Report
    private let file: String
    private let show: Int

    init(_ report: Report, of file: String, show: Int) {
        self.report = report
        self.file = file
        self.show = show
    }

    func say() {
        let counts = Finding.Severity.allCases.map { self.report.count(of: $0) }
        Terminal.say(
            "\(Terminal.plain(self.file)): \(Terminal.count(counts[0], "error")), \(Terminal.count(counts[1], "warning")), \(Terminal.count(counts[2], "remark")). Rules \(self.report.ruleSet)."
        )
        for severity in Finding.Severity.allCases { self.say(severity) }
        guard !self.report.skipped.isEmpty else { return }
        Terminal.say("\nSkipped:")
        for (reason, features, rules) in self.skipped {
            let features = features.map { " (\(Terminal.count($0, "feature")))" } ?? ""
            Terminal.say("  \(Self.names(of: rules).joined(separator: " "))\(features): \(reason)")
        }
    }

    private func say(_ severity: Finding.Severity) {
        for rule in self.rules(with: severity) {
            let count = self.report.counts[rule]?[severity] ?? 0
            let findings = self.report.findings.filter { $0.rule == rule && $0.severity == severity }
            Terminal.say("\n\(severity.rawValue) \(rule) × \(count)  \(RuleBook.rule(rule)?.title ?? "")")
            for finding in findings.prefix(self.show) {
                Terminal.say("  \(Terminal.plain(finding.message))")
                let place = Self.place(of: finding)
                if !place.isEmpty { Terminal.say("    \(place)") }
            }
            let rest = count - min(findings.count, self.show)
            if rest > 0 { Terminal.say("  … and \(rest) more") }
        }
    }

    /// In the order in which they are told.
    private func rules(with severity: Finding.Severity) -> [String] {
        var seen: Set<String> = []
        return self.report.findings.filter { $0.severity == severity }.map(\.rule).filter { seen.insert($0).inserted }
    }

    /// Rules that were skipped for one reason, together.
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

    /// A family stands for its rules when all of them are there.
    private static func names(of rules: [String]) -> [String] {
        let there = Set(rules)
        let whole = Set(RuleBook.all.map(\.family)).filter { family in
            RuleBook.all.allSatisfy { $0.family != family || there.contains($0.id) }
        }
        var told: Set<String> = []
        return rules.compactMap { rule in
            let family = String(rule.prefix { $0 != "-" })
            guard whole.contains(family) else { return rule }
            return told.insert(family).inserted ? family : nil
        }
    }

    private static func place(of finding: Finding) -> String {
        var parts = [[finding.file, finding.pointer].compactMap { $0 }.joined(separator: " ")]
        if let id = finding.featureID { parts.append("\(finding.featureType?.rawValue ?? "feature") \(id)") }
        if let at = finding.at, at.count == 2 { parts.append("at \(at[0]), \(at[1])") }
        return Terminal.plain(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }
}
