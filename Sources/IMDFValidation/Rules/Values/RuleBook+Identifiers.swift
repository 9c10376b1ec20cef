import IMDF

extension RuleBook {
    /// PV-14, PV-20 and PV-21.
    static let identifiers: [Rule] = [
        .each(
            "PV-14", .error, "A correlation id is a UUID of version 4.", source: "InvalidCorrelationID",
            of: FeatureType.withCorrelation
        ) { feature, _, remarks in
            guard let value = feature["correlation_id"],
                value.string.flatMap({ FeatureID($0) })?.isRandom != true
            else { return }
            remarks.add(
                "\(value.string.map { Shown.quoted($0) } ?? "The correlation_id") is no UUID of version 4.",
                about: feature, path: "/properties/correlation_id")
        },
        .each("PV-20", .error, "Lists of ids are arrays, and name nothing twice.", source: "the standard") {
            feature, _, remarks in
            for (property, wanted, isList) in DeclaredReference.properties(of: feature.type) where isList {
                guard let value = feature[property] else { continue }
                guard let elements = value.array else {
                    remarks.add("\(property) is no array.", about: feature, path: "/properties/\(property)")
                    continue
                }
                guard wanted != nil else { continue }
                var seen: Set<FeatureID> = []
                for (number, element) in elements.enumerated() {
                    guard let id = element.string.flatMap({ FeatureID($0) }), !seen.insert(id).inserted else {
                        continue
                    }
                    remarks.add(
                        "\(property) names \(id) more than once.", about: feature,
                        path: "/properties/\(property)/\(number)")
                }
            }
        },
        .each(
            "PV-21", .error, "The ends of a relationship name a feature and its type.",
            source:
                "InvalidRelationshipOriginReference, InvalidRelationshipIntermediaryReference, InvalidRelationshipDestinationReference",
            of: [.relationship]
        ) { feature, examination, remarks in
            for (value, pointer) in RelationshipEnd.all(of: feature) {
                guard value.object != nil, value["id"]?.string != nil, let type = value["feature_type"]?.string else {
                    remarks.add("It does not say an id and a feature_type.", about: feature, path: pointer)
                    continue
                }
                // An id that leads nowhere is another rule's.
                guard let target = value["id"]?.string.flatMap({ FeatureID($0) }).flatMap({ examination[$0] }),
                    target.type.rawValue != type
                else { continue }
                remarks.add(
                    "It says \(Shown.quoted(type)), and the feature that it names is \(target.type.article).",
                    about: feature, path: "\(pointer)/feature_type")
            }
        },
    ]
}

/// The ends of a relationship, and what lies between.
enum RelationshipEnd {
    static func all(of feature: Subject) -> [(value: JSONValue, pointer: String)] {
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
