import IMDF

extension RuleBook {
    /// SE-19 and SE-24.
    static let occupantRules: [Rule] = [
        .whole(
            "SE-19", .warning, "An occupant says when it is open and how it is reached.",
            source:
                "OccupantShouldHaveHours, OccupantShouldHavePhone, OccupantShouldHaveWebsite, OccupantShouldHaveModifiedTime, SimilarOccupantsShouldNotRefSameAnchor",
            of: [.occupant], needs: .properties
        ) { examination, remarks in
            var anchors: [FeatureID: Repetitions] = [:]
            for occupant in examination.features(of: .occupant, meeting: .properties) {
                Contact.check(occupant, &remarks)
                if occupant["validity"]?["modified"]?.string == nil {
                    remarks.add(
                        "It does not say when it was modified.", about: occupant, path: "/properties", severity: .info)
                }
                guard let anchor = occupant.id("anchor_id") else { continue }
                let names = Set(occupant.texts("name").map { Contact.plain($0) })
                if let other = anchors[anchor, default: Repetitions()].earlier(names, of: occupant) {
                    remarks.add(
                        "Occupant \(other.id) has much the same name and the same anchor.", about: occupant,
                        path: "/properties/anchor_id", severity: .info)
                }
            }
        },
        .each(
            "SE-24", .warning, "The venue says when it is open and how it is reached.",
            source: "VenueShouldHaveHours, VenueShouldHavePhone, VenueShouldHaveWebsite", of: [.venue]
        ) { venue, _, remarks in
            Contact.check(venue, &remarks)
        },
    ]
}

private enum Contact {
    static func check(_ feature: Subject, _ remarks: inout FindingCollector) {
        for property in ["hours", "phone", "website"] where feature[property] == nil {
            remarks.add("There is no \(property).", about: feature, path: "/properties")
        }
    }

    /// Letters and digits only, in lower case.
    static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
