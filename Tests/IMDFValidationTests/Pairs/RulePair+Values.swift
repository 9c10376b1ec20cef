extension RulePair {
    static let values: [RulePair] = []
}
