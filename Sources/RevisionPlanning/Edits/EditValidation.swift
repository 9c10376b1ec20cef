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

    /// The findings about the features after the edit that it causes: those that are not there before it, and those about values that
    /// were as wrong before, but other ones. Their pointers are relative to the feature.
    ///
    /// - Parameter manifest: of the revision that is edited. It may declare an extension, which defines more than IMDF does.
    static func newFindings(before: Side, after: Side, manifest: JSONObject?) throws -> [Finding] {
        let (before, after) = (try Bodies(before), try Bodies(after))
        let context = after.context(manifest)
        let known = Set(Self.findings(in: before.context(manifest)).map(Key.init))
        let found = Self.findings(in: context).filter { finding in
            // Of features that are only referred to, what they refer to was not read.
            guard let id = finding.featureID, let value = after.values[id] else { return false }
            return !known.contains(Key(finding)) || Self.isAboutOtherValue(finding, before.values[id], value)
        }
        return context.hasExtension ? found : found + Self.unknownMembers(of: after, before)
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

    /// The features of a side with their values.
    private struct Bodies {
        let features: [ValidationFeature]
        /// Of the edited features.
        let values: [FeatureID: JSONValue]

        init(_ side: Side) throws {
            let reader = JSONReader()
            var (features, values) = ([ValidationFeature](), [FeatureID: JSONValue]())
            for (index, feature) in (side.features + side.references).enumerated() {
                let body = try reader.value(of: feature.body)
                features.append(ValidationFeature(feature, body: body, file: nil, pointer: nil))
                if index < side.features.count { values[feature.id] = body }
            }
            (self.features, self.values) = (features, values)
        }

        func context(_ manifest: JSONObject?) -> ValidationContext {
            ValidationContext(features: self.features, manifest: manifest, now: Date().timeIntervalSince1970)
        }
    }

    private static func findings(in context: ValidationContext) -> [Finding] {
        context.features.isEmpty ? [] : RuleBook.report(on: context, selection: Self.rules).findings
    }

    /// Whether a finding is about one member of the properties, whose value the edit has changed.
    private static func isAboutOtherValue(_ finding: Finding, _ before: JSONValue?, _ after: JSONValue?) -> Bool {
        guard let pointer = finding.pointer, pointer.hasPrefix("/properties/") else { return false }
        return before?.value(at: pointer) != after?.value(at: pointer)
    }

    // MARK: - Unknown members

    private static let unknownMembersOfFeature = 100

    /// Warnings about new members that IMDF does not define: one of them may be a misspelled one that it does.
    private static func unknownMembers(of after: Bodies, _ before: Bodies) -> [Finding] {
        after.features.flatMap { feature -> [Finding] in
            let known = KnownProperties.of(feature.type)
            guard !known.isEmpty, let properties = after.values[feature.id]?["properties"]?.object else { return [] }
            let earlier = before.values[feature.id]?["properties"]
            let unknown = properties.members.lazy.filter { member in
                !known.contains(member.key) && !member.value.isNull && (earlier?[member.key] ?? .null).isNull
            }
            return unknown.prefix(Self.unknownMembersOfFeature).map { member in
                let meant = member.key.nearest(of: known).map { " Did you mean “\($0)”?" } ?? ""
                let name = member.key.excerpt(characters: 40, bytes: 200)
                return Finding(
                    rule: "ST-18", severity: .warning,
                    message:
                        "IMDF does not define the property “\(name)” of \(feature.type.rawValue) features.\(meant)",
                    featureID: feature.id, featureType: feature.type,
                    pointer: "/properties/\(JSONPointer.token(member.key))")
            }
        }
    }

    // MARK: - Refusals

    /// Whether no edit may cause a finding.
    static func isNeverAccepted(_ finding: Finding, isStrict: Bool) -> Bool {
        finding.severity == .error && (isStrict || Self.refused.contains(finding.rule))
    }

    /// Whether a finding is about something that a feature has from the source. The source is not refused, even if it breaks a rule.
    static func isOfSource(_ finding: Finding, _ source: JSONObject?, _ feature: JSONObject?) -> Bool {
        guard let source, let feature else { return false }
        let pointer = finding.pointer ?? ""
        return JSONValue.object(source).value(at: pointer) == JSONValue.object(feature).value(at: pointer)
    }

    /// What the author of an edit can do about a finding; empty if the finding says it.
    static func advice(about finding: Finding, language: String?) -> String {
        guard finding.rule == "PV-01" else { return "" }
        return " Write the text of a language, such as {\"\(language ?? "en")\": \"…\"}."
    }
}

extension JSONValue {
    /// The value at an RFC 6901 pointer; nil if there is none.
    fileprivate func value(at pointer: String) -> JSONValue? {
        var value: JSONValue? = .some(self)
        for name in JSONPointer.keys(of: pointer) {
            guard let list = value?.array else {
                value = value?[name]
                continue
            }
            value = Int(name).flatMap { list.indices.contains($0) ? .some(list[$0]) : .none }
        }
        return value
    }
}
