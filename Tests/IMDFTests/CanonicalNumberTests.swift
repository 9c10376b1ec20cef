import IMDF
import SampleVenue
import Testing

/// RFC 8785 §3.2.2.3: numbers as ECMAScript writes them.
@Suite struct CanonicalNumberTests {
    /// The table in RFC 8785 appendix B.
    private static let published: [(bits: UInt64, text: String)] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
        (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xC340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
        (0x44B5_2D02_C7E1_4AF6, "1e+23"),
        (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
        (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
        (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
        (0x444B_1AE4_D6E2_EF50, "1e+21"),
        (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
        (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
        (0x41B3_DE43_5555_5553, "333333333.3333332"),
        (0x41B3_DE43_5555_5554, "333333333.33333325"),
        (0x41B3_DE43_5555_5555, "333333333.3333333"),
        (0x41B3_DE43_5555_5556, "333333333.3333334"),
        (0x41B3_DE43_5555_5557, "333333333.33333343"),
        (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
        (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ]

    @Test(arguments: Self.published)
    func `canonical numbers: the published examples are written as published`(bits: UInt64, text: String) {
        #expect(CanonicalJSON.text(Double(bitPattern: bits)) == text)
    }

    @Test func `canonical numbers: common numbers have no exponent`() {
        let numbers: [(Double, String)] = [
            (1, "1"), (-1, "-1"), (10, "10"), (0.1, "0.1"), (-0.5, "-0.5"), (139.7671248, "139.7671248"),
            (-35.6812362, "-35.6812362"), (100.0000001, "100.0000001"), (1e20, "100000000000000000000"),
            (1.2345678901234568e20, "123456789012345680000"), (1e21, "1e+21"), (1e-6, "0.000001"), (1e-7, "1e-7"),
            (1.5e-7, "1.5e-7"), (0.00001, "0.00001"), (99_999_999.9999999, "99999999.9999999"),
            (24.94050000000001, "24.94050000000001"), (139.767124812345, "139.767124812345"), (1e300, "1e+300"),
            (2_251_799_813_685_249.5, "2251799813685249.5"), (18_014_398_509_481_984, "18014398509481984"),
        ]
        for (number, text) in numbers { #expect(CanonicalJSON.text(number) == text) }
    }

    @Test func `canonical numbers: what JSON does not have is null`() {
        for number in [Double.infinity, -.infinity, .nan] {
            var output: [UInt8] = []
            CanonicalJSON.append(number: number, to: &output)
            #expect(output == Array("null".utf8))
        }
    }

    /// The short way against the long way, which takes the digits from the standard library. The numbers lie where the one
    /// is left for the other, and where decimals are cut or an exponent begins.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `canonical numbers: the fast path and the general path write the same`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<12_500 {
            for number in Self.numbers(round, using: &random) where number != 0 && number.isFinite {
                var short: [UInt8] = []
                var long: [UInt8] = []
                CanonicalJSON.append(number: number, to: &short)
                CanonicalJSON.append(shortestDigitsOf: number, to: &long)
                guard short == long else {
                    Issue.record("\(number) is \(String(decoding: short, as: UTF8.self))")
                    return
                }
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `canonical numbers: a written number reads back as the same double`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<4_000 {
            for number in Self.numbers(round, using: &random) where number.isFinite {
                guard Double(CanonicalJSON.text(number)) == number else {
                    Issue.record("\(number) is written \(CanonicalJSON.text(number))")
                    return
                }
            }
        }
    }

    private static func numbers(_ round: Int, using random: inout SplitMix64) -> [Double] {
        let divisor = self.powers[Int(random.next() % 16)]
        let coordinate = Double(Int64(bitPattern: random.next()) % 1_800_000_000) / 1e7
        let decimal = Double(Int64(bitPattern: random.next() >> (random.next() % 50))) / divisor
        let power = self.powers[round % self.powers.count]
        let binary = Double(sign: .plus, exponent: round % 2_098 - 1_074, significand: 1)
        let edge = self.edges[round % self.edges.count]
        let steps = Double(Int64(random.next() % 64)) - 32
        return [
            .randomFinite(using: &random), coordinate, coordinate.nextUp, coordinate.nextDown, -coordinate, decimal,
            decimal.nextUp, decimal.nextDown, power, power.nextUp, power.nextDown, 1 / power, (1 / power).nextDown,
            binary, binary.nextUp, -binary.nextDown, edge + steps * edge.ulp, Double(bitPattern: random.next() >> 12),
            Double.random(in: 0..<1e-5, using: &random), Double.random(in: -180...180, using: &random),
        ]
    }

    private static let powers: [Double] = (0...30).map { Double("1e\($0)") ?? 1 }
    private static let edges: [Double] = [1e21, 1e-6, 1e-7, 0x1p53, 0x1p54, 1e8, 1e3, 1e15, 1e16, 0.1, 1]
}
