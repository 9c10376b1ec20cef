extension RuleBook {
    /// Property values.
    static let values: [Rule] = []
}
