import IMDF

extension RuleBook {
    /// PV-01 to PV-05.
    static let labels: [Rule] = [
        .each(
            "PV-01", .error, "Names are objects of texts by language.", source: "NameMustBeString, AltNameMustBeString",
            of: FeatureType.withNames
        ) { feature, _, run in
            for property in LabelProperty.all {
                guard let value = feature[property] else { continue }
                guard let labels = value.object else {
                    run.add(
                        "\(property) is not an object of texts by language.", about: feature,
                        path: "/properties/\(property)")
                    continue
                }
                for member in labels.members where member.value.string == nil {
                    run.add(
                        "The \(DisplayText.quoted(member.key)) text of \(property) is not a string.", about: feature,
                        path: LabelProperty.pointer(property, member.key))
                }
            }
        },
        .each(
            "PV-02", .error, "A label is not blank.", source: "LabelMustNotBeBlank", of: FeatureType.withNames
        ) { feature, _, run in
            for property in LabelProperty.all {
                for (tag, text) in feature.labels(property) where text.isBlank {
                    run.add(
                        "The \(DisplayText.quoted(tag)) text of \(property) is blank.", about: feature,
                        path: LabelProperty.pointer(property, tag))
                }
            }
        },
        .each(
            "PV-03", .error, "The keys of a label are language tags.", source: "InvalidLanguageTag",
            of: FeatureType.withNames
        ) { feature, _, run in
            for property in LabelProperty.all {
                for member in feature[property]?.object?.members ?? [] where !LanguageTag.isValid(member.key) {
                    run.add(
                        "\(DisplayText.quoted(member.key)) is not a BCP 47 language tag.", about: feature,
                        path: LabelProperty.pointer(property, member.key))
                }
            }
        },
        .each(
            "PV-04", .warning, "A feature with an alternative name has a name.", source: "HasOnlyAltName",
            of: FeatureType.withNames.filter { $0 != .venue }
        ) { feature, _, run in
            guard feature["alt_name"] != nil, feature["name"] == nil else { return }
            run.add("The feature has an alt_name and no name.", about: feature, path: "/properties/alt_name")
        },
        .each(
            "PV-05", .warning, "The languages of an alternative name are languages of the name.",
            source: "AltNameLangTagHasNoCorrespondingNameLangTag", of: FeatureType.withNames
        ) { feature, _, run in
            guard feature["name"]?.object != nil else { return }
            let tags = Set(feature.labels("name").map { $0.tag.lowercased() })
            for (tag, _) in feature.labels("alt_name") where !tags.contains(tag.lowercased()) {
                run.add(
                    "alt_name has a \(DisplayText.quoted(tag)) text and name has none.", about: feature,
                    path: LabelProperty.pointer("alt_name", tag))
            }
        },
    ]
}

private enum LabelProperty {
    static let all = ["name", "alt_name", "short_name"]

    static func pointer(_ property: String, _ tag: String) -> String {
        "/properties/\(property)/\(DisplayText.token(tag))"
    }
}
