import IMDF

extension RuleBook {
    /// PV-14, PV-20 and PV-21.
    static let identifiers: [Rule] = [
        .each(
            "PV-14", .error, "A correlation id is a UUID of version 4.", source: "InvalidCorrelationID",
            of: FeatureType.withCorrelation
        ) { feature, _, run in
            guard let value = feature["correlation_id"],
                value.string.flatMap({ FeatureID($0) })?.isRandom != true
            else { return }
            run.add(
                "\(value.string.map { DisplayText.quoted($0) } ?? "The correlation_id") is not a UUID of version 4.",
                about: feature, path: "/properties/correlation_id")
        },
        .each("PV-20", .error, "Lists of ids are arrays without duplicates.", source: "the standard") {
            feature, _, run in
            for (property, requiredType, isList) in DeclaredReference.properties(of: feature.type) where isList {
                guard let value = feature[property] else { continue }
                guard let elements = value.array else {
                    run.add("\(property) is not an array.", about: feature, path: "/properties/\(property)")
                    continue
                }
                guard requiredType != nil else { continue }
                var seen: Set<FeatureID> = []
                for (number, element) in elements.enumerated() {
                    guard let id = element.string.flatMap({ FeatureID($0) }), !seen.insert(id).inserted else {
                        continue
                    }
                    run.add(
                        "\(property) contains \(id) more than once.", about: feature,
                        path: "/properties/\(property)/\(number)")
                }
            }
        },
        .each(
            "PV-21", .error, "The ends of a relationship have the id and the type of a feature.",
            source:
                "InvalidRelationshipOriginReference, InvalidRelationshipIntermediaryReference, InvalidRelationshipDestinationReference",
            of: [.relationship]
        ) { feature, context, run in
            for (value, pointer) in RelationshipEnd.all(of: feature) {
                guard value.object != nil, value["id"]?.string != nil, let type = value["feature_type"]?.string else {
                    run.add("The end of the relationship lacks an id or a feature_type.", about: feature, path: pointer)
                    continue
                }
                // Another rule reports an id that no feature has.
                guard let target = value["id"]?.string.flatMap({ FeatureID($0) }).flatMap({ context[$0] }),
                    target.type.rawValue != type
                else { continue }
                run.add(
                    "The feature_type is \(DisplayText.quoted(type)); the feature is \(target.type.article).",
                    about: feature, path: "\(pointer)/feature_type")
            }
        },
    ]
}

/// The origin, the intermediary features and the destination of a relationship.
enum RelationshipEnd {
    static func all(of feature: ValidationFeature) -> [(value: JSONValue, pointer: String)] {
        var ends: [(JSONValue, String)] = []
        for property in ["origin", "intermediary", "destination"] {
            guard let value = feature[property] else { continue }
            if property == "intermediary", let elements = value.array {
                for (number, element) in elements.enumerated() {
                    ends.append((element, "/properties/\(property)/\(number)"))
                }
            } else if property != "intermediary" {
                ends.append((value, "/properties/\(property)"))
            }
        }
        return ends
    }
}
