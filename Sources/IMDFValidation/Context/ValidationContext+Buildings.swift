import IMDF

extension ValidationContext {
    /// The levels that refer to a building, by id.
    func levels(ofBuilding building: ValidationFeature, in run: RuleRun) throws -> [ValidationFeature] {
        try self.referrers(to: building, of: .level, as: .buildings, in: run)
    }

    /// The features of a type that refer to a level, by id.
    func features(
        of type: FeatureType, on level: ValidationFeature, in run: RuleRun
    ) throws -> [ValidationFeature] {
        try self.referrers(to: level, of: type, as: .level, in: run)
    }

    func address(of feature: ValidationFeature) -> ValidationFeature? {
        self.feature(feature.id("address_id"), .address)
    }
}

extension ValidationFeature {
    var ordinal: Int? { self["ordinal"]?.number.flatMap { Int32(exactly: $0) }.map(Int.init) }

    /// Whether the category is the given one or a subcategory of it: `restroom.female` is a subcategory of `restroom`.
    func hasCategory(_ category: String) -> Bool {
        self.category == category || self.category?.hasPrefix(category + ".") == true
    }

    /// The labels that are not blank, each as a key that is equal for equal texts in the same language.
    func labelSet(_ property: String) -> Set<String> {
        Set(self.labels(property).filter { !$0.text.isBlank }.map { "\($0.tag.lowercased())\u{0}\($0.text)" })
    }
}

/// Finds features with equal keys.
struct DuplicateFinder {
    private var first: [String: ValidationFeature] = [:]

    /// The first feature that had one of these keys. Remembers the keys.
    mutating func earlier(_ keys: Set<String>, of feature: ValidationFeature) -> ValidationFeature? {
        let found = keys.compactMap { self.first[$0] }.min { $0.id < $1.id }
        for key in keys where self.first[key] == nil { self.first[key] = feature }
        return found
    }
}
