import IMDF

/// The names of levels with those of their buildings. Levels share the names of a building, because an archive may name it in all of them.
struct SurroundingTerms: Sendable {
    /// The names of a level, and those of each of its buildings.
    private let listsByLevel: [FeatureID: [[SearchTerm]]]
    /// The bytes that they take in memory, roughly.
    let cost: Int

    /// - Parameter shouldStop: Called before each level; the rest is left out when it is true.
    init(_ map: VenueMap, shouldStop: () -> Bool) {
        var listsByLevel: [FeatureID: [[SearchTerm]]] = [:]
        var counted: Set<FeatureID> = []
        var cost = 0
        for level in map.graph.levels where !shouldStop() {
            let features = map.surroundings(of: level.id)
            listsByLevel[level.id] = map.names(of: features)
            cost += 64 + 8 * features.count
            let added = features.filter { counted.insert($0).inserted }
            cost += map.names(of: added).joined().reduce(0) { $0 + 64 + $1.text.utf8.count + $1.folded.cost }
        }
        (self.listsByLevel, self.cost) = (listsByLevel, cost)
    }

    /// The names around a place on some levels.
    func lists(of levels: [FeatureID]) -> [[SearchTerm]] {
        levels.flatMap { self.listsByLevel[$0] ?? [] }
    }
}

extension VenueMap {
    /// The names of a level, and those of each of its buildings.
    func terms(around level: FeatureID) -> [[SearchTerm]] { self.names(of: self.surroundings(of: level)) }

    /// A level and its buildings, each once.
    fileprivate func surroundings(of level: FeatureID) -> [FeatureID] {
        // A level has few buildings, so that more are not searched.
        let buildings = (self.features[level]?["building_ids"]?.array ?? []).prefix(16)
            .compactMap { $0.string.flatMap { FeatureID($0) } }
            .filter { self.features[$0]?.type == .building }
        var known: Set<FeatureID> = [level]
        return [level] + buildings.filter { known.insert($0).inserted }
    }

    fileprivate func names(of features: [FeatureID]) -> [[SearchTerm]] {
        features.compactMap { self.texts(of: $0)?.names }.filter { !$0.isEmpty }
    }
}
