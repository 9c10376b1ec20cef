import IMDF

extension RuleBook {
    /// Changes between revisions.
    static let revisions: [Rule] = [
        .each("RV-01", .warning, "A feature keeps its type.", source: "our own", needs: .previous) {
            feature, context, run in
            guard let before = context.before(feature), before.type != feature.type else { return }
            run.add(
                "The type changed from \(before.type.noun) to \(feature.type.noun).", about: feature,
                path: "/feature_type")
        },
        .whole("RV-02", .warning, "Features keep their ids.", source: "our own", needs: .previous) {
            context, run in
            guard let previous = context.previous else { return }
            var before: [FeatureType: Int] = [:]
            var kept: [FeatureType: Int] = [:]
            var matched: [FeatureType: Int] = [:]
            for version in previous.features.values { before[version.type, default: 0] += 1 }
            for feature in context.features {
                if let version = previous.features[feature.id] {
                    kept[version.type, default: 0] += 1
                } else if previous.matched[feature.id] != nil {
                    matched[feature.type, default: 0] += 1
                }
            }
            for (type, count) in before {
                let (gone, new) = (count - kept[type, default: 0], matched[type, default: 0])
                guard gone * 2 > count, new * 2 > count else { continue }
                let replaced = "\(gone) of \(count) ids of type \(type.noun) \(gone == 1 ? "was" : "were") replaced"
                let same =
                    new == 1
                    ? "1 of the new ids belongs to the same feature"
                    : "\(new) of the new ids belong to the same features"
                run.add("\(replaced), and \(same): ids seem to be generated anew with every export.")
            }
        },
        .whole(
            "RV-03", .warning, "The venue keeps its id, and the manifest its origin.", source: "our own",
            needs: .previous
        ) { context, run in
            guard let previous = context.previous else { return }
            if let venue = context.venue, let before = previous.venueFeature, before != venue.id {
                run.add("The id of the venue was \(before) before.", about: venue, path: "/id")
            }
            if let origin = previous.manifest?["origin"], !origin.isNull,
                context.manifest?["origin"]?.isNull != false
            {
                run.add("The manifest had an origin before and has none now.", inManifestAt: "")
            }
        },
        .whole(
            "RV-04", .warning, "Features keep their level and their building.",
            source: "our own", needs: .previous
        ) { context, run in
            guard let previous = context.previous else { return }
            let existing = Set(context.features(of: .building).map { context.storedID(of: $0.id) })
            for type in PreviousRevision.Version.ofBuildings {
                for feature in context.features(of: type) {
                    context.compareBuildings(of: feature, among: existing, &run)
                }
            }
            var present = Set(context.features.lazy.map(\.id))
            for feature in context.features { present.insert(context.storedID(of: feature.id)) }
            var scattered: [FeatureID: Int] = [:]
            for feature in context.features where feature.type != .level {
                guard let before = context.before(feature)?.level else { continue }
                guard present.contains(before) else {
                    scattered[before, default: 0] += 1
                    continue
                }
                guard let level = context.level(of: feature), context.storedID(of: level.id) != before
                else { continue }
                run.add(
                    "The level changed from \(before) to \(level.id).", about: feature,
                    path: "/properties")
            }
            for (level, count) in scattered {
                run.add(
                    "Level \(level) was removed, but \(count == 1 ? "1 feature" : "\(count) features") of it \(count == 1 ? "remains" : "remain") elsewhere."
                )
            }
        },
        .whole(
            "RV-05", .info, "Features that are only written differently do not change.", source: "our own",
            needs: .previous
        ) { context, run in
            let count = context.previous?.equivalent.count ?? 0
            guard count > 0 else { return }
            run.add(
                "\(count == 1 ? "1 feature is" : "\(count) features are") written differently and equivalent to before."
            )
        },
        .each("RV-06", .warning, "A removed id is not used again.", source: "our own", needs: .previous) {
            feature, context, run in
            guard context.previous?.returning.contains(feature.id) == true else { return }
            run.add(
                "The id was removed in an earlier revision and is used again.", about: feature, path: "/id")
        },
    ]
}

extension ValidationContext {
    /// The id of the store for a feature of the archive.
    fileprivate func storedID(of id: FeatureID) -> FeatureID { self.previous?.matched[id] ?? id }

    /// Reports a feature that moved from one building to another. Buildings that were added or removed do not count.
    ///
    /// - Parameter existing: the buildings of the archive, by ids of the store.
    fileprivate func compareBuildings(
        of feature: ValidationFeature, among existing: Set<FeatureID>, _ run: inout RuleRun
    ) {
        guard let before = self.before(feature), before.type == feature.type else { return }
        let now = Set(feature.ids("building_ids").map(self.storedID))
        let left = Set(before.buildings).subtracting(now).intersection(existing)
        let joined = now.subtracting(before.buildings).intersection(existing)
        guard let old = left.min(), let new = joined.min() else { return }
        run.add(
            "The building changed from \(old) to \(new).", about: feature,
            path: "/properties/building_ids")
    }

    /// The previous version of a feature; nil for a new one.
    fileprivate func before(_ feature: ValidationFeature) -> PreviousRevision.Version? {
        self.previous?.features[self.storedID(of: feature.id)]
    }
}
