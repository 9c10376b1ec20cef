extension RuleBook {
    /// Semantics.
    static let semantics: [Rule] = []
}
