package import IMDF

/// The order in which levels are listed: the venue-wide part, then by ordinal and id; levels without a known ordinal last.
package struct LevelOrder {
    private let ordinals: [FeatureID: Int]

    package init(_ ordinals: [FeatureID: Int]) {
        self.ordinals = ordinals
    }

    package func precedes(_ left: FeatureID?, _ right: FeatureID?) -> Bool {
        guard let left, let right else { return left == nil && right != nil }
        switch (self.ordinals[left], self.ordinals[right]) {
        case (let here?, let there?) where here != there: return here < there
        case (.some, nil): return true
        case (nil, .some): return false
        default: return left < right
        }
    }
}

extension FeatureType {
    /// The standard order, then other types by their bytes.
    package func precedes(_ other: FeatureType) -> Bool {
        self.rank == other.rank
            ? self.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8) : self.rank < other.rank
    }
}
