extension RuleBook {
    /// Required content by type.
    static let content: [Rule] = []
}
