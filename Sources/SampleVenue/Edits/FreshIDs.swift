import IMDF

/// Draws ids that nothing in a venue has. A venue and its edits may come from the same random numbers, and then chance alone
/// would draw the same ids again.
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
