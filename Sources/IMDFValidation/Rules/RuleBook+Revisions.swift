extension RuleBook {
    /// From revision to revision.
    static let revisions: [Rule] = []
}
