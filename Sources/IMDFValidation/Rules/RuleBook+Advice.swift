import IMDF

extension RuleBook {
    /// Advice for types of venues.
    static let advice: [Rule] = [
        .whole(
            "VT-01", .info, "In an airport, what travellers look for can be labelled.",
            source: "the standard's guidance",
            of: [.amenity, .building, .fixture, .geofence, .level, .section, .unit], needs: .properties
        ) { examination, remarks in
            guard examination.venue?.hasCategory("airport") == true else { return }
            Advice.check(
                examination, .amenity, ["boardinggate.aircraft", "baggagecarousel"], wants: ["name"], &remarks)
            let both = ["name", "display_point"]
            Advice.check(examination, .geofence, ["concourse", "terminal"], wants: both, &remarks)
            Advice.check(examination, .unit, ["parking"], wants: both, &remarks)
            Advice.check(examination, .fixture, ["baggagecarousel"], wants: both, &remarks)
            Advice.check(
                examination, .section, ["checkin", "baggageclaim", "immigration", "security"], wants: ["display_point"],
                &remarks)
            for (type, usual) in [
                (FeatureType.building, ["parking", "transit", "unspecified"]), (.level, ["parking", "unspecified"]),
            ] {
                for feature in examination.features(of: type, meeting: .properties) {
                    guard let category = feature.category, !usual.contains(category) else { continue }
                    remarks.add(
                        "\(Shown.quoted(category)) is unusual for \(type.article) of an airport.", about: feature,
                        path: "/properties/category")
                }
            }
        },
        .whole(
            "VT-02", .info, "In a station, parking can be labelled, and platforms are there.",
            source: "the standard's guidance", of: [.unit], needs: .properties
        ) { examination, remarks in
            guard ["transitstation", "trainstation"].contains(examination.venue?.category ?? "") else { return }
            Advice.check(examination, .unit, ["parking"], wants: ["name", "display_point"], &remarks)
            let types: [FeatureType] = [.unit, .amenity, .section, .geofence]
            let hasPlatform = types.contains { type in
                examination.features(of: type).contains { $0.category == "platform" }
            }
            if !hasPlatform { remarks.add("There is no platform in the station.") }
        },
        .each(
            "VT-03", .info, "Lifts, stairs and restrooms can be found: by a display point, or as an amenity.",
            source: "the standard's guidance", of: [.unit]
        ) { unit, examination, remarks in
            guard ["elevator", "escalator", "stairs", "restroom"].contains(where: { unit.hasCategory($0) }),
                unit["display_point"] == nil, !examination.isReferredTo(unit, by: .amenity, as: .units)
            else { return }
            remarks.add(
                "\(Shown.quoted(unit.category ?? "")) has neither a display point nor an amenity.", about: unit,
                path: "/properties")
        },
    ]
}

private enum Advice {
    static func check(
        _ examination: ValidationContext, _ type: FeatureType, _ categories: [String], wants properties: [String],
        _ remarks: inout FindingCollector
    ) {
        for feature in examination.features(of: type, meeting: .properties) {
            guard let category = feature.category, categories.contains(category) else { continue }
            for property in properties where feature[property] == nil {
                remarks.add("\(Shown.quoted(category)) has no \(property).", about: feature, path: "/properties")
            }
        }
    }
}
