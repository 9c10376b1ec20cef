import IMDF

extension RuleBook {
    /// SE-01 to SE-06.
    static let levelRules: [Rule] = [
        .each(
            "SE-01", .warning, "A building has a level of ordinal 0.",
            source: "BuildingLevelOrdinalZeroShouldBePresent", of: [.building]
        ) { building, context, run in
            let ordinals = try context.levels(ofBuilding: building, in: run).compactMap(\.ordinal)
            guard !ordinals.isEmpty, !ordinals.contains(0) else { return }
            run.add("None of the building's levels has the ordinal 0.", about: building)
        },
        .each(
            "SE-02", .warning, "The ordinals of a building are consecutive.",
            source: "LevelOrdinalsForBuildingAreNotSequential", of: [.building]
        ) { building, context, run in
            let ordinals = Set(try context.levels(ofBuilding: building, in: run).compactMap(\.ordinal)).sorted()
            for (lower, upper) in zip(ordinals, ordinals.dropFirst()) where upper > lower + 1 {
                run.add("The building has no level between the ordinals \(lower) and \(upper).", about: building)
            }
        },
        .each(
            "SE-03", .info, "An ordinal is between -12 and 163.", source: "LevelHasSuspiciousOrdinal", of: [.level]
        ) { level, _, run in
            guard let ordinal = level.ordinal, !(-12...163).contains(ordinal) else { return }
            run.add(
                "No known building has a level of ordinal \(ordinal).", about: level, path: "/properties/ordinal")
        },
        .each(
            "SE-04", .warning, "The ordinal of an outdoor level is not negative.",
            source: "OutdoorLevelHasNegativeOrdinal",
            of: [.level]
        ) { level, _, run in
            guard level["outdoor"]?.bool == true, let ordinal = level.ordinal, ordinal < 0 else { return }
            run.add(
                "The level is outdoors and has the ordinal \(ordinal).", about: level, path: "/properties/ordinal")
        },
        .each(
            "SE-05", .warning, "The levels of a building have different names, in the same languages.",
            source:
                "LevelNamesInBuildingShouldBeDistinct, LevelShortNamesInBuildingShouldBeDistinct, NonMatchingNameLangTagsAmongLevelsReferencingSameBuilding, NonMatchingShortNameLangTagsAmongLevelsReferencingSameBuilding",
            of: [.building]
        ) { building, context, run in
            let levels = try context.levels(ofBuilding: building, in: run)
            for property in ["name", "short_name"] {
                var duplicates = DuplicateFinder()
                let usual = LevelLanguages.usual(property, of: levels, manifest: context.manifestLanguage)
                for level in levels {
                    if let other = duplicates.earlier(level.labelSet(property), of: level) {
                        run.add(
                            "Level \(other.id) of the same building has the same \(property).", about: level,
                            path: "/properties/\(property)")
                    }
                    let tags = LevelLanguages.tags(property, of: level)
                    guard let usual, !tags.isEmpty, tags != usual.tags else { continue }
                    let (one, other) = (LevelLanguages.text(tags), LevelLanguages.text(usual.tags))
                    run.add(
                        usual.isOfMost
                            ? "\(property) has the languages \(one); most levels of the building have \(other)."
                            : "\(property) has the languages \(one); other levels of the building have \(other).",
                        about: level, path: "/properties/\(property)")
                }
            }
        },
        .each("SE-06", .warning, "A level has an opening.", source: "LevelShouldBeReferencedByOpening", of: [.level]) {
            level, context, run in
            guard !context.isReferenced(level, by: .opening, as: .level) else { return }
            run.add("No opening refers to the level.", about: level)
        },
    ]
}

private enum LevelLanguages {
    static func tags(_ property: String, of level: ValidationFeature) -> [String] {
        Set(level.labels(property).map { $0.tag.lowercased() }).sorted()
    }

    static func text(_ tags: [String]) -> String { DisplayText.clean(tags.joined(separator: ", ")) }

    /// The languages that the levels of a building should have. Of sets that are equally frequent, one with the language of the manifest is
    /// right, then one with more languages: a text that is missing can be added.
    ///
    /// - Parameter manifest: In lower case.
    static func usual(
        _ property: String, of levels: [ValidationFeature], manifest: String?
    ) -> (tags: [String], isOfMost: Bool)? {
        var counts: [[String]: Int] = [:]
        for level in levels { counts[self.tags(property, of: level), default: 0] += 1 }
        counts[[]] = nil
        let most = counts.values.max()
        let sets = counts.filter { $0.value == most }.keys
        func rank(_ tags: [String]) -> (Int, Int) {
            (
                manifest.map { language in tags.contains { ManifestLanguage.covers($0, language) } } == true ? 1 : 0,
                tags.count
            )
        }
        let tags = sets.max { one, other in
            let (first, second) = (rank(one), rank(other))
            return first == second ? other.lexicographicallyPrecedes(one) : first < second
        }
        return tags.map { ($0, sets.count == 1) }
    }
}
