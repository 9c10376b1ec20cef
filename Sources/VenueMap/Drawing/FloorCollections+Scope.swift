public import IMDF

extension VenueMap {
    /// The features of a type on some levels, each once, by id: for a floor, those on its levels and those that touch one.
    ///
    /// - Complexity: O(*n*) in the number of features of the map.
    public func features(of type: FeatureType, in selection: LevelSelection) -> [MapFeature] {
        let ordinals = Dictionary(uniqueKeysWithValues: self.graph.levels.map { ($0.id, $0.ordinal) })
        return self.features.values.filter { feature in
            guard feature.type == type else { return false }
            let levels =
                type == .level ? [feature.id] : feature.placement.level.map { [$0] } ?? feature.placement.touches
            return selection.contains(
                DrawnFeature(
                    name: nil, point: nil, box: nil, levels: levels, ordinals: levels.compactMap { ordinals[$0] ?? nil }
                ))
        }.sorted { $0.id < $1.id }
    }

    /// A FeatureCollection of the features of one type on some levels, such as those of a floor. See
    /// ``collection(of:on:options:)``.
    public func collection(
        of type: FeatureType, in levels: LevelSelection, options: CollectionOptions = CollectionOptions()
    ) -> [UInt8] {
        self.collection(of: self.features(of: type, in: levels), options)
    }
}
