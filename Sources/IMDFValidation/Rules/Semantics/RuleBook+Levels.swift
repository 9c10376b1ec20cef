import IMDF

extension RuleBook {
    /// SE-01 to SE-06.
    static let levelRules: [Rule] = [
        .each(
            "SE-01", .warning, "A building has a level on the ground.",
            source: "BuildingLevelOrdinalZeroShouldBePresent", of: [.building]
        ) { building, examination, remarks in
            let ordinals = examination.levels(ofBuilding: building).compactMap(\.ordinal)
            guard !ordinals.isEmpty, !ordinals.contains(0) else { return }
            remarks.add("None of the building's levels has the ordinal 0.", about: building)
        },
        .each(
            "SE-02", .warning, "The ordinals of a building leave none out.",
            source: "LevelOrdinalsForBuildingAreNotSequential", of: [.building]
        ) { building, examination, remarks in
            let ordinals = Set(examination.levels(ofBuilding: building).compactMap(\.ordinal)).sorted()
            for (lower, upper) in zip(ordinals, ordinals.dropFirst()) where upper > lower + 1 {
                remarks.add("Between the ordinals \(lower) and \(upper) the building has no level.", about: building)
            }
        },
        .each(
            "SE-03", .info, "An ordinal is within -12 and 163.", source: "LevelHasSuspiciousOrdinal", of: [.level]
        ) { level, _, remarks in
            guard let ordinal = level.ordinal, !(-12...163).contains(ordinal) else { return }
            remarks.add(
                "No building is known with a level \(ordinal).", about: level, path: "/properties/ordinal")
        },
        .each(
            "SE-04", .warning, "Outdoors there is nothing below the ground.", source: "OutdoorLevelHasNegativeOrdinal",
            of: [.level]
        ) { level, _, remarks in
            guard level["outdoor"]?.bool == true, let ordinal = level.ordinal, ordinal < 0 else { return }
            remarks.add(
                "The level lies outdoors and has the ordinal \(ordinal).", about: level, path: "/properties/ordinal")
        },
        .each(
            "SE-05", .warning, "The levels of a building have different names, in the same languages.",
            source:
                "LevelNamesInBuildingShouldBeDistinct, LevelShortNamesInBuildingShouldBeDistinct, NonMatchingNameLangTagsAmongLevelsReferencingSameBuilding, NonMatchingShortNameLangTagsAmongLevelsReferencingSameBuilding",
            of: [.building]
        ) { building, examination, remarks in
            let levels = examination.levels(ofBuilding: building)
            for property in ["name", "short_name"] {
                var repetitions = Repetitions()
                let usual = LevelNames.usualTags(property, of: levels)
                for level in levels {
                    if let other = repetitions.earlier(level.labelSet(property), of: level) {
                        remarks.add(
                            "Level \(other.id) of the same building has the same \(property).", about: level,
                            path: "/properties/\(property)")
                    }
                    let tags = LevelNames.tags(property, of: level)
                    guard !tags.isEmpty, tags != usual else { continue }
                    remarks.add(
                        "\(property) is in \(Shown.clean(tags.joined(separator: ", "))), and in \(Shown.clean(usual.joined(separator: ", "))) on other levels of the building.",
                        about: level, path: "/properties/\(property)")
                }
            }
        },
        .each("SE-06", .warning, "A level has an opening.", source: "LevelShouldBeReferencedByOpening", of: [.level]) {
            level, examination, remarks in
            guard !examination.isReferredTo(level, by: .opening, as: .level) else { return }
            remarks.add("No opening names the level.", about: level)
        },
    ]
}

private enum LevelNames {
    static func tags(_ property: String, of level: Subject) -> [String] {
        Set(level.labels(property).map { $0.tag.lowercased() }).sorted()
    }

    /// The languages that most of the levels are named in.
    static func usualTags(_ property: String, of levels: [Subject]) -> [String] {
        var counts: [[String]: Int] = [:]
        for level in levels { counts[self.tags(property, of: level), default: 0] += 1 }
        counts[[]] = nil
        return counts.max { one, other in
            one.value == other.value
                ? other.key.lexicographicallyPrecedes(one.key) : one.value < other.value
        }?.key ?? []
    }
}
