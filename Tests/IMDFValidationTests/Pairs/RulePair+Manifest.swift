extension RulePair {
    static let manifest: [RulePair] = []
}
