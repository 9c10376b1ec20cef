import IMDF

/// A check that needs geometries to be compared: what a rule looks at while the survey goes through the venue.
package struct PlaneCheck: Sendable {
    typealias OfParcel = @Sendable (PlacedFeature, Site, inout Inspection) throws -> Void
    typealias OfLevel = @Sendable (LevelPlan, inout Inspection) throws -> Void
    typealias OfSite = @Sendable (Site, inout Inspection) throws -> Void

    enum Scope: Sendable {
        /// Every feature with a valid geometry, one by one.
        case parcel(OfParcel)
        /// Every level with what lies on it, one by one.
        case level(OfLevel)
        /// The venue-wide features, once.
        case site(OfSite)
    }

    let scopes: [Scope]
}

extension Rule {
    /// A rule of geometry and topology. Of the types that it names it passes over features whose geometry is not valid.
    static func plane(
        _ id: String, _ severity: Finding.Severity, _ title: String, source: String, of types: [FeatureType],
        needs: Needs = .geometry, _ scopes: PlaneCheck.Scope...
    ) -> Rule {
        Rule(
            id: id, severity: severity, title: title, source: source, needs: needs, types: types,
            check: .plane(PlaneCheck(scopes: scopes)))
    }
}
