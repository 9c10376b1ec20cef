import IMDF
import IMDFDiff
import Testing

@Suite struct ReachabilityFactTests {
    private static let level = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)

    private func shops(_ numbers: Range<UInt64>, _ isReached: Bool, _ isStepFree: Bool) -> [FeatureID: Reach] {
        Dictionary(
            uniqueKeysWithValues: numbers.map { number in
                (
                    FeatureID(high: 0x4000, low: 0x8000_0000_0001_0000 | number),
                    Reach(
                        type: .occupant, level: Self.level, isReached: isReached, isReachedWithoutSteps: isStepFree)
                )
            })
    }

    private func sentences(
        _ before: [FeatureID: Reach], _ after: [FeatureID: Reach], _ language: String = "en"
    ) -> [String] {
        let facts = Fact.facts(before: before, after: after, ordinals: [Self.level: 1])
        guard !facts.isEmpty else { return [] }
        return ChangeDescription.sentences(of: facts, language: language) { _ in nil }
    }

    @Test func `shops that lose or gain a way are counted`() {
        let (all, some, none) = (
            self.shops(0..<14, true, true), self.shops(0..<14, true, false), self.shops(0..<14, false, false)
        )
        #expect(self.sentences(all, some) == ["14 shops lose their step-free way"])
        #expect(self.sentences(some, all) == ["14 shops have a step-free way now"])
        #expect(self.sentences(all, none) == ["14 shops can no longer be reached"])
        #expect(self.sentences(none, some) == ["14 shops can be reached now"])
        #expect(self.sentences(all, some, "ja") == ["店舗14件への段差のない経路がなくなる"])
        #expect(
            self.sentences(self.shops(0..<1, true, true), self.shops(0..<1, true, false)) == [
                "1 shop loses its step-free way"
            ])
        #expect(self.sentences(all, all) == [])
    }

    @Test func `shops that come or go are not counted`() {
        #expect(self.sentences(self.shops(0..<3, true, true), self.shops(3..<6, false, false)) == [])
    }
}
