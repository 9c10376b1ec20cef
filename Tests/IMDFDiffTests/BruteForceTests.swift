import IMDF
import IMDFDiff
import SampleVenue
import Testing

struct BruteForceTests {
    /// Vertices half a tolerance apart, so that nearly everything could be nearly everything.
    private func ring(_ vertices: Int, spread: Int, using random: inout SplitMix64) -> Ring {
        let open = (0..<vertices).map { _ in
            [
                139.7 + Double(Int.random(in: 0...spread, using: &random)) * 0.6e-7,
                35.6 + Double(Int.random(in: 0...1, using: &random)) * 0.6e-7,
            ]
        }
        return open + [open[0]]
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `equivalence: crowded rings equal a brute-force comparison of starts and directions`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var results: [Bool: Int] = [:]
        for _ in 0..<1_500 {
            let vertices = Int.random(in: 1...5, using: &random)
            let (left, right) = (
                self.ring(vertices, spread: 4, using: &random), self.ring(vertices, spread: 4, using: &random)
            )
            let expected = BruteForce.same(left, right)
            #expect(
                Equivalence.plain.sameGeometry(
                    .geometry("Polygon", JSONValue([left])), .geometry("Polygon", JSONValue([right]))) == expected)
            results[expected, default: 0] += 1
        }
        #expect(results.values.allSatisfy { $0 > 100 } && results.count == 2, "both results occur often: \(results)")
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `equivalence: crowded parts equal a brute-force comparison of orders`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var results: [Bool: Int] = [:]
        for _ in 0..<1_500 {
            let count = Int.random(in: 1...6, using: &random)
            let left = (0..<count).map { _ in self.ring(1, spread: 7, using: &random)[0] }
            let right =
                random.chance(0.5)
                ? (0..<count).map { _ in self.ring(1, spread: 7, using: &random)[0] }
                : left.shuffled(using: &random).map {
                    [$0[0] + .random(in: -1.02e-7...1.02e-7, using: &random), $0[1]]
                }
            let expected = BruteForce.somePermutation(left, right) { zip($0, $1).allSatisfy(Tolerance.near) }
            #expect(
                Equivalence.plain.sameGeometry(
                    .geometry("MultiPoint", JSONValue(left)), .geometry("MultiPoint", JSONValue(right))) == expected)
            results[expected, default: 0] += 1
        }
        #expect(results.values.allSatisfy { $0 > 100 } && results.count == 2, "both results occur often: \(results)")
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `equivalence: polygons with holes equal a brute-force comparison`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var results: [Bool: Int] = [:]
        for _ in 0..<400 {
            let left = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in self.ring(3, spread: 2, using: &random) }
            }
            var right = left.shuffled(using: &random).map { polygon in
                let rings = [polygon[0]] + polygon.dropFirst().shuffled(using: &random)
                return rings.map { $0.turned(by: .random(in: 0...2, using: &random)) }
            }
            if random.chance(0.5) {
                let part = right.indices.randomElement(using: &random) ?? 0
                right[part][right[part].count - 1] = self.ring(3, spread: 2, using: &random)
            }
            let expected = BruteForce.same(left, right)
            #expect(
                Equivalence.plain.sameGeometry(
                    .geometry("MultiPolygon", JSONValue(left)), .geometry("MultiPolygon", JSONValue(right)))
                    == expected)
            results[expected, default: 0] += 1
        }
        #expect(results.values.allSatisfy { $0 > 20 } && results.count == 2, "both results occur often: \(results)")
    }
}
