import IMDF

/// Generates ids that no feature of a venue has. If a venue and its edits have the same seed, the generator would otherwise
/// return the ids of the venue again.
struct FreshIDs {
    private var taken: Set<FeatureID>

    init(for venue: SampleVenue) {
        self.taken = Set(venue.features.map(\.id))
    }

    mutating func next(using random: inout some RandomNumberGenerator) -> FeatureID {
        while true {
            let id = FeatureID.random(using: &random)
            if self.taken.insert(id).inserted { return id }
        }
    }
}
