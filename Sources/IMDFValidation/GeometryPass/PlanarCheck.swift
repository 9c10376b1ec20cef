import IMDF

/// A check that compares geometries, as a part of the geometry pass.
package struct PlanarCheck: Sendable {
    typealias OfFeature = @Sendable (PlacedFeature, VenuePlan, inout RuleRun) throws -> Void
    typealias OfLevel = @Sendable (LevelPlan, inout RuleRun) throws -> Void
    typealias OfVenue = @Sendable (VenuePlan, inout RuleRun) throws -> Void

    enum Scope: Sendable {
        /// Once for every feature with a valid geometry.
        case feature(OfFeature)
        /// Once for every level with the features on it.
        case level(OfLevel)
        /// Once for the features that the venue plan keeps.
        case venue(OfVenue)
    }

    let scopes: [Scope]
}

extension Rule {
    /// A rule of geometry and topology. Features of its types whose geometry is not valid are skipped.
    static func planar(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String, of types: [FeatureType],
        needs: Needs = .geometry, _ scopes: PlanarCheck.Scope...
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: source, needs: needs, types: types,
            check: .planar(PlanarCheck(scopes: scopes)))
    }
}
