import IMDF

/// Determines the levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to,
/// if those are held. The server does the same for a whole revision, but change sets do not contain the result.
struct TouchedLevels {
    private let features: [FeatureID: MapFeature]
    /// The references of features without a level, so that each feature is read once.
    private var references: [FeatureID: [FeatureID]] = [:]

    init(_ features: [FeatureID: MapFeature]) {
        self.features = features
    }

    /// The longest path of references that is followed, such as occupant, anchor, unit.
    private static let maximumDepth = 3
    /// The number of references that are followed from one feature, which bounds the time for hostile data.
    private static let maximumReferences = 10_000

    /// Types that are on no level, and whose references are not followed.
    private static let typesWithoutLevel: Set<FeatureType> = [.level, .venue, .address, .building, .footprint]

    /// Ascending.
    mutating func levels(of feature: MapFeature) -> [FeatureID] {
        guard !Self.typesWithoutLevel.contains(feature.type) else { return [] }
        var found: Set<FeatureID> = []
        var seen: Set<FeatureID> = [feature.id]
        var (layer, followed) = ([feature], 0)
        for _ in 0..<Self.maximumDepth where !layer.isEmpty {
            var next: [MapFeature] = []
            for feature in layer {
                for id in self.references(of: feature) {
                    followed += 1
                    guard followed <= Self.maximumReferences else { return found.sorted() }
                    guard seen.insert(id).inserted, let target = self.features[id] else { continue }
                    if target.type == .level {
                        found.insert(id)
                    } else if let level = target.placement.level {
                        found.insert(level)
                    } else if !Self.typesWithoutLevel.contains(target.type) {
                        next.append(target)
                    }
                }
            }
            layer = next
        }
        return found.sorted()
    }

    private mutating func references(of feature: MapFeature) -> [FeatureID] {
        if let known = self.references[feature.id] { return known }
        let references = Self.references(in: .object(feature.properties))
        self.references[feature.id] = references
        return references
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
