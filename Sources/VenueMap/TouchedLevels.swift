import IMDF

/// Which levels a venue-wide feature touches, such as a lift over three floors: those of what it refers to, as far as that is here.
/// The server works the same out for a whole revision; what is synchronised does not say it.
struct TouchedLevels {
    private let features: [FeatureID: MapFeature]

    init(_ features: [FeatureID: MapFeature]) {
        self.features = features
    }

    /// Occupant, anchor, unit: a longer way leads nowhere that anybody would look for.
    private static let longestWay = 3

    /// Types that are on no level by nature, and lead to none.
    private static let apart: Set<FeatureType> = [.level, .venue, .address, .building, .footprint]

    /// Ascending.
    func levels(of feature: MapFeature) -> [FeatureID] {
        guard !Self.apart.contains(feature.type) else { return [] }
        var found: Set<FeatureID> = []
        self.follow(feature, steps: Self.longestWay, &found)
        return found.sorted()
    }

    private func follow(_ feature: MapFeature, steps: Int, _ found: inout Set<FeatureID>) {
        guard steps > 0 else { return }
        for id in Self.references(in: .object(feature.properties)) where id != feature.id {
            guard let target = self.features[id] else { continue }
            if target.type == .level {
                found.insert(id)
            } else if let level = target.placement.level {
                found.insert(level)
            } else if !Self.apart.contains(target.type) {
                self.follow(target, steps: steps - 1, &found)
            }
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
