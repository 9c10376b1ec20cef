import IMDF

extension RuleBook {
    /// SE-25 and SE-26.
    static let parentRules: [Rule] = [
        .each(
            "SE-25", .info, "Sections and geofences have no parents, and a geofence refers to buildings and levels.",
            source:
                "SectionHasParentReference, GeofenceHasParentReference, GeofenceHasNoBuildingReference, GeofenceHasNoLevelReference",
            of: [.section, .geofence]
        ) { feature, _, run in
            if feature["parents"]?.array?.isEmpty == false {
                run.add("The \(feature.type.noun) has parents.", about: feature, path: "/properties/parents")
            }
            guard feature.type == .geofence else { return }
            for (property, noun) in [("building_ids", "building"), ("level_ids", "level")] {
                guard feature[property]?.array?.isEmpty != false else { continue }
                run.add("The geofence refers to no \(noun).", about: feature, path: "/properties")
            }
        },
        .whole(
            "SE-26", .error, "No feature is its own parent or ancestor.", source: "our own",
            of: [.section, .geofence], needs: .properties
        ) { context, run in
            for type in [FeatureType.section, .geofence] {
                for feature in Ancestry.circular(context.features(of: type, meeting: .properties)) {
                    run.add(
                        "The feature is one of its own ancestors, or lies between two such features.", about: feature,
                        path: "/properties/parents")
                }
            }
        },
    ]
}

private enum Ancestry {
    /// The features on cycles and on paths between cycles: those that remain after features without a parent or without a child
    /// have been removed repeatedly.
    static func circular(_ features: [ValidationFeature]) -> [ValidationFeature] {
        let byID = Dictionary(uniqueKeysWithValues: features.map { ($0.id, $0) })
        var parents: [FeatureID: Set<FeatureID>] = [:]
        var children: [FeatureID: Set<FeatureID>] = [:]
        for feature in features {
            for parent in feature.ids("parents") where byID[parent] != nil {
                parents[feature.id, default: []].insert(parent)
                children[parent, default: []].insert(feature.id)
            }
        }
        var rest = Set(parents.keys).union(children.keys)
        var ends = rest.filter { parents[$0] == nil || children[$0] == nil }
        while let end = ends.popFirst() {
            guard rest.remove(end) != nil else { continue }
            for child in children[end] ?? [] where parents[child]?.remove(end) != nil {
                if parents[child]?.isEmpty == true { ends.insert(child) }
            }
            for parent in parents[end] ?? [] where children[parent]?.remove(end) != nil {
                if children[parent]?.isEmpty == true { ends.insert(parent) }
            }
        }
        return rest.compactMap { byID[$0] }.sorted { $0.id < $1.id }
    }
}
