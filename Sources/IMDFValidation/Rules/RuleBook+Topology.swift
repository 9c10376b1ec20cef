extension RuleBook {
    /// Containment and topology.
    static let topology: [Rule] = []
}
