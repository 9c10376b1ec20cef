import IMDF

/// The part of a replica that is observed.
struct ReplicaScope: Hashable, Sendable {
    let levels: LevelSelection
    /// Whether all features of the venue-wide part belong to the scope, or only those that touch one of the levels.
    let includesVenueWide: Bool

    /// - Parameter withVenueWide: Whether the whole venue-wide part belongs to the scope, although it is not selected.
    init(_ levels: LevelSelection, withVenueWide: Bool = false) {
        self.levels = levels
        self.includesVenueWide = withVenueWide || levels.names?.contains(.venueWide) ?? true
    }
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
