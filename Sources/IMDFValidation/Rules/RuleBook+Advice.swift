import IMDF

extension RuleBook {
    /// Advice for types of venues.
    static let advice: [Rule] = [
        .whole(
            "VT-01", .info, "In an airport, gates, carousels, counters and parking have labels.",
            source: "the standard's guidance",
            of: [.amenity, .building, .fixture, .geofence, .level, .section, .unit], needs: .properties
        ) { context, run in
            guard context.venue?.hasCategory("airport") == true else { return }
            Advice.check(
                context, .amenity, ["boardinggate.aircraft", "baggagecarousel"], requiring: ["name"], &run)
            let both = ["name", "display_point"]
            Advice.check(context, .geofence, ["concourse", "terminal"], requiring: both, &run)
            Advice.check(context, .unit, ["parking"], requiring: both, &run)
            Advice.check(context, .fixture, ["baggagecarousel"], requiring: both, &run)
            Advice.check(
                context, .section, ["checkin", "baggageclaim", "immigration", "security"], requiring: ["display_point"],
                &run)
            for (type, usual) in [
                (FeatureType.building, ["parking", "transit", "unspecified"]), (.level, ["parking", "unspecified"]),
            ] {
                for feature in context.features(of: type, meeting: .properties) {
                    guard let category = feature.category, !usual.contains(category) else { continue }
                    run.add(
                        "\(DisplayText.quoted(category)) is unusual for \(type.article) of an airport.", about: feature,
                        path: "/properties/category")
                }
            }
        },
        .whole(
            "VT-02", .info, "A station has platforms, and its parking has labels.",
            source: "the standard's guidance", of: [.unit], needs: .properties
        ) { context, run in
            guard ["transitstation", "trainstation"].contains(context.venue?.category ?? "") else { return }
            Advice.check(context, .unit, ["parking"], requiring: ["name", "display_point"], &run)
            let types: [FeatureType] = [.unit, .amenity, .section, .geofence]
            let hasPlatform = types.contains { type in
                context.features(of: type).contains { $0.category == "platform" }
            }
            if !hasPlatform { run.add("There is no platform in the station.") }
        },
        .each(
            "VT-03", .info, "Lifts, stairs and restrooms have a display point or an amenity.",
            source: "the standard's guidance", of: [.unit]
        ) { unit, context, run in
            guard ["elevator", "escalator", "stairs", "restroom"].contains(where: { unit.hasCategory($0) }),
                unit["display_point"] == nil, !context.isReferenced(unit, by: .amenity, as: .units)
            else { return }
            run.add(
                "\(DisplayText.quoted(unit.category ?? "")) has neither a display point nor an amenity.", about: unit,
                path: "/properties")
        },
    ]
}

private enum Advice {
    static func check(
        _ context: ValidationContext, _ type: FeatureType, _ categories: [String], requiring properties: [String],
        _ run: inout RuleRun
    ) {
        for feature in context.features(of: type, meeting: .properties) {
            guard let category = feature.category, categories.contains(category) else { continue }
            for property in properties where feature[property] == nil {
                run.add("\(DisplayText.quoted(category)) has no \(property).", about: feature, path: "/properties")
            }
        }
    }
}
