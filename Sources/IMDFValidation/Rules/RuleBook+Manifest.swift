extension RuleBook {
    /// The manifest.
    static let manifest: [Rule] = []
}
