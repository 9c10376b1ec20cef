import IMDF

extension RuleBook {
    /// PV-15 and PV-16: ordinals and directions.
    static let numbers: [Rule] = [
        .each(
            "PV-15", .error, "The ordinal of a level is an integer, and outdoor is true or false.",
            source: "LevelOrdinalMustBeInteger", of: [.level]
        ) { feature, _, run in
            if let ordinal = feature["ordinal"], ordinal.number.flatMap({ Int32(exactly: $0) }) == nil {
                run.add("The ordinal is not an integer.", about: feature, path: "/properties/ordinal")
            }
            if feature["outdoor"]?.bool == nil {
                run.add("outdoor is neither true nor false.", about: feature, path: "/properties/outdoor")
            }
        },
        .each(
            "PV-16", .error, "A relationship is directed or undirected.", source: "RelationshipDirectionMustBeValid",
            of: [.relationship]
        ) { feature, _, run in
            guard feature.text("direction").map(CategoryList.direction.contains) != true else { return }
            run.add(
                "The direction is neither directed nor undirected.", about: feature, path: "/properties/direction")
        },
    ]
}
