import IMDF

extension SampleVenue {
    /// Applies an edit and reports its effect.
    ///
    /// The result depends only on the state, the edit and the random numbers, not on the order of the features. If there are
    /// fewer suitable features than requested, all of them are edited.
    package mutating func apply(_ edit: Edit, using random: inout some RandomNumberGenerator) -> EditEffect {
        let before = self
        let count = edit.count ?? 1
        var reminted: [FeatureID: FeatureID] = [:]
        switch edit.kind {
        case .rename: self.rename(count, using: &random)
        case .move: self.move(count, using: &random)
        case .recategorise: self.recategorise(count, using: &random)
        case .hours: self.changeHours(count, using: &random)
        case .add: self.openShops(count, using: &random)
        case .remove: self.closeShops(count, using: &random)
        case .relevel: self.relevel(count, using: &random)
        case .retype: self.retype(count, using: &random)
        case .floor: self.addFloor(using: &random)
        case .removeFloor: self.removeFloor()
        case .remint: reminted = self.remint(edit.count, using: &random)
        case .noise: self.reformat(using: &random)
        }
        return Self.report(of: edit, reminted: reminted, before: before, after: self)
    }

    /// Applies several edits in order; the same seed gives the same result.
    package mutating func apply(_ edits: [Edit], seed: UInt64) -> [EditEffect] {
        var random = SplitMix64(seed: seed)
        return edits.map { self.apply($0, using: &random) }
    }

    /// The indices in ``features`` of the features that satisfy the predicate, in the order of their ids.
    func indices(where fits: (SampleFeature) -> Bool) -> [Int] {
        self.features.indices.filter { fits(self.features[$0]) }.sorted { self.features[$0].id < self.features[$1].id }
    }

    /// The index in ``features`` of every feature, by id.
    func indicesByID() -> [FeatureID: Int] {
        Dictionary(zip(self.features.map(\.id), self.features.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The feature that a property refers to.
    func target(of property: String, of feature: SampleFeature, in indices: [FeatureID: Int]) -> SampleFeature? {
        guard let text = feature[property]?.string, let id = FeatureID(text), let index = indices[id]
        else { return nil }
        return self.features[index]
    }

    /// Gives new ids to some features, or to all, and returns the new ids by the old ones.
    private mutating func remint(
        _ count: Int?, using random: inout some RandomNumberGenerator
    ) -> [FeatureID: FeatureID] {
        let all = self.indices { _ in true }
        var fresh = FreshIDs(for: self)
        var ids: [FeatureID: FeatureID] = [:]
        for index in random.sample(count ?? all.count, of: all) {
            ids[self.features[index].id] = fresh.next(using: &random)
        }
        for index in self.features.indices { self.features[index].replace(ids) }
        return ids
    }

    /// Removes features, the features that require them, and addresses that are no longer used.
    mutating func remove(_ ids: Set<FeatureID>) {
        var gone = ids
        var addresses: Set<FeatureID> = []
        var correlations: Set<JSONValue> = []
        while !gone.isEmpty {
            var kept: [SampleFeature] = []
            kept.reserveCapacity(self.features.count)
            var next: Set<FeatureID> = []
            for var feature in self.features {
                if !gone.contains(feature.id), feature.removeReferences(to: gone) {
                    kept.append(feature)
                    continue
                }
                next.insert(feature.id)
                if let address = feature["address_id"]?.string.flatMap(FeatureID.init) { addresses.insert(address) }
                if let correlation = feature["correlation_id"], !correlation.isNull { correlations.insert(correlation) }
            }
            self.features = kept
            // The features removed in this round may be required by others, which are removed in the next round.
            gone = next.subtracting(gone)
        }
        self.removeUnused(addresses)
        self.dissolve(correlations)
    }

    private mutating func removeUnused(_ addresses: Set<FeatureID>) {
        guard !addresses.isEmpty else { return }
        let used = Set(self.features.flatMap { $0.references(among: addresses) }.map(\.target))
        self.features.removeAll { $0.type == .address && addresses.contains($0.id) && !used.contains($0.id) }
    }

    /// Removes correlations that only one feature is left of.
    private mutating func dissolve(_ correlations: Set<JSONValue>) {
        guard !correlations.isEmpty else { return }
        var members: [JSONValue: [Int]] = [:]
        for index in self.features.indices {
            guard let correlation = self.features[index]["correlation_id"], correlations.contains(correlation)
            else { continue }
            members[correlation, default: []].append(index)
        }
        for group in members.values where group.count == 1 { self.features[group[0]]["correlation_id"] = .null }
    }
}
