import IMDF

extension RuleBook {
    /// PV-01 to PV-05.
    static let labels: [Rule] = [
        .each(
            "PV-01", .error, "Names are objects of texts by language.", source: "NameMustBeString, AltNameMustBeString",
            of: FeatureType.withNames
        ) { feature, _, remarks in
            for property in LabelProperty.all {
                guard let value = feature[property] else { continue }
                guard let labels = value.object else {
                    remarks.add(
                        "\(property) is no object of texts by language.", about: feature,
                        path: "/properties/\(property)")
                    continue
                }
                for member in labels.members where member.value.string == nil {
                    remarks.add(
                        "The \(Shown.quoted(member.key)) text of \(property) is no string.", about: feature,
                        path: LabelProperty.pointer(property, member.key))
                }
            }
        },
        .each(
            "PV-02", .error, "A label is not blank.", source: "LabelMustNotBeBlank", of: FeatureType.withNames
        ) { feature, _, remarks in
            for property in LabelProperty.all {
                for (tag, text) in feature.labels(property) where text.isBlank {
                    remarks.add(
                        "The \(Shown.quoted(tag)) text of \(property) is blank.", about: feature,
                        path: LabelProperty.pointer(property, tag))
                }
            }
        },
        .each(
            "PV-03", .error, "A label's key is a language tag.", source: "InvalidLanguageTag",
            of: FeatureType.withNames
        ) { feature, _, remarks in
            for property in LabelProperty.all {
                for member in feature[property]?.object?.members ?? [] where !LanguageTag.isValid(member.key) {
                    remarks.add(
                        "\(Shown.quoted(member.key)) is no language tag of BCP 47.", about: feature,
                        path: LabelProperty.pointer(property, member.key))
                }
            }
        },
        .each(
            "PV-04", .warning, "What has an alternative name has a name.", source: "HasOnlyAltName",
            of: FeatureType.withNames.filter { $0 != .venue }
        ) { feature, _, remarks in
            guard feature["alt_name"] != nil, feature["name"] == nil else { return }
            remarks.add("There is an alt_name, but no name.", about: feature, path: "/properties/alt_name")
        },
        .each(
            "PV-05", .warning, "An alternative name is in a language that the name is in.",
            source: "AltNameLangTagHasNoCorrespondingNameLangTag", of: FeatureType.withNames
        ) { feature, _, remarks in
            guard feature["name"]?.object != nil else { return }
            let tags = Set(feature.labels("name").map { $0.tag.lowercased() })
            for (tag, _) in feature.labels("alt_name") where !tags.contains(tag.lowercased()) {
                remarks.add(
                    "alt_name has a \(Shown.quoted(tag)) text, and name has none.", about: feature,
                    path: LabelProperty.pointer("alt_name", tag))
            }
        },
    ]
}

private enum LabelProperty {
    static let all = ["name", "alt_name", "short_name"]

    static func pointer(_ property: String, _ tag: String) -> String { "/properties/\(property)/\(Shown.token(tag))" }
}
