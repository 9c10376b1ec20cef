extension RuleBook {
    /// Container and structure.
    static let structure: [Rule] = []
}
