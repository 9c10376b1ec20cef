import IMDF

/// Determines the levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to,
/// if those are held. The server does so for a whole revision, without a limit, but change sets do not contain the result.
struct TouchedLevels: Sendable {
    /// The references of features without a level, so that each feature is read once.
    private var references: [FeatureID: [FeatureID]] = [:]
    /// The features without a level that refer to an id; ascending.
    private var sources: [FeatureID: [FeatureID]] = [:]

    /// The longest path of references that is followed, such as occupant, anchor, unit.
    private static let maximumDepth = 3
    /// A feature that leads to more levels belongs to the whole venue, and touches none of them. This bounds the results for hostile data.
    private static let maximumLevels = 1_000

    /// Types that are on no level, and whose references are not followed.
    static let typesWithoutLevel: Set<FeatureType> = [.level, .venue, .address, .building, .footprint]

    /// Records the references of a feature that was added or replaced; nil for a feature that was removed.
    mutating func update(_ id: FeatureID, _ feature: MapFeature?) {
        for target in self.references.removeValue(forKey: id) ?? [] { self.sources[target]?.removeSorted(id) }
        guard let feature, feature.placement.level == nil, !Self.typesWithoutLevel.contains(feature.type) else {
            return
        }
        let references = Self.references(in: .object(feature.properties))
        self.references[id] = references
        for target in references { self.sources[target, default: []].insertSorted(id) }
    }

    /// The features whose touched levels may differ after changes of the given features, including these.
    func features(affectedBy ids: some Sequence<FeatureID>) -> Set<FeatureID> {
        var found = Set(ids)
        var layer = Array(found)
        for _ in 0..<Self.maximumDepth where !layer.isEmpty {
            layer = layer.flatMap { self.sources[$0] ?? [] }.filter { found.insert($0).inserted }
        }
        return found
    }

    /// The levels that each of some features touches, ascending.
    ///
    /// - Complexity: O(references) unions of small sets: where its references lead is determined once for each feature.
    func levels(
        of ids: some Sequence<FeatureID>, in features: [FeatureID: MapFeature]
    ) -> [(id: FeatureID, levels: [FeatureID])] {
        var reachable = ReachableLevels(limit: Self.maximumLevels, references: self.references, features: features)
        // Features that touch the same levels share one array.
        var lists: [Set<FeatureID>: [FeatureID]] = [:]
        return ids.map { id in
            guard let found = reachable.levels(from: id, depth: Self.maximumDepth) else { return (id, []) }
            if let known = lists[found] { return (id, known) }
            let levels = found.sorted()
            lists[found] = levels
            return (id, levels)
        }
    }

    private static func references(in value: JSONValue) -> [FeatureID] {
        switch value {
        case .string(let text): FeatureID(text).map { [$0] } ?? []
        case .array(let elements): elements.flatMap(self.references)
        case .object(let object): object.members.flatMap { self.references(in: $0.value) }
        default: []
        }
    }
}

/// The levels to which references lead.
private struct ReachableLevels {
    private struct Path: Hashable {
        let id: FeatureID
        /// The number of references that may be followed.
        let depth: Int
    }

    private let limit: Int
    private let references: [FeatureID: [FeatureID]]
    private let features: [FeatureID: MapFeature]
    /// Nil for paths that lead to more levels than the limit.
    private var known: [Path: Set<FeatureID>?] = [:]

    init(limit: Int, references: [FeatureID: [FeatureID]], features: [FeatureID: MapFeature]) {
        self.limit = limit
        self.references = references
        self.features = features
    }

    /// Nil if there are more than the limit.
    mutating func levels(from id: FeatureID, depth: Int) -> Set<FeatureID>? {
        let path = Path(id: id, depth: depth)
        if let known = self.known[path] { return known }
        let found = self.search(from: id, depth: depth)
        self.known[path] = .some(found)
        return found
    }

    private mutating func search(from id: FeatureID, depth: Int) -> Set<FeatureID>? {
        var found: Set<FeatureID> = []
        for target in self.references[id] ?? [] {
            guard let feature = self.features[target] else { continue }
            if let level = feature.type == .level ? target : feature.placement.level {
                found.insert(level)
            } else if depth > 1 {
                // Features whose references are not followed have none here.
                guard let others = self.levels(from: target, depth: depth - 1) else { return nil }
                // Features that lead to the same levels share a set.
                if found.isSubset(of: others) {
                    found = others
                } else if !others.isSubset(of: found) {
                    found.formUnion(others)
                }
            }
            guard found.count <= self.limit else { return nil }
        }
        return found
    }
}
