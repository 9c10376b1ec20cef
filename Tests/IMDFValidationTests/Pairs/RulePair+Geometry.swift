extension RulePair {
    static let geometry: [RulePair] = []
}
