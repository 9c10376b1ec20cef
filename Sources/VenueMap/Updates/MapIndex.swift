import IMDF

/// The features of a map with everything that is derived from them, which follows changes of single features. Two indexes of equal
/// features give equal results, by whatever changes they came about.
struct MapIndex: Sendable {
    private(set) var features: [FeatureID: MapFeature] = [:]
    /// The ids of features that are on a level or touch it, ascending; under nil, of those without a level.
    private(set) var idsByLevel: [FeatureID?: [FeatureID]] = [:]
    /// The searchable texts, by feature.
    private(set) var texts: [FeatureID: SearchTexts] = [:]
    /// The features that name an anchor, by its id, which may be missing; ascending.
    private(set) var idsByAnchor: [FeatureID: [FeatureID]] = [:]
    private(set) var structure = VenueGraphIndex()
    private var touched = TouchedLevels()
    /// Whether there are searchable texts.
    private let isSearchable: Bool

    init(isSearchable: Bool = true) {
        self.isSearchable = isSearchable
    }

    /// Replaces features, or removes them for nil.
    ///
    /// - Parameter shouldStop: Called often while texts are prepared; the rest of them is left out when it is true.
    /// - Returns: The ids of these features, and of those that touch other levels because of it.
    mutating func replace(
        _ replacements: [FeatureID: MapFeature?], shouldStop: () -> Bool = { false }
    ) -> Set<FeatureID> {
        let ids = replacements.keys.sorted()
        var former: [FeatureID: MapFeature] = [:]
        for id in ids {
            let new = replacements[id] ?? nil
            let old = self.features[id]
            former[id] = old
            self.features[id] = new
            self.touched.update(id, new)
            if self.isSearchable { self.texts[id] = new.map { SearchTexts(of: $0, shouldStop: shouldStop) } }
            guard old?.anchor != new?.anchor else { continue }
            if let anchor = old?.anchor { self.idsByAnchor[anchor]?.removeSorted(id) }
            if let anchor = new?.anchor { self.idsByAnchor[anchor, default: []].insertSorted(id) }
        }
        var changed = Set(ids)
        let moved = ids.filter { former[$0]?.reference != self.features[$0]?.reference || former[$0]?.reference == nil }
        let affected = self.touched.features(affectedBy: moved).union(ids)
            .filter { self.features[$0]?.hasComputedTouches == true }
        for (id, levels) in self.touched.levels(of: affected, in: self.features) {
            guard let feature = self.features[id], levels != feature.placement.touches else { continue }
            if changed.insert(id).inserted { former[id] = feature }
            self.features[id]?.placement.touches = levels
        }
        self.place(changed.sorted(), former)
        return changed
    }

    /// Updates the lists of levels, units and floors.
    private mutating func place(_ ids: [FeatureID], _ former: [FeatureID: MapFeature]) {
        for id in ids {
            let (old, new) = (former[id]?.placement, self.features[id]?.placement)
            guard old != new else { continue }
            for key in old?.keys ?? [] { self.idsByLevel[key]?.removeSorted(id) }
            for key in new?.keys ?? [] { self.idsByLevel[key, default: []].insertSorted(id) }
        }
        self.structure.update(
            removing: ids.filter { self.features[$0] == nil },
            adding: ids.compactMap { self.features[$0] }.map { ($0.id, $0.type, $0.properties, $0.placement) })
    }
}

extension MapFeature {
    /// The anchor that the feature names.
    fileprivate var anchor: FeatureID? { self["anchor_id"]?.string.flatMap { FeatureID($0) } }

    /// What a reference to the feature depends on; nil if its own references matter too.
    fileprivate var reference: Reference? {
        self.placement.level.map { Reference(type: self.type, level: $0) }
    }

    fileprivate struct Reference: Equatable {
        let type: FeatureType
        let level: FeatureID
    }
}

extension Placement {
    /// The keys under which the feature is listed by level.
    var keys: [FeatureID?] { [self.level] + self.touches }
}
