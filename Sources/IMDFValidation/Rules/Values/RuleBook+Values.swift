extension RuleBook {
    /// Property values, in every type that has the property.
    static let values: [Rule] = (labels + contact + lists + numbers + addresses + times + identifiers)
        .sorted { $0.id < $1.id }
}
