import IMDF

/// The findings of one rule.
///
/// All are counted. The first ``limit`` by severity, feature and path are kept, which depends neither on the order of the
/// features nor on the order in which a rule visits them, and needs bounded memory.
package struct FindingCollector {
    /// How many findings of a rule are reported at most; the counts are exact.
    package static let limit = 1_000

    private struct Entry {
        let finding: Finding
        let feature: FeatureID?
        /// The pointer relative to the feature. Without a feature the file, because pointers into it depend on the order of
        /// features.
        let path: String
    }

    private let rule: Rule
    private var entries: [Entry] = []
    /// No entry after this one is kept; nil while there are fewer than ``limit``.
    private var lastKept: Entry?
    private(set) var counts: [Finding.Severity: Int] = [:]

    init(of rule: Rule) {
        self.rule = rule
    }

    mutating func add(
        _ message: @autoclosure () -> String, about feature: ValidationFeature, path: @autoclosure () -> String,
        severity: Finding.Severity?, at position: Position?
    ) {
        let severity = severity ?? self.rule.severity
        self.counts[severity, default: 0] += 1
        guard self.mayBeKept(severity, feature.id, path()) else { return }
        let path = path()
        self.keep(
            Entry(
                finding: Finding(
                    rule: self.rule.id, severity: severity, message: message(), featureID: feature.id,
                    featureType: feature.type, file: feature.file, pointer: feature.pointer + path,
                    at: position.map { [$0.longitude, $0.latitude] }),
                feature: feature.id, path: path))
    }

    mutating func add(
        _ message: @autoclosure () -> String, file: String?, pointer: String?, severity: Finding.Severity?
    ) {
        let severity = severity ?? self.rule.severity
        self.counts[severity, default: 0] += 1
        self.keep(
            Entry(
                finding: Finding(
                    rule: self.rule.id, severity: severity, message: message(), file: file, pointer: pointer),
                feature: nil, path: file ?? ""))
    }

    mutating func add(unreported count: Int) {
        guard count > 0 else { return }
        self.counts[self.rule.severity, default: 0] += count
    }

    /// Whether a finding may be among the first ones. No message is built for the others, of which there may be millions.
    private func mayBeKept(
        _ severity: Finding.Severity, _ feature: FeatureID, _ path: @autoclosure () -> String
    ) -> Bool {
        guard let last = self.lastKept else { return true }
        if severity != last.finding.severity { return severity < last.finding.severity }
        guard let other = last.feature else { return false }
        return feature == other ? path() <= last.path : feature < other
    }

    private mutating func keep(_ entry: Entry) {
        self.entries.append(entry)
        if self.entries.count >= 2 * Self.limit { self.sortAndTrim() }
    }

    private mutating func sortAndTrim() {
        self.entries.sort(by: Self.precedes)
        self.entries.removeLast(max(0, self.entries.count - Self.limit))
        if self.entries.count == Self.limit { self.lastKept = self.entries.last }
    }

    private static func precedes(_ one: Entry, _ other: Entry) -> Bool {
        if one.finding.severity != other.finding.severity { return one.finding.severity < other.finding.severity }
        if one.feature != other.feature {
            guard let first = one.feature, let second = other.feature else { return one.feature == nil }
            return first < second
        }
        if one.path != other.path { return one.path < other.path }
        if one.finding.message != other.finding.message { return one.finding.message < other.finding.message }
        return (one.finding.at ?? []).lexicographicallyPrecedes(other.finding.at ?? [])
    }

    /// The reported findings by severity and feature. A finding without a position gets the one of its feature.
    consuming func findings(in context: ValidationContext) -> [Finding] {
        self.sortAndTrim()
        return self.entries.map { entry in
            var finding = entry.finding
            if finding.at == nil, let feature = entry.feature.flatMap({ context[$0] }) {
                finding.at = context.point(of: feature).map { [$0.longitude, $0.latitude] }
            }
            // Rounded to about a centimetre, which is enough to find it.
            finding.at = finding.at?.map { (Antimeridian.restored($0) * 1e7).rounded() / 1e7 }
            return finding
        }
    }
}
