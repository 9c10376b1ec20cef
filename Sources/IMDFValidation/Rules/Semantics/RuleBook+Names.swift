import IMDF

extension RuleBook {
    /// SE-17 and SE-18: what people look for by its name.
    static let nameRules: [Rule] = [
        .whole(
            "SE-17", .warning, "Gates and baggage carousels have a name.",
            source:
                "{Aircraft,Bus,Train}BoardingGateAmenityShouldHaveName, ArrivalGateAmenityShouldHaveName, BaggageCarouselAmenityShouldHaveName, UnspecifiedAmenityShouldHaveName, BaggageCarouselFixtureShouldHaveDisplayPointAndName",
            of: [.amenity, .fixture], needs: .properties
        ) { examination, remarks in
            for amenity in examination.features(of: .amenity, meeting: .properties) {
                guard let category = amenity.category, Gates.named.contains(category), !amenity.isNamed else {
                    continue
                }
                remarks.add("\(Shown.quoted(category)) has no name.", about: amenity, path: "/properties")
            }
            let fixtures = examination.features(of: .fixture, meeting: .properties).filter {
                $0.category == Gates.carousel && ($0["display_point"] == nil || !$0.isNamed)
            }
            guard !fixtures.isEmpty else { return }
            let carousels = examination.features(of: .amenity, meeting: .geometry).filter {
                $0.hasCategory(Gates.carousel)
            }
            var points = PointIndex(carousels, in: examination)
            for fixture in fixtures where points.features(within: fixture, in: examination).isEmpty {
                remarks.add(
                    "The baggage carousel lacks a name or a display point.", about: fixture, path: "/properties")
            }
        },
        .whole(
            "SE-18", .warning, "Gates and carousels have different names, and amenities others than their category.",
            source:
                "AmenityNameShouldNotBeDuplicate, BaggageCarouselAmenityNameIsDuplicateInSameBuilding, AmenityNameAndCategoryAreSame",
            of: [.amenity], needs: .properties
        ) { examination, remarks in
            var gates: [String: Repetitions] = [:]
            for amenity in examination.features(of: .amenity, meeting: .properties) {
                guard let category = amenity.category else { continue }
                if amenity.texts("name").contains(where: { $0.lowercased() == category }) {
                    remarks.add("The name is the category.", about: amenity, path: "/properties/name")
                }
                var group = Gates.numbered.contains(category) ? category : nil
                if amenity.hasCategory(Gates.carousel) {
                    group = examination.level(of: amenity)?.ids("building_ids").min().map { "\($0)" }
                }
                guard let group,
                    let other = gates[group, default: Repetitions()].earlier(amenity.labelSet("name"), of: amenity)
                else { continue }
                remarks.add("Amenity \(other.id) has the same name.", about: amenity, path: "/properties/name")
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
