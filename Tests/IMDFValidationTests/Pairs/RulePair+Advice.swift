extension RulePair {
    static let advice: [RulePair] = []
}
