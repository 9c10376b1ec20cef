extension RuleBook {
    /// Geometry.
    static let geometry: [Rule] = []
}
