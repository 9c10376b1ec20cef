import IMDF
import IMDFDiff
import SampleVenue
import Testing

/// Shapes made to be slow. Each must end soon, and may end in "different".
@Suite(.timeLimit(.minutes(30)))
struct HostileGeometryTests {
    private func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        Equivalence.plain.sameGeometry(left, right)
    }

    @Test func `hostile geometry: twenty thousand holes in another order are matched`() {
        var random = SplitMix64(seed: 1)
        let holes = (0..<20_000).map { square(Double($0 % 400) * 1e-5, Double($0 / 400) * 1e-5, side: 5e-6) }
        let outer = square(-1, -1, side: 20)
        let left = JSONValue.geometry("Polygon", JSONValue([outer] + holes))
        let shuffled = holes.shuffled(using: &random).map { $0.turned(by: 1) }
        #expect(self.same(left, .geometry("Polygon", JSONValue([outer] + shuffled))))
        var changed = shuffled
        changed[19_999] = square(3, 3)
        #expect(!self.same(left, .geometry("Polygon", JSONValue([outer] + changed))))
        changed = shuffled
        changed[5] = changed[6]
        #expect(!self.same(left, .geometry("Polygon", JSONValue([outer] + changed))))
    }

    @Test func `hostile geometry: the comparison of twenty thousand similar holes ends`() {
        var random = SplitMix64(seed: 2)
        let holes = (0..<20_000).map { _ in square(.random(in: 0...3e-7, using: &random), 0) }
        let outer = square(-1, -1, side: 20)
        let left = JSONValue.geometry("Polygon", JSONValue([outer] + holes))
        #expect(self.same(left, left))
        let right = JSONValue.geometry("Polygon", JSONValue([outer] + holes.shuffled(using: &random)))
        #expect(self.same(left, right) == self.same(right, left))
        let others = (0..<20_000).map { _ in square(.random(in: 2e-7...5e-7, using: &random), 0) }
        #expect(!self.same(left, .geometry("Polygon", JSONValue([outer] + others))))
    }

    @Test func `hostile geometry: the comparison of fifty thousand equal vertices ends`() {
        var random = SplitMix64(seed: 3)
        func crowd() -> Ring {
            let open = (0..<50_000).map { _ in
                [Double.random(in: 0...1.5e-7, using: &random), Double.random(in: 0...0.5e-7, using: &random)]
            }
            return open + [open[0]]
        }
        let ring = crowd()
        let left = JSONValue.geometry("Polygon", JSONValue([ring]))
        #expect(self.same(left, left))
        #expect(!self.same(left, .geometry("Polygon", JSONValue([crowd()]))))
        let turned = JSONValue.geometry("Polygon", JSONValue([ring.turned(by: 7_777)]))
        #expect(self.same(left, turned) == self.same(turned, left))
    }

    @Test func `hostile geometry: the comparison of a periodic ring ends`() {
        func rounds(oddOne: Int) -> Ring {
            var open = (0..<5_000).flatMap { _ in square(0, 0).dropLast() }
            open[oddOne][0] += 0.5
            return open + [open[0]]
        }
        let left = JSONValue.geometry("Polygon", JSONValue([rounds(oddOne: 0)]))
        #expect(self.same(left, .geometry("Polygon", JSONValue([rounds(oddOne: 0).turned(by: 19_996)]))))
        #expect(!self.same(left, .geometry("Polygon", JSONValue([rounds(oddOne: 1)]))))
    }

    @Test func `hostile geometry: the comparison of parts with one exterior ring ends`() {
        let outer = square(0, 0, side: 9)
        func polygons(_ hole: (Int) -> Ring) -> JSONValue {
            .geometry(
                "MultiPolygon", JSONValue((0..<300).map { part in [outer] + (0..<20).map { hole(part * 20 + $0) } }))
        }
        let left = polygons { square(Double($0) * 1e-5, 0) }
        #expect(self.same(left, left))
        #expect(!self.same(left, polygons { square(Double($0) * 1e-5, $0 == 7 ? 1e-3 : 0) }))
    }

    @Test func `hostile geometry: coordinates outside the globe are compared like others`() {
        let far = [[1e300, -1e300], [1.7e308, 1.7e308], [-1.7e308, .leastNonzeroMagnitude], [1e300, -1e300]]
        #expect(
            self.same(
                .geometry("Polygon", JSONValue([far, square(0, 0)])),
                .geometry("Polygon", JSONValue([far.turned(by: 1), square(0, 0)]))))
        #expect(
            self.same(
                .geometry("MultiPoint", JSONValue(far)), .geometry("MultiPoint", JSONValue(Ring(far.reversed())))))
        #expect(!self.same(.geometry("Polygon", JSONValue([far])), .geometry("Polygon", JSONValue([square(0, 0)]))))
    }
}
