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

    private func words(_ before: VenueReach, _ after: VenueReach, _ language: String = "en") -> [String] {
        let facts = Fact.facts(before: before, after: after, ordinals: [Self.level: 1])
        guard !facts.isEmpty else { return [] }
        return ChangeDescription.sentences(of: facts, language: language) { _ in nil }
    }

    @Test func `what is not known any more is said to be unknown, with the reason`() {
        let known = VenueReach.known(self.shops(0..<14, true, true))
        let noExit = "It can no longer be said which places can be reached: the map has no exit any more"
        #expect(self.words(known, .unknown(.noExit)) == [noExit])
        #expect(self.words(known, .unknown(.noExit), "ja") == ["外への出口が地図からなくなり、到達できる場所が分からなくなる"])
        #expect(
            self.words(known, .unknown(.tooComplex)) == [
                "It can no longer be said which places can be reached: the map is too complex"
            ])
        #expect(self.words(known, .unknown(.tooComplex), "ja") == ["地図が複雑すぎるため、到達できる場所が分からなくなる"])
        #expect(self.words(known, .known(self.shops(0..<14, true, false))) == ["14 shops lose their step-free way"])
    }

    @Test(arguments: [UnknownReach.noExit, .tooComplex])
    func `what was not known before is not lost`(reason: UnknownReach) {
        let known = VenueReach.known(self.shops(0..<14, true, true))
        #expect(self.words(.unknown(reason), known) == [])
        #expect(self.words(.unknown(reason), .unknown(.noExit)) == [])
        #expect(self.words(.unknown(reason), .unknown(.tooComplex)) == [])
    }

    @Test(arguments: [
        (
            UnknownReach.tooLarge,
            "It is unknown what this does to the places that can be reached: the map is too large",
            "地図が大きすぎるため、到達できる場所への影響は不明"
        ),
        (
            UnknownReach.tooSlow,
            "It is unknown what this does to the places that can be reached: the search took too long",
            "検索に時間がかかりすぎるため、到達できる場所への影響は不明"
        ),
    ])
    func `what was not determined is said to be unknown`(reason: UnknownReach, english: String, japanese: String) {
        let known = VenueReach.known(self.shops(0..<14, true, true))
        for (before, after) in [
            (.unknown(reason), known), (known, .unknown(reason)), (.unknown(reason), .unknown(reason)),
            (.unknown(.noExit), .unknown(reason)), (.unknown(reason), .unknown(.noExit)),
        ] as [(VenueReach, VenueReach)] {
            #expect(self.words(before, after) == [english])
            #expect(self.words(before, after, "ja") == [japanese])
        }
    }

    @Test func `descriptions begin with what is not known any more`() {
        let facts = [Fact(fact: "opening.removed", count: 1, levelID: nil), UnknownReach.noExit.fact]
        let words = ChangeDescription.sentences(of: facts, language: "en") { _ in nil }
        #expect(words.count == 2 && words.first?.hasSuffix("no exit any more") == true)
        #expect(words.last == "1 doorway removed")
        // A later version may have more reasons.
        let later = ChangeDescription.sentences(
            of: [Fact(fact: "reachability.flooded", count: 1, levelID: nil)], language: "en"
        ) { _ in nil }
        #expect(later.count == 1)
    }
}
