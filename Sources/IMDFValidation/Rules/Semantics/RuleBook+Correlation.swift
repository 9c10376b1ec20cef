import IMDF

extension RuleBook {
    /// SE-20 to SE-23: features of several levels that represent the same thing.
    static let correlationRules: [Rule] = [
        .whole(
            "SE-20", .error, "A correlation id is shared by several features of one type.",
            source: "CorrelationIdMustBeMatched",
            of: FeatureType.withCorrelation, needs: .properties
        ) { context, run in
            for group in CorrelationGroup.all(in: context) where group.members.count == 1 {
                run.add(
                    "No other \(group.members[0].type.noun) has this correlation_id.", about: group.members[0],
                    path: CorrelationGroup.path)
            }
        },
        .whole(
            "SE-21", .error, "Features with the same correlation id are on different levels.",
            source: "LevelIDsMustBeDissimilarForCorrelationID", of: FeatureType.withCorrelation, needs: .properties
        ) { context, run in
            for group in CorrelationGroup.all(in: context) {
                var levels: [FeatureID: ValidationFeature] = [:]
                for member in group.members {
                    for level in try context.levels(of: member, in: run) {
                        if let other = levels[level] {
                            run.add(
                                "The \(other.type.noun) \(other.id) has the same correlation_id on the same level.",
                                about: member, path: CorrelationGroup.path)
                        } else {
                            levels[level] = member
                        }
                    }
                }
            }
        },
        .whole(
            "SE-22", .warning, "Features with the same correlation id have the same category.",
            source: "CategoryShouldBeSameForCorrelationID",
            of: FeatureType.withCorrelation, needs: .properties
        ) { context, run in
            for group in CorrelationGroup.all(in: context) {
                for member in group.members.dropFirst() where member.category != group.members[0].category {
                    run.add(
                        "The \(member.type.noun) \(group.members[0].id) with the same correlation_id has another category.",
                        about: member, path: "/properties/category")
                }
            }
        },
        .each(
            "SE-23", .warning, "A correlation id is not the id of a feature.", source: "our own",
            of: FeatureType.withCorrelation
        ) { feature, context, run in
            guard let other = feature.id("correlation_id").flatMap({ context[$0] }) else { return }
            run.add(
                "The correlation_id is the id of \(other.type.article).", about: feature, path: CorrelationGroup.path)
        },
    ]
}

private struct CorrelationGroup {
    static let path = "/properties/correlation_id"

    /// Features of one type, by id.
    let members: [ValidationFeature]

    /// By type, then by the id of the first member.
    static func all(in context: ValidationContext) -> [CorrelationGroup] {
        FeatureType.withCorrelation.flatMap { type in
            let members = context.features(of: type, meeting: .properties).filter { $0.id("correlation_id") != nil }
            return Dictionary(grouping: members) { $0.id("correlation_id") }.values
                .map { CorrelationGroup(members: $0) }.sorted { $0.members[0].id < $1.members[0].id }
        }
    }
}
