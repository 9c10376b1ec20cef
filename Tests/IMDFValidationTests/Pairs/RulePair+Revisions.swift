extension RulePair {
    static let revisions: [RulePair] = []
}
