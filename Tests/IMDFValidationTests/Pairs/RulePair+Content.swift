extension RulePair {
    static let content: [RulePair] = []
}
