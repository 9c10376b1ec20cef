public import IMDF

extension VenueMap {
    /// Applies changes of a replica. The result is equal to a new map of all features.
    ///
    /// Besides the given features, those are reported that are drawn differently because of them: the features at an anchor that moved,
    /// units whose occupants have other categories, features whose levels have other ordinals, and lifts that touch other levels.
    ///
    /// - Parameters:
    ///   - entries: Features that were added or changed. If several have the same id, the last one is used.
    ///   - removed: Features that were deleted, or went to a level that the map does not contain. Unknown ids are ignored. A feature that
    ///     is also among the entries is not removed.
    /// - Complexity: O(*m* log *n*) for *m* changed and affected features of *n*, besides copying the storage of the map if another copy
    ///   of it exists.
    @discardableResult
    public mutating func update(
        putting entries: some Sequence<Entry>, removing removed: some Sequence<FeatureID> = EmptyCollection()
    ) -> MapUpdate {
        let before = self
        let replaced = self.replace(entries, removing: removed)
        return MapUpdate(changes: MapComparison(old: before, new: self, replaced: replaced).changes)
    }
}

/// Compares the drawing of a map before and after an update.
private struct MapComparison {
    let old: VenueMap
    let new: VenueMap
    /// The features that were replaced, or touch other levels.
    let replaced: Set<FeatureID>

    var changes: [MapChange] {
        var moved = self.replaced
        for id in self.replaced { self.collectFeaturesAtAnchors(of: id, into: &moved) }
        var affected = moved
        for id in moved {
            // Units are colored by their occupants.
            affected.formUnion(self.old.index.structure.units(of: id))
            affected.formUnion(self.new.index.structure.units(of: id))
        }
        for id in self.replaced {
            let (former, current) = (self.old.index.structure.level(id), self.new.index.structure.level(id))
            guard former?.ordinal != current?.ordinal else { continue }
            affected.formUnion(self.old.index.idsByLevel[id] ?? [])
            affected.formUnion(self.new.index.idsByLevel[id] ?? [])
        }
        return affected.sorted().compactMap { self.change(of: $0, mayHaveMoved: moved.contains($0)) }
    }

    /// Adds the features whose label points depend on an anchor, or on the unit of an anchor.
    private func collectFeaturesAtAnchors(of id: FeatureID, into found: inout Set<FeatureID>) {
        for map in [self.old, self.new] {
            for anchor in [id] + map.index.structure.anchors(of: id) {
                found.formUnion(map.index.idsByAnchor[anchor] ?? [])
            }
        }
    }

    private func change(of id: FeatureID, mayHaveMoved: Bool) -> MapChange? {
        let (former, current) = (self.old.features[id], self.new.features[id])
        let oldPoint = former.flatMap { self.old.labelPoint(of: $0) }
        let newPoint = mayHaveMoved ? current.flatMap { self.new.labelPoint(of: $0) } : oldPoint
        let before = former.flatMap { self.old.drawn($0, at: oldPoint) }
        let after = current.flatMap { self.new.drawn($0, at: newPoint) }
        switch (former, before, current, after) {
        case (let former?, let before?, let current?, let after?):
            let aspects = self.aspects(former, before, current, after)
            guard !aspects.isEmpty else { return nil }
            return MapChange(id: id, type: current.type, kind: .changed, aspects: aspects, old: before, new: after)
        case (_, _, let current?, let after?):
            return MapChange(id: id, type: current.type, kind: .added, aspects: .everything, old: nil, new: after)
        case (let former?, let before?, _, _):
            return MapChange(id: id, type: former.type, kind: .removed, aspects: .everything, old: before, new: nil)
        default: return nil
        }
    }

    private func aspects(
        _ former: MapFeature, _ before: DrawnFeature, _ current: MapFeature, _ after: DrawnFeature
    ) -> MapChange.Aspects {
        var aspects: MapChange.Aspects = []
        if before.point?.position != after.point?.position { aspects.insert(.point) }
        if before.levels != after.levels || before.ordinals != after.ordinals { aspects.insert(.level) }
        if former.type != current.type || former.category != current.category
            || self.old.occupantCategories(of: former) != self.new.occupantCategories(of: current)
        {
            aspects.insert(.style)
        }
        guard former.body != current.body else { return aspects }
        if former.shape != current.shape { aspects.insert(.geometry) }
        if ["name", "alt_name", "short_name"].contains(where: { former[$0] != current[$0] }) { aspects.insert(.label) }
        if former.properties != current.properties { aspects.insert(.properties) }
        return aspects
    }
}

extension VenueMap {
    /// The categories of the occupants of a unit, by their ids; empty for other features.
    func occupantCategories(of feature: MapFeature) -> [String] {
        guard feature.type == .unit else { return [] }
        return (self.index.structure.unit(feature.id)?.occupants ?? []).compactMap { self.features[$0]?.category }
    }
}
