/// Where a feature stands in a revision: what it is synchronised with, and after what it is best told.
public struct Placement: Hashable, Sendable {
    /// The one level that the feature belongs to; nil makes it part of the venue-wide part.
    public var level: FeatureID?
    /// The levels that a venue-wide feature spans or hangs on, in ascending order; empty for a feature with a level.
    public var touches: [FeatureID]
    /// How many `parents` of the feature's own type stand above it in the longest chain; 0 without parents.
    public var generation: Int

    public init(level: FeatureID?, touches: [FeatureID] = [], generation: Int = 0) {
        self.level = level
        self.touches = touches
        self.generation = generation
    }
}

/// What level assignment has to know of a feature.
public protocol ReferringFeature {
    var id: FeatureID { get }
    var type: FeatureType { get }
    var references: [Reference] { get }
}

extension Feature: ReferringFeature {}
