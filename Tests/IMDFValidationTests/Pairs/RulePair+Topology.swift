extension RulePair {
    static let topology: [RulePair] = []
}
