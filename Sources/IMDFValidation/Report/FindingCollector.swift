package import IMDF

/// What one rule has to say, as it goes through an archive.
///
/// All of it is counted. Of what is to be told, the first ``limit`` are kept by severity and by feature: that depends neither on
/// the order of the features nor on the order in which a rule comes to them, and takes bounded memory.
package struct FindingCollector: Sendable {
    /// At most so many findings of a rule are told; the counts are exact.
    package static let limit = 1_000

    private struct Remark {
        let finding: Finding
        let feature: FeatureID?
        /// Behind the feature's own pointer; without a feature the file, as places in it depend on the order of features.
        let path: String
    }

    private let rule: Rule
    private var remarks: [Remark] = []
    /// Behind this one none is kept; nil while there are less than ``limit``.
    private var lastKept: Remark?
    package private(set) var counts: [Finding.Severity: Int] = [:]
    private(set) var passedOver = 0

    init(of rule: Rule) {
        self.rule = rule
    }

    /// Notes something about a feature.
    ///
    /// - Parameters:
    ///   - path: an RFC 6901 pointer from the feature on, such as `/properties/name`.
    ///   - severity: where it is not the rule's own.
    ///   - position: where on the map; the feature's own place if nothing is said.
    package mutating func add(
        _ message: @autoclosure () -> String, about feature: Subject, path: String = "",
        severity: Finding.Severity? = nil, at position: Position? = nil
    ) {
        let severity = severity ?? self.rule.severity
        self.counts[severity, default: 0] += 1
        guard self.mayBeKept(severity, feature.id, path) else { return }
        self.keep(
            Remark(
                finding: Finding(
                    rule: self.rule.id, severity: severity, message: message(), featureID: feature.id,
                    featureType: feature.type, file: feature.file, pointer: feature.pointer + path,
                    at: position.map { [$0.longitude, $0.latitude] }),
                feature: feature.id, path: path))
    }

    /// Notes something about the archive or one of its files.
    package mutating func add(
        _ message: @autoclosure () -> String, file: String? = nil, pointer: String? = nil,
        severity: Finding.Severity? = nil
    ) {
        let severity = severity ?? self.rule.severity
        self.counts[severity, default: 0] += 1
        self.keep(
            Remark(
                finding: Finding(
                    rule: self.rule.id, severity: severity, message: message(), file: file, pointer: pointer),
                feature: nil, path: file ?? ""))
    }

    /// Notes that a rule did not look at so many features, because that would have taken too long. None is nothing to note.
    package mutating func passOver(_ count: Int) {
        self.passedOver += count
    }

    /// Counts findings of the rule's severity that are not to be told.
    package mutating func add(untold count: Int) {
        guard count > 0 else { return }
        self.counts[self.rule.severity, default: 0] += count
    }

    /// Whether a remark may be among the first ones. Of a million that are not, no sentence is made.
    private func mayBeKept(_ severity: Finding.Severity, _ feature: FeatureID, _ path: String) -> Bool {
        guard let last = self.lastKept else { return true }
        if severity != last.finding.severity { return severity < last.finding.severity }
        guard let other = last.feature else { return false }
        return feature == other ? path <= last.path : feature < other
    }

    private mutating func keep(_ remark: Remark) {
        self.remarks.append(remark)
        if self.remarks.count >= 2 * Self.limit { self.settle() }
    }

    private mutating func settle() {
        self.remarks.sort(by: Self.precedes)
        self.remarks.removeLast(max(0, self.remarks.count - Self.limit))
        if self.remarks.count == Self.limit { self.lastKept = self.remarks.last }
    }

    private static func precedes(_ one: Remark, _ other: Remark) -> Bool {
        if one.finding.severity != other.finding.severity { return one.finding.severity < other.finding.severity }
        if one.feature != other.feature {
            guard let first = one.feature, let second = other.feature else { return one.feature == nil }
            return first < second
        }
        if one.path != other.path { return one.path < other.path }
        if one.finding.message != other.finding.message { return one.finding.message < other.finding.message }
        return (one.finding.at ?? []).lexicographicallyPrecedes(other.finding.at ?? [])
    }

    /// What is to be told, the gravest first, then by feature. What has no place on the map gets its feature's.
    consuming func findings(in examination: ValidationContext) -> [Finding] {
        self.settle()
        return self.remarks.map { remark in
            var finding = remark.finding
            if finding.at == nil, let feature = remark.feature.flatMap({ examination[$0] }) {
                finding.at = examination.point(of: feature).map { [$0.longitude, $0.latitude] }
            }
            // A centimetre is enough to find it.
            finding.at = finding.at?.map { ($0 * 1e7).rounded() / 1e7 }
            return finding
        }
    }
}
