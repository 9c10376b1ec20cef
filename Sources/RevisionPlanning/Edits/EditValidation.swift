import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import IMDFValidation

/// The rule book applied to the features of an edit, before and after it.
///
/// Only rules that look at one feature and at what it refers to are checked; rules about a whole venue are left to uploads.
struct EditValidation {
    /// Violations that no edit may cause: a feature that they concern could not be drawn or placed.
    private static let refused: Set<String> = [
        "ST-14", "ST-15", "ST-17", "GE-01", "GE-02", "GE-04", "GE-06", "PV-10", "PV-20", "PV-21",
    ]

    /// What only the whole venue can tell.
    private static let ofWholeVenue: Set<String> = ["RQ-10", "RQ-14", "RQ-15", "RQ-16"]

    private static let rules = RuleSelection(
        only: Set(
            RuleBook.all.filter { rule in
                guard case .each = rule.check, !rule.needs.contains(.previous), !rule.needs.contains(.manifest) else {
                    return false
                }
                return !Self.ofWholeVenue.contains(rule.id)
            }.map(\.id)))

    /// A state of the features, with those that they refer to.
    struct Side {
        var features: [Feature] = []
        var references: [Feature] = []
    }

    /// The findings about the features after the edit that are not there before it. Their pointers are relative to the feature.
    static func newFindings(before: Side, after: Side) throws -> [Finding] {
        let edited = Set(after.features.map(\.id))
        let known = Set(try Self.findings(before).map(Key.init))
        return try Self.findings(after).filter { finding in
            finding.featureID.map(edited.contains) == true && !known.contains(Key(finding))
        }
    }

    /// A finding without its sentence, which may name what has changed.
    private struct Key: Hashable {
        let rule: String
        let feature: FeatureID?
        let pointer: String?

        init(_ finding: Finding) {
            self.rule = finding.rule
            self.feature = finding.featureID
            self.pointer = finding.pointer
        }
    }

    private static func findings(_ side: Side) throws -> [Finding] {
        guard !side.features.isEmpty else { return [] }
        let reader = JSONReader()
        let features = try (side.features + side.references).map { feature in
            ValidationFeature(feature, body: try reader.value(of: feature.body), file: nil, pointer: nil)
        }
        let context = ValidationContext(features: features, manifest: nil, now: Date().timeIntervalSince1970)
        return RuleBook.report(on: context, selection: Self.rules).findings
    }

    /// Whether an edit of a venue must not cause a finding.
    static func isRefused(_ finding: Finding, isStrict: Bool) -> Bool {
        finding.severity == .error && (isStrict || Self.refused.contains(finding.rule))
    }
}
