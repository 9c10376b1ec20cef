import Foundation
import IMDF
import SampleVenue
import Testing

@Suite struct FeatureIDTests {
    /// A random id in random case, and its digits' values.
    private static func written(using random: inout SplitMix64) -> (text: [UInt8], id: FeatureID) {
        let id = FeatureID(high: .random(in: 0 ... .max, using: &random), low: .random(in: 0 ... .max, using: &random))
        let digits = [id.high, id.low].map { half in
            let text = String(half, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var text: [UInt8] = []
        for (number, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(number) { text.append(UInt8(ascii: "-")) }
            text += (Bool.random(using: &random) ? String(digit).uppercased() : String(digit)).utf8
        }
        return (text, id)
    }

    private static func read(_ text: [UInt8]) -> FeatureID? {
        text.withUnsafeBytes { FeatureID(utf8: $0) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `an id is read in either case and written in lower case`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let (text, id) = Self.written(using: &random)
            #expect(Self.read(text) == id)
            #expect(id.description == String(decoding: text, as: UTF8.self).lowercased())
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func `of all bytes at all positions only digits and hyphens are read`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let (text, _) = Self.written(using: &random)
        let hexadecimal = Array("0123456789abcdefABCDEF".utf8)
        var wrong: [String] = []
        for position in text.indices {
            for byte in UInt8.min ... .max {
                var changed = text
                changed[position] = byte
                let isHyphen = [8, 13, 18, 23].contains(position)
                let isValid = isHyphen ? byte == UInt8(ascii: "-") : hexadecimal.contains(byte)
                let expected = isValid ? UUID(uuidString: String(decoding: changed, as: UTF8.self))?.uuidString : nil
                if Self.read(changed)?.description.uppercased() != expected { wrong.append("\(position): \(byte)") }
            }
        }
        #expect(wrong == [])
    }

    @Test func `a text of another length is no id`() {
        let text = Array("00000000-0000-4000-8000-0000000000a1".utf8)
        for count in 0..<text.count { #expect(Self.read(Array(text.prefix(count))) == nil) }
        #expect(Self.read(text + [UInt8(ascii: "0")]) == nil)
    }
}

@Suite struct FeatureIDNameTests {
    @Test func `UUIDs of version 5 are those of RFC 9562`() {
        let dns = FeatureID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")!
        let id = FeatureID(name: "www.example.com".utf8, namespace: dns)
        #expect(id.description == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        #expect(!id.isRandom && id != FeatureID(name: "www.example.org".utf8, namespace: dns))
    }
}
