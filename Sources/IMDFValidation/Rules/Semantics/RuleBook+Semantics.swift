extension RuleBook {
    /// Relations between features.
    static let semantics: [Rule] =
        (levelRules + buildingRules + addressRules + unitRules + nameRules + occupantRules + correlationRules
        + parentRules
        + relationshipRules).sorted { $0.id < $1.id }
}
