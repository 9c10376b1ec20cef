package import IMDF

/// One rule of the rule book: what it requires, its source, and the check.
package struct Rule: Sendable {
    /// What a feature must have before a rule can check it. The rule skips and counts features without it; another rule
    /// reports what is wrong with them.
    package struct Needs: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An object for `properties`.
        package static let properties = Needs(rawValue: 1 << 0)
        /// Every reference that IMDF declares is the id of a feature of the right type.
        package static let references = Needs(rawValue: 1 << 1)
        /// A readable geometry of the type's class.
        package static let geometry = Needs(rawValue: 1 << 2)
        /// A manifest. Without one the whole rule is skipped.
        package static let manifest = Needs(rawValue: 1 << 3)
        /// The revision that precedes the archive. Without one the whole rule is skipped.
        package static let previous = Needs(rawValue: 1 << 4)
    }

    package enum Check: Sendable {
        /// Checked by the archive reader.
        case onReading
        /// Checks all features at once.
        case whole(@Sendable (ValidationContext, inout RuleRun) throws -> Void)
        /// Checks one feature after the other.
        case each(@Sendable (ValidationFeature, ValidationContext, inout RuleRun) throws -> Void)
        /// Computes with geometries, as a part of the geometry pass.
        case planar(PlanarCheck)
        /// Looks at what keeps routes from places.
        case routing(@Sendable (RoutingPlan, inout RuleRun) -> Void)
    }

    /// Its id in the rule book, such as `PV-01`.
    package let id: String
    /// The severity of its findings, unless a finding has its own.
    package let severity: Finding.Severity
    /// What it requires, in a sentence.
    package let title: String
    /// Where it comes from: names of rules in published validation lists, or the standard.
    package let source: String
    package let needs: Needs
    /// The types that it checks; nil for all.
    package let types: [FeatureType]?
    package let check: Check

    /// The part of its id before the hyphen, such as `PV`.
    package var family: String { String(self.id.prefix { $0 != "-" }) }
}

extension Rule {
    /// A rule that the archive reader checks.
    package static func onReading(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String
    ) -> Rule {
        Rule(id: id, severity: severity, title: title, source: source, needs: [], types: nil, check: .onReading)
    }

    /// A rule that checks one feature after the other, by id.
    package static func each(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String, of types: [FeatureType]? = nil,
        needs: Needs = .properties,
        _ check: @escaping @Sendable (ValidationFeature, ValidationContext, inout RuleRun) throws -> Void
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: source, needs: needs, types: types, check: .each(check))
    }

    /// A rule that checks all features at once. Of its types it checks only the features that meet its needs:
    /// ``ValidationContext/features(of:meeting:)``.
    package static func whole(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String, of types: [FeatureType] = [],
        needs: Needs = [], _ check: @escaping @Sendable (ValidationContext, inout RuleRun) throws -> Void
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: source, needs: needs, types: types, check: .whole(check))
    }
}
