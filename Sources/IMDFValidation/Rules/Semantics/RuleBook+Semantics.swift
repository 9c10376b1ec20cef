extension RuleBook {
    /// What features say of each other.
    static let semantics: [Rule] =
        (levelRules + buildingRules + addressRules + unitRules + nameRules + occupantRules + correlationRules
        + parentRules
        + relationshipRules).sorted { $0.id < $1.id }
}
