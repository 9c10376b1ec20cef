import IMDF
import IMDFDiff
import SampleVenue
import Testing

struct ToleranceTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `tolerance: decimals 1e-7 apart are within it, whatever their doubles`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let units = Int.random(in: -1_800_000_000..<1_800_000_000, using: &random)
            let left = try #require(Double(Self.decimal(units * 10)))
            #expect(Tolerance.near(left, try #require(Double(Self.decimal(units * 10 + 10)))))
            #expect(Tolerance.near(left, try #require(Double(Self.decimal(units * 10 + 9)))))
            #expect(!Tolerance.near(left, try #require(Double(Self.decimal(units * 10 + 11)))))
        }
    }

    @Test func `tolerance: the limits of the globe are within it of themselves`() {
        for (left, right) in [(180.0, 179.9999999), (-180, -179.9999999), (90, 89.9999999), (0, 1e-7), (0, -1e-7)] {
            #expect(Tolerance.near(left, right))
            #expect(Tolerance.near(right, left))
        }
        #expect(!Tolerance.near(0, 1.001e-7))
        #expect(!Tolerance.near(180, -180))
        #expect(!Tolerance.near(1e300, 1e300.nextUp))
        #expect(!Tolerance.near(.greatestFiniteMagnitude, -.greatestFiniteMagnitude))
    }

    @Test func `tolerance: it applies to each ordinate`() {
        #expect(Equivalence.plain.sameGeometry(.point(10, 20), .point(10.0000001, 20.0000001)))
        #expect(!Equivalence.plain.sameGeometry(.point(10, 20), .point(10.0000001, 20.0000002)))
    }

    @Test func `tolerance: one vertex outside it is a difference`() {
        let ring = square(139.7671, 35.6812, side: 0.0001)
        for vertex in 1..<4 {
            for ordinate in 0..<2 {
                for (distance, isSame) in [(0.9e-7, true), (-0.9e-7, true), (1.1e-7, false), (-1.1e-7, false)] {
                    var other = ring
                    other[vertex][ordinate] += distance
                    for turned in [other, other.turned(by: 2), Ring(other.turned(by: 1).reversed())] {
                        #expect(
                            Equivalence.plain.sameGeometry(
                                .geometry("Polygon", JSONValue([ring])), .geometry("Polygon", JSONValue([turned])))
                                == isSame)
                    }
                }
            }
        }
    }

    /// A number of 1e-8 degrees as a decimal fraction.
    private static func decimal(_ units: Int) -> String {
        let digits = String(abs(units))
        let padded = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        return "\(units < 0 ? "-" : "")\(padded.dropLast(8)).\(padded.suffix(8))"
    }
}
