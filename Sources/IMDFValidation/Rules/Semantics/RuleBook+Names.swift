import IMDF

extension RuleBook {
    /// SE-17 and SE-18: names of gates and baggage carousels.
    static let nameRules: [Rule] = [
        .whole(
            "SE-17", .warning, "Gates and baggage carousels have a name.",
            source:
                "{Aircraft,Bus,Train}BoardingGateAmenityShouldHaveName, ArrivalGateAmenityShouldHaveName, BaggageCarouselAmenityShouldHaveName, UnspecifiedAmenityShouldHaveName, BaggageCarouselFixtureShouldHaveDisplayPointAndName",
            of: [.amenity, .fixture], needs: .properties
        ) { context, run in
            for amenity in context.features(of: .amenity, meeting: .properties) {
                guard let category = amenity.category, Gates.named.contains(category), !amenity.isNamed else {
                    continue
                }
                run.add("\(DisplayText.quoted(category)) has no name.", about: amenity, path: "/properties")
            }
            let fixtures = context.features(of: .fixture, meeting: .properties).filter {
                $0.category == Gates.carousel && ($0["display_point"] == nil || !$0.isNamed)
            }
            guard !fixtures.isEmpty else { return }
            let carousels = context.features(of: .amenity, meeting: .geometry).filter {
                $0.hasCategory(Gates.carousel)
            }
            let points = try PointIndex(carousels, in: context, run)
            for fixture in fixtures where try points.features(within: fixture, in: context, run).isEmpty {
                run.add(
                    "The baggage carousel lacks a name or a display point.", about: fixture, path: "/properties")
            }
        },
        .whole(
            "SE-18", .warning,
            "Gates and baggage carousels have unique names, and no amenity is named like its category.",
            source:
                "AmenityNameShouldNotBeDuplicate, BaggageCarouselAmenityNameIsDuplicateInSameBuilding, AmenityNameAndCategoryAreSame",
            of: [.amenity], needs: .properties
        ) { context, run in
            var gates: [String: DuplicateFinder] = [:]
            for amenity in context.features(of: .amenity, meeting: .properties) {
                guard let category = amenity.category else { continue }
                if amenity.texts("name").contains(where: { $0.lowercased() == category }) {
                    run.add("The name is equal to the category.", about: amenity, path: "/properties/name")
                }
                var group = Gates.numbered.contains(category) ? category : nil
                if amenity.hasCategory(Gates.carousel) {
                    let level = context.level(of: amenity)
                    if let level { try run.spend(reading: level) }
                    group = level?.ids("building_ids").min().map { "\($0)" }
                }
                guard let group,
                    let other = gates[group, default: DuplicateFinder()].earlier(amenity.labelSet("name"), of: amenity)
                else { continue }
                run.add("Amenity \(other.id) has the same name.", about: amenity, path: "/properties/name")
            }
        },
    ]
}

private enum Gates {
    static let carousel = "baggagecarousel"

    static let numbered: Set<String> = [
        "boardinggate", "boardinggate.aircraft", "boardinggate.bus", "boardinggate.ferry", "boardinggate.train",
        "arrivalgate",
    ]

    static let named: Set<String> = [
        "boardinggate.aircraft", "boardinggate.bus", "boardinggate.train", "arrivalgate", "baggagecarousel",
        "baggagecarousel.intl", "unspecified",
    ]
}
