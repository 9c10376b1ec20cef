import IMDF
import SampleVenue

extension CanonicalJSON {
    static func text(_ value: JSONValue) -> String {
        String(decoding: self.data(value), as: UTF8.self)
    }

    static func text(_ number: Double) -> String {
        var output: [UInt8] = []
        self.append(number: number, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

extension FeatureID {
    /// An id that is easy to tell apart.
    init(_ number: Int) {
        self.init(high: 0x4000_8000, low: UInt64(number))
    }
}

extension JSONValue {
    /// A random value: deep or shallow, with unusual keys, unusual characters and numbers of every size.
    static func random(depth: Int, using random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .number(.randomFinite(using: &random))
        case 3: .number(Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 1e7)
        case 4: .string(.random(using: &random))
        case 5, 6: .object(JSONObject(Self.members(depth: depth, using: &random)))
        default:
            .array(
                (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                    .random(depth: depth - 1, using: &random)
                })
        }
    }

    /// Members with different keys, also to those who compare keys by their canonical equivalence.
    static func members(depth: Int, using random: inout SplitMix64) -> [JSONObject.Member] {
        var keys: Set<String> = []
        for _ in 0..<Int.random(in: 0..<8, using: &random) { keys.insert(.random(using: &random)) }
        return keys.sorted().map { .init(key: $0, value: .random(depth: depth - 1, using: &random)) }
    }
}

extension String {
    static func random(using random: inout SplitMix64) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x20...0x7F, 0x61...0x7A, 0x80...0x7FF, 0xD000...0xD7FF, 0xE000...0xFFFF, 0x1F600...0x1F64F,
            0x10FF00...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) else { continue }
            text.append(scalar)
        }
        return String(text)
    }
}

extension Double {
    /// Every finite bit pattern is as likely as any other.
    static func randomFinite(using random: inout SplitMix64) -> Double {
        while true {
            let number = Double(bitPattern: random.next())
            if number.isFinite { return number }
        }
    }
}
