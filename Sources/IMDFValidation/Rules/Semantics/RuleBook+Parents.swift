import IMDF

extension RuleBook {
    /// SE-25 and SE-26.
    static let parentRules: [Rule] = [
        .each(
            "SE-25", .info, "Sections and geofences stand alone; a geofence names buildings and levels.",
            source:
                "SectionHasParentReference, GeofenceHasParentReference, GeofenceHasNoBuildingReference, GeofenceHasNoLevelReference",
            of: [.section, .geofence]
        ) { feature, _, remarks in
            if feature["parents"]?.array?.isEmpty == false {
                remarks.add("The \(feature.type.noun) has parents.", about: feature, path: "/properties/parents")
            }
            guard feature.type == .geofence else { return }
            for (property, noun) in [("building_ids", "building"), ("level_ids", "level")] {
                guard feature[property]?.array?.isEmpty != false else { continue }
                remarks.add("The geofence names no \(noun).", about: feature, path: "/properties")
            }
        },
        .whole(
            "SE-26", .error, "Nothing is its own parent, nor a parent's parent.", source: "our own",
            of: [.section, .geofence], needs: .properties
        ) { examination, remarks in
            for type in [FeatureType.section, .geofence] {
                for feature in Ancestry.circular(examination.features(of: type, meeting: .properties)) {
                    remarks.add("Its parents run in a circle.", about: feature, path: "/properties/parents")
                }
            }
        },
    ]
}

private enum Ancestry {
    /// The features on circles, and between two of them: those that are left when again and again all go that have no parent, or no
    /// child.
    static func circular(_ features: [Subject]) -> [Subject] {
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
