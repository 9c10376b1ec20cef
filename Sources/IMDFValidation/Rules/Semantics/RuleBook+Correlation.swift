import IMDF

extension RuleBook {
    /// SE-20 to SE-23: records of one thing on several levels.
    static let correlationRules: [Rule] = [
        .whole(
            "SE-20", .error, "A correlation id is shared by features of one type.",
            source: "CorrelationIdMustBeMatched",
            of: FeatureType.withCorrelation, needs: .properties
        ) { examination, remarks in
            for group in CorrelationGroup.all(in: examination) where group.members.count == 1 {
                remarks.add(
                    "No other \(group.members[0].type.noun) has this correlation_id.", about: group.members[0],
                    path: CorrelationGroup.path)
            }
        },
        .whole(
            "SE-21", .error, "What is correlated is on different levels.",
            source: "LevelIDsMustBeDissimilarForCorrelationID", of: FeatureType.withCorrelation, needs: .properties
        ) { examination, remarks in
            for group in CorrelationGroup.all(in: examination) {
                var levels: [FeatureID: Subject] = [:]
                for member in group.members {
                    for level in examination.levels(of: member) {
                        if let other = levels[level] {
                            remarks.add(
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
            "SE-22", .warning, "What is correlated has one category.", source: "CategoryShouldBeSameForCorrelationID",
            of: FeatureType.withCorrelation, needs: .properties
        ) { examination, remarks in
            for group in CorrelationGroup.all(in: examination) {
                for member in group.members.dropFirst() where member.category != group.members[0].category {
                    remarks.add(
                        "The \(member.type.noun) \(group.members[0].id) with the same correlation_id has another category.",
                        about: member, path: "/properties/category")
                }
            }
        },
        .each(
            "SE-23", .warning, "A correlation id is no feature's.", source: "our own", of: FeatureType.withCorrelation
        ) { feature, examination, remarks in
            guard let other = feature.id("correlation_id").flatMap({ examination[$0] }) else { return }
            remarks.add(
                "The correlation_id is the id of \(other.type.article).", about: feature, path: CorrelationGroup.path)
        },
    ]
}

private struct CorrelationGroup {
    static let path = "/properties/correlation_id"

    /// Of one type, by id.
    let members: [Subject]

    static func all(in examination: ValidationContext) -> [CorrelationGroup] {
        FeatureType.withCorrelation.flatMap { type in
            let members = examination.features(of: type, meeting: .properties).filter { $0.id("correlation_id") != nil }
            return Dictionary(grouping: members) { $0.id("correlation_id") }.values.map {
                CorrelationGroup(members: $0)
            }
        }
    }
}
