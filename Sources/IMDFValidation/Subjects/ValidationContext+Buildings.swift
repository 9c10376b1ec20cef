import IMDF

extension ValidationContext {
    /// The levels that name a building, by id.
    func levels(ofBuilding building: Subject) -> [Subject] {
        self.referrers(to: building, of: .level, as: .buildings)
    }

    /// What lies on a level and names it.
    func features(of type: FeatureType, on level: Subject) -> [Subject] {
        self.referrers(to: level, of: type, as: .level)
    }

    func address(of feature: Subject) -> Subject? { self.feature(feature.id("address_id"), .address) }
}

extension Subject {
    var ordinal: Int? { self["ordinal"]?.number.flatMap { Int32(exactly: $0) }.map(Int.init) }

    /// Whether the category is one, or one below it: `restroom.female` is below `restroom`.
    func hasCategory(_ category: String) -> Bool {
        self.category == category || self.category?.hasPrefix(category + ".") == true
    }

    /// Texts that say the same in one language, as pairs of language and text.
    func labelSet(_ property: String) -> Set<String> {
        Set(self.labels(property).filter { !$0.text.isBlank }.map { "\($0.tag.lowercased())\u{0}\($0.text)" })
    }
}

/// Finds what is said twice.
struct Repetitions {
    private var first: [String: Subject] = [:]

    /// The feature that said one of these before; now they are known.
    mutating func earlier(_ keys: Set<String>, of feature: Subject) -> Subject? {
        let found = keys.compactMap { self.first[$0] }.min { $0.id < $1.id }
        for key in keys where self.first[key] == nil { self.first[key] = feature }
        return found
    }
}
