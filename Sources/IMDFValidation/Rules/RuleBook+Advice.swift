extension RuleBook {
    /// Advice for types of venues.
    static let advice: [Rule] = []
}
