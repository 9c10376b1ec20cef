import IMDF
import SampleVenue
import Testing

@Suite struct FeatureNumbersTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func `ids have the numbers that a dictionary has`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // Of few values, so that many ids are equal and many are unknown.
        let range = UInt64(1) << UInt64.random(in: 1...10, using: &random)
        func id() -> FeatureID {
            FeatureID(high: .random(in: 0..<range, using: &random), low: .random(in: 0..<4, using: &random))
        }
        let ids = (0..<Int.random(in: 0...600, using: &random)).map { _ in id() }
        let expected = Dictionary(zip(ids, ids.indices.map(Int32.init)), uniquingKeysWith: { $1 })
        let numbers = FeatureNumbers(ids)
        #expect(numbers.ids == ids)
        for id in ids + (0..<200).map({ _ in id() }) {
            #expect(numbers.number(of: id) == expected[id])
            #expect(numbers.contains(id) == expected.keys.contains(id))
        }
    }

    @Test func `no list is too short, and extreme ids are found`() {
        let halves: [UInt64] = [.min, 1, .max]
        let extremes = halves.flatMap { high in halves.map { FeatureID(high: high, low: $0) } }
        for count in 0...extremes.count {
            let numbers = FeatureNumbers(Array(extremes.prefix(count)))
            #expect(extremes.map { numbers.number(of: $0) } == extremes.indices.map { $0 < count ? Int32($0) : nil })
        }
    }
}
