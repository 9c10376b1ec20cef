import IMDF

extension RuleBook {
    /// SE-19 and SE-24.
    static let occupantRules: [Rule] = [
        .whole(
            "SE-19", .warning, "An occupant has opening hours, a telephone number and a website.",
            source:
                "OccupantShouldHaveHours, OccupantShouldHavePhone, OccupantShouldHaveWebsite, OccupantShouldHaveModifiedTime, SimilarOccupantsShouldNotRefSameAnchor",
            of: [.occupant], needs: .properties
        ) { context, run in
            var anchors: [FeatureID: DuplicateFinder] = [:]
            for occupant in context.features(of: .occupant, meeting: .properties) {
                Contact.check(occupant, &run)
                if occupant["validity"]?["modified"]?.string == nil {
                    run.add(
                        "The validity has no time of modification.", about: occupant, path: "/properties",
                        severity: .info)
                }
                guard let anchor = occupant.id("anchor_id") else { continue }
                let names = Set(occupant.texts("name").map { Contact.plain($0) })
                if let other = anchors[anchor, default: DuplicateFinder()].earlier(names, of: occupant) {
                    run.add(
                        "Occupant \(other.id) has a similar name and the same anchor.", about: occupant,
                        path: "/properties/anchor_id", severity: .info)
                }
            }
        },
        .each(
            "SE-24", .warning, "The venue has opening hours, a telephone number and a website.",
            source: "VenueShouldHaveHours, VenueShouldHavePhone, VenueShouldHaveWebsite", of: [.venue]
        ) { venue, _, run in
            Contact.check(venue, &run)
        },
    ]
}

private enum Contact {
    static func check(_ feature: ValidationFeature, _ run: inout RuleRun) {
        for property in ["hours", "phone", "website"] where feature[property] == nil {
            run.add("The \(feature.type.noun) has no \(property).", about: feature, path: "/properties")
        }
    }

    /// Letters and digits only, in lower case.
    static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
