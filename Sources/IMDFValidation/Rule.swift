package import IMDF

/// One rule of the book: what it asks of an archive, who says so, and the check.
package struct Rule: Sendable {
    /// What a feature must have for a rule to make sense of it. A feature that has it not is skipped by the rule and
    /// counted; the rule that says what is wrong with it is another one.
    package struct Needs: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An object for `properties`.
        package static let properties = Needs(rawValue: 1 << 0)
        /// Every reference that IMDF declares leads to a feature of the right type.
        package static let references = Needs(rawValue: 1 << 1)
        /// A geometry of the type's class that can be read.
        package static let geometry = Needs(rawValue: 1 << 2)
        /// A manifest. Without one the whole rule is skipped.
        package static let manifest = Needs(rawValue: 1 << 3)
        /// A revision that the archive would follow. Without one the whole rule is skipped.
        package static let previous = Needs(rawValue: 1 << 4)
    }

    package enum Check: Sendable {
        /// Checked while the archive is read, before there are features to look at.
        case atTheDoor
        case whole(@Sendable (ValidationContext, inout FindingCollector) -> Void)
        case each(@Sendable (Subject, ValidationContext, inout FindingCollector) -> Void)
        /// Looks at geometries on the plane, while the survey goes through the venue.
        case plane(PlaneCheck)
    }

    /// Its id in the rule book, such as `PV-01`.
    package let id: String
    /// How grave a finding is unless the finding says otherwise.
    package let severity: Finding.Severity
    /// What it asks, in a sentence.
    package let title: String
    /// Who asks it: the names of the rules in the published validation lists, or the standard.
    package let source: String
    package let needs: Needs
    /// The types that it looks at; nil for all.
    package let types: [FeatureType]?
    package let check: Check

    /// The first two letters of its id.
    package var family: String { String(self.id.prefix { $0 != "-" }) }
}

// How rules are written down in the tables.
extension Rule {
    /// A rule that the reader of archives checks.
    package static func atTheDoor(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String
    ) -> Rule {
        Rule(id: id, severity: severity, title: title, source: source, needs: [], types: nil, check: .atTheDoor)
    }

    /// A rule that looks at one feature after the other, by id.
    package static func each(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String, of types: [FeatureType]? = nil,
        needs: Needs = .properties,
        _ check: @escaping @Sendable (Subject, ValidationContext, inout FindingCollector) -> Void
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: source, needs: needs, types: types, check: .each(check))
    }

    /// A rule that looks at everything at once. Of the types that it names it should only look at features that have what it
    /// needs: ``ValidationContext/features(of:meeting:)``.
    package static func whole(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String, of types: [FeatureType] = [],
        needs: Needs = [], _ check: @escaping @Sendable (ValidationContext, inout FindingCollector) -> Void
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: source, needs: needs, types: types, check: .whole(check))
    }
}
