extension RulePair {
    static let structure: [RulePair] = []
}
