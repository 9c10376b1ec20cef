import IMDF

extension RuleBook {
    /// PV-10 to PV-13: the label position, and values from lists.
    static let lists: [Rule] = [
        .each(
            "PV-10", .error, "A display point is a GeoJSON Point.", source: "DisplayPointMustBePointGeometry",
            of: FeatureType.withDisplayPoint
        ) { feature, _, remarks in
            guard feature["display_point"] != nil, feature.displayPoint == nil else { return }
            remarks.add(
                "The display_point is no Point with a longitude and a latitude.", about: feature,
                path: "/properties/display_point")
        },
        .each(
            "PV-11", .error, "Accessibility and access control are arrays of listed values.",
            source: "AccessibilityMustBeValid, AccessControlMustBeValid", of: FeatureType.withAccessibility
        ) { feature, _, remarks in
            ListedValue.check("accessibility", of: feature, in: .accessibility, &remarks)
            if feature.type == .opening {
                ListedValue.check("access_control", of: feature, in: .accessControl, &remarks)
            }
        },
        .each(
            "PV-12", .error, "A restriction is a listed one.", source: "RestrictionCategoryMustBeValid",
            of: FeatureType.withRestriction
        ) { feature, _, remarks in
            guard let value = feature["restriction"], value.string.map(CategoryList.restriction.contains) != true
            else { return }
            remarks.add(
                "\(value.string.map { Shown.quoted($0) } ?? "The restriction") is none of employeesonly and restricted.",
                about: feature, path: "/properties/restriction")
        },
        .each(
            "PV-13", .error, "A door says its type, material and drive with listed values.",
            source: "OpeningDoorTypeMustBeValid, OpeningDoorMaterialMustBeValid", of: [.opening]
        ) { feature, _, remarks in
            guard let value = feature["door"] else { return }
            guard let door = value.object else {
                return remarks.add("The door is no object.", about: feature, path: "/properties/door")
            }
            for (member, list) in [("type", CategoryList.doorType), ("material", .doorMaterial)] {
                guard let value = door[member], !value.isNull, value.string.map(list.contains) != true else { continue }
                remarks.add(
                    "\(value.string.map { Shown.quoted($0) } ?? "What stands there") is no \(member) that IMDF lists for doors.",
                    about: feature, path: "/properties/door/\(member)")
            }
            if let value = door["automatic"], !value.isNull, value.bool == nil {
                remarks.add(
                    "Whether the door is automatic is neither true nor false.", about: feature,
                    path: "/properties/door/automatic")
            }
        },
    ]
}

private enum ListedValue {
    static func check(
        _ property: String, of feature: Subject, in list: CategoryList, _ remarks: inout FindingCollector
    ) {
        guard let value = feature[property] else { return }
        guard let values = value.array else {
            return remarks.add("\(property) is no array.", about: feature, path: "/properties/\(property)")
        }
        for (number, value) in values.enumerated() where value.string.map(list.contains) != true {
            remarks.add(
                "\(value.string.map { Shown.quoted($0) } ?? "What stands there") is no value that IMDF lists for \(property).",
                about: feature, path: "/properties/\(property)/\(number)")
        }
    }
}
