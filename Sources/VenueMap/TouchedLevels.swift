import IMDF

/// Which levels venue-wide features touch, such as a lift over three floors: those of what they refer to, as far as that is here.
/// The server works the same out for a whole revision; what is synchronised does not say it.
struct TouchedLevels {
    private let features: [FeatureID: MapFeature]
    /// What features without a level refer to. Each is read once.
    private var references: [FeatureID: [FeatureID]] = [:]

    init(_ features: [FeatureID: MapFeature]) {
        self.features = features
    }

    /// Occupant, anchor, unit: a longer way leads nowhere that anybody would look for.
    private static let longestWay = 3
    /// References that are followed from one feature. A network that has more is no lift.
    private static let mostReferences = 10_000

    /// Types that are on no level by nature, and lead to none.
    private static let apart: Set<FeatureType> = [.level, .venue, .address, .building, .footprint]

    /// Ascending.
    mutating func levels(of feature: MapFeature) -> [FeatureID] {
        guard !Self.apart.contains(feature.type) else { return [] }
        var found: Set<FeatureID> = []
        var seen: Set<FeatureID> = [feature.id]
        var (layer, followed) = ([feature], 0)
        for _ in 0..<Self.longestWay where !layer.isEmpty {
            var next: [MapFeature] = []
            for feature in layer {
                for id in self.references(of: feature) {
                    followed += 1
                    guard followed <= Self.mostReferences else { return found.sorted() }
                    guard seen.insert(id).inserted, let target = self.features[id] else { continue }
                    if target.type == .level {
                        found.insert(id)
                    } else if let level = target.placement.level {
                        found.insert(level)
                    } else if !Self.apart.contains(target.type) {
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
