extension RulePair {
    static let semantics: [RulePair] = []
}
