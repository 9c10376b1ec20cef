import IMDF

extension RuleBook {
    /// PV-15 and PV-16: where a level lies, and which way a relationship goes.
    static let numbers: [Rule] = [
        .each(
            "PV-15", .error, "A level's ordinal is an integer, and whether it is outdoors true or false.",
            source: "LevelOrdinalMustBeInteger", of: [.level]
        ) { feature, _, remarks in
            if let ordinal = feature["ordinal"], ordinal.number.flatMap({ Int32(exactly: $0) }) == nil {
                remarks.add("The ordinal is no integer.", about: feature, path: "/properties/ordinal")
            }
            if feature["outdoor"]?.bool == nil {
                remarks.add("outdoor is neither true nor false.", about: feature, path: "/properties/outdoor")
            }
        },
        .each(
            "PV-16", .error, "A relationship is directed or undirected.", source: "RelationshipDirectionMustBeValid",
            of: [.relationship]
        ) { feature, _, remarks in
            guard feature.text("direction").map(CategoryList.direction.contains) != true else { return }
            remarks.add(
                "The direction is neither directed nor undirected.", about: feature, path: "/properties/direction")
        },
    ]
}
