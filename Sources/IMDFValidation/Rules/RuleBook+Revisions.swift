import IMDF

extension RuleBook {
    /// From revision to revision.
    static let revisions: [Rule] = [
        .each("RV-01", .warning, "A feature keeps its type.", source: "our own", needs: .previous) {
            feature, examination, remarks in
            guard let before = examination.before(feature), before.type != feature.type else { return }
            remarks.add(
                "It was \(before.type.article) before, and is \(feature.type.article) now.", about: feature,
                path: "/feature_type")
        },
        .whole("RV-02", .warning, "Features keep their ids.", source: "our own", needs: .previous) {
            examination, remarks in
            guard let previous = examination.previous else { return }
            var before: [FeatureType: Int] = [:]
            var kept: [FeatureType: Int] = [:]
            var recognised: [FeatureType: Int] = [:]
            for version in previous.features.values { before[version.type, default: 0] += 1 }
            for feature in examination.features {
                if let version = previous.features[feature.id] {
                    kept[version.type, default: 0] += 1
                } else if previous.recognised[feature.id] != nil {
                    recognised[feature.type, default: 0] += 1
                }
            }
            for (type, count) in before {
                let (gone, new) = (count - kept[type, default: 0], recognised[type, default: 0])
                guard gone * 2 > count, new * 2 > count else { continue }
                remarks.add(
                    "\(gone) of \(count) ids of type \(type.noun) are gone, and \(new) new ones stand for the same things: the ids seem to be made anew with every export."
                )
            }
        },
        .whole(
            "RV-03", .warning, "The venue keeps its id, and the manifest its origin.", source: "our own",
            needs: .previous
        ) { examination, remarks in
            guard let previous = examination.previous else { return }
            if let venue = examination.venue, let before = previous.venueFeature, before != venue.id {
                remarks.add("The venue had the id \(before) before.", about: venue, path: "/id")
            }
            if let origin = previous.manifest?["origin"], !origin.isNull,
                examination.manifest?["origin"]?.isNull != false
            {
                remarks.add(
                    "The manifest had an origin before, and has none now.", file: examination.manifestFile, pointer: "")
            }
        },
        .whole(
            "RV-04", .warning, "Features stay on their level and with their building, and levels with what is on them.",
            source: "our own", needs: .previous
        ) { examination, remarks in
            guard let previous = examination.previous else { return }
            let standing = Set(examination.features(of: .building).map { examination.storedID(of: $0.id) })
            for type in PreviousRevision.Version.ofBuildings {
                for feature in examination.features(of: type) {
                    examination.compareBuildings(of: feature, among: standing, &remarks)
                }
            }
            var present = Set(examination.features.lazy.map(\.id))
            for feature in examination.features { present.insert(examination.storedID(of: feature.id)) }
            var scattered: [FeatureID: Int] = [:]
            for feature in examination.features where feature.type != .level {
                guard let before = examination.before(feature)?.level else { continue }
                guard present.contains(before) else {
                    scattered[before, default: 0] += 1
                    continue
                }
                guard let level = examination.level(of: feature), examination.storedID(of: level.id) != before
                else { continue }
                remarks.add(
                    "It was on level \(before) before, and is on level \(level.id) now.", about: feature,
                    path: "/properties")
            }
            for (level, count) in scattered {
                remarks.add(
                    "Level \(level) is gone, and \(count == 1 ? "1 feature" : "\(count) features") that were on it are elsewhere now."
                )
            }
        },
        .whole(
            "RV-05", .info, "What is only spelt otherwise makes no new version.", source: "our own", needs: .previous
        ) { examination, remarks in
            let count = examination.previous?.respelt.count ?? 0
            guard count > 0 else { return }
            remarks.add(
                "\(count == 1 ? "1 feature is" : "\(count) features are") spelt otherwise than before and say the same."
            )
        },
        .each("RV-06", .warning, "An id that went does not come back.", source: "our own", needs: .previous) {
            feature, examination, remarks in
            guard examination.previous?.revived.contains(feature.id) == true else { return }
            remarks.add(
                "An earlier revision had this id, and the last one had it no more.", about: feature, path: "/id")
        },
    ]
}

extension ValidationContext {
    /// Under which id the store knows a feature of the archive.
    fileprivate func storedID(of id: FeatureID) -> FeatureID { self.previous?.recognised[id] ?? id }

    /// FindingCollector on a feature that left one building for another. What was built on or torn down moves nothing.
    ///
    /// - Parameter standing: The buildings that there are; ids of the store.
    fileprivate func compareBuildings(
        of feature: Subject, among standing: Set<FeatureID>, _ remarks: inout FindingCollector
    ) {
        guard let before = self.before(feature), before.type == feature.type else { return }
        let now = Set(feature.ids("building_ids").map(self.storedID))
        let left = Set(before.buildings).subtracting(now).intersection(standing)
        let joined = now.subtracting(before.buildings).intersection(standing)
        guard let old = left.min(), let new = joined.min() else { return }
        remarks.add(
            "It belonged to building \(old) before, and belongs to building \(new) now.", about: feature,
            path: "/properties/building_ids")
    }

    /// What a feature was before; nil for a new one.
    fileprivate func before(_ feature: Subject) -> PreviousRevision.Version? {
        self.previous?.features[self.storedID(of: feature.id)]
    }
}
