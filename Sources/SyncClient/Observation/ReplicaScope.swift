public import IMDF

/// The part of a replica that is observed.
public struct ReplicaScope: Hashable, Sendable {
    enum Levels: Hashable, Sendable {
        case all
        case ids(Set<FeatureID>)
        case ordinal(Int)
    }

    let levels: Levels
    /// Whether all features of the venue-wide part belong to the scope, or only those that touch one of the levels.
    let includesVenueWide: Bool

    /// All held levels and the venue-wide part.
    public static let everything = ReplicaScope(levels: .all, includesVenueWide: true)

    /// The venue-wide part: features that belong to no single level, such as the venue, buildings, level features and lifts.
    public static let venueWide = ReplicaScope(levels: .ids([]), includesVenueWide: true)

    /// The levels of a floor, in all buildings and outdoors, and the venue-wide features that touch one of them, such as lifts. Levels
    /// that are not held are added when they are.
    public static func ordinal(_ ordinal: Int) -> ReplicaScope {
        ReplicaScope(levels: .ordinal(ordinal), includesVenueWide: false)
    }

    /// These levels, and the venue-wide features that touch one of them, such as lifts: those that refer to features on the level,
    /// and the level features.
    public static func levels(_ levels: Set<FeatureID>) -> ReplicaScope {
        ReplicaScope(levels: .ids(levels), includesVenueWide: false)
    }

    /// One level, and the venue-wide features that touch it; see ``levels(_:)``.
    public static func level(_ level: FeatureID) -> ReplicaScope { .levels([level]) }
}

/// What a scope contains at one commit.
struct ReplicaPart: Hashable, Sendable {
    /// The held levels of the scope.
    var levels: Set<FeatureID> = []
    var includesVenueWide = false
    /// The venue-wide features that belong to the scope although not all do.
    var touching: Set<FeatureID> = []

    func contains(_ feature: ReplicaFeature) -> Bool {
        guard let level = feature.level else { return self.includesVenueWide || self.touching.contains(feature.id) }
        return self.levels.contains(level)
    }

    /// The keys of the levels that belong to it as a whole.
    var wholeLevels: Set<FeatureID?> {
        var levels = Set(self.levels.map(Optional.some))
        if self.includesVenueWide { levels.insert(nil) }
        return levels
    }
}
