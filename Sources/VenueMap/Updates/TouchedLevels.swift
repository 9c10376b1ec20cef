import IMDF

/// Determines the levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to,
/// if those are held. The server does the same for a whole revision, but change sets do not contain the result.
struct TouchedLevels: Sendable {
    /// The references of features without a level, so that each feature is read once.
    private var references: [FeatureID: [FeatureID]] = [:]
    /// The features without a level that refer to an id; ascending.
    private var sources: [FeatureID: [FeatureID]] = [:]

    /// The longest path of references that is followed, such as occupant, anchor, unit.
    private static let maximumDepth = 3
    /// The number of references that are followed from one feature, which bounds the time for hostile data.
    private static let maximumReferences = 10_000

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

    /// Ascending.
    func levels(of feature: MapFeature, in features: [FeatureID: MapFeature]) -> [FeatureID] {
        var found: Set<FeatureID> = []
        var seen: Set<FeatureID> = [feature.id]
        var (layer, followed) = ([feature.id], 0)
        for _ in 0..<Self.maximumDepth where !layer.isEmpty {
            var next: [FeatureID] = []
            for id in layer.lazy.flatMap({ self.references[$0] ?? [] }) {
                followed += 1
                guard followed <= Self.maximumReferences else { return found.sorted() }
                guard seen.insert(id).inserted, let target = features[id] else { continue }
                if target.type == .level {
                    found.insert(id)
                } else if let level = target.placement.level {
                    found.insert(level)
                } else {
                    // Features whose references are not followed have none here.
                    next.append(id)
                }
            }
            layer = next
        }
        return found.sorted()
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
