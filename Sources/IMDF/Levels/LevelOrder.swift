/// The order in which levels are listed: the venue-wide part, then by ordinal and id; levels without a known ordinal last.
package struct LevelOrder {
    private let ordinals: [FeatureID: Int]

    package init(_ ordinals: [FeatureID: Int]) {
        self.ordinals = ordinals
    }

    package func precedes(_ left: FeatureID?, _ right: FeatureID?) -> Bool {
        Self.precedes((left, left.flatMap { self.ordinals[$0] }), (right, right.flatMap { self.ordinals[$0] }))
    }

    package static func precedes(
        _ left: (level: FeatureID?, ordinal: Int?), _ right: (level: FeatureID?, ordinal: Int?)
    ) -> Bool {
        guard let here = left.level, let there = right.level else { return left.level == nil && right.level != nil }
        return (left.ordinal ?? .max, here) < (right.ordinal ?? .max, there)
    }
}

extension FeatureType {
    /// The standard order, then other types by their bytes.
    package func precedes(_ other: FeatureType) -> Bool {
        self.rank == other.rank
            ? self.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8) : self.rank < other.rank
    }
}
