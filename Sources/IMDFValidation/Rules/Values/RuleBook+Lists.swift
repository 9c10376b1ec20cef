import IMDF

extension RuleBook {
    /// PV-10 to PV-13: display points and listed values.
    static let lists: [Rule] = [
        .each(
            "PV-10", .error, "A display point is a GeoJSON Point.", source: "DisplayPointMustBePointGeometry",
            of: FeatureType.withDisplayPoint
        ) { feature, _, run in
            guard feature["display_point"] != nil, feature.displayPoint == nil else { return }
            run.add(
                "The display_point is not a Point with a longitude and a latitude.", about: feature,
                path: "/properties/display_point")
        },
        .each(
            "PV-11", .error, "Accessibility and access control are arrays of listed values.",
            source: "AccessibilityMustBeValid, AccessControlMustBeValid", of: FeatureType.withAccessibility
        ) { feature, _, run in
            ListedValue.check("accessibility", of: feature, in: .accessibility, &run)
            if feature.type == .opening {
                ListedValue.check("access_control", of: feature, in: .accessControl, &run)
            }
        },
        .each(
            "PV-12", .error, "A restriction is a listed value.", source: "RestrictionCategoryMustBeValid",
            of: FeatureType.withRestriction
        ) { feature, _, run in
            guard let value = feature["restriction"], value.string.map(CategoryList.restriction.contains) != true
            else { return }
            run.add(
                "\(value.string.map { DisplayText.quoted($0) } ?? "The restriction") is neither employeesonly nor restricted.",
                about: feature, path: "/properties/restriction")
        },
        .each(
            "PV-13", .error, "The type and the material of a door are listed values, and automatic is true or false.",
            source: "OpeningDoorTypeMustBeValid, OpeningDoorMaterialMustBeValid", of: [.opening]
        ) { feature, _, run in
            guard let value = feature["door"] else { return }
            guard let door = value.object else {
                return run.add("The door is not an object.", about: feature, path: "/properties/door")
            }
            for (member, list) in [("type", CategoryList.doorType), ("material", .doorMaterial)] {
                guard let value = door[member], !value.isNull, value.string.map(list.contains) != true else { continue }
                run.add(
                    "\(value.string.map { DisplayText.quoted($0) } ?? "The value") is not a door \(member) that IMDF lists.",
                    about: feature, path: "/properties/door/\(member)")
            }
            if let value = door["automatic"], !value.isNull, value.bool == nil {
                run.add(
                    "automatic is neither true nor false.", about: feature,
                    path: "/properties/door/automatic")
            }
        },
    ]
}

private enum ListedValue {
    static func check(
        _ property: String, of feature: ValidationFeature, in list: CategoryList, _ run: inout RuleRun
    ) {
        guard let value = feature[property] else { return }
        guard let values = value.array else {
            return run.add("\(property) is not an array.", about: feature, path: "/properties/\(property)")
        }
        for (number, value) in values.enumerated() where value.string.map(list.contains) != true {
            run.add(
                "\(value.string.map { DisplayText.quoted($0) } ?? "The value") is not a value that IMDF lists for \(property).",
                about: feature, path: "/properties/\(property)/\(number)")
        }
    }
}
