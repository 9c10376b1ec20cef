/// The placement of a feature in a revision: the level that it is synchronized with, and its depth among its parents.
public struct Placement: Hashable, Sendable {
    /// The level that the feature belongs to; nil for the venue-wide part.
    public var level: FeatureID?
    /// The levels that a venue-wide feature touches, in ascending order; empty for a feature with a level.
    public var touches: [FeatureID]
    /// The length of the longest chain of `parents` of the same type; 0 without parents.
    public var depth: Int

    public init(level: FeatureID?, touches: [FeatureID] = [], depth: Int = 0) {
        self.level = level
        self.touches = touches
        self.depth = depth
    }
}

/// A feature whose placement is known.
package struct FeaturePlacement: Sendable {
    package let id: FeatureID
    package let type: FeatureType
    package let placement: Placement

    package init(id: FeatureID, type: FeatureType, placement: Placement) {
        self.id = id
        self.type = type
        self.placement = placement
    }
}

/// The parts of a feature that level assignment needs.
public protocol ReferringFeature {
    var id: FeatureID { get }
    var type: FeatureType { get }
    var references: [Reference] { get }
}

extension Feature: ReferringFeature {}
