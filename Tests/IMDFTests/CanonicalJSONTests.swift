import Foundation
import IMDF
import SampleVenue
import Testing

/// RFC 8785, its published samples and what follows from them.
@Suite struct CanonicalJSONTests {
    /// The sample of §3.2.2; its strings are built from escapes, so that this file does not decide what they are.
    @Test func `canonical JSON: the published sample is written as published`() throws {
        let source = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(source.utf8))
        let canonical =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\n"#
            + #"A'B\"\\\\\"/"}"#
        #expect(CanonicalJSON.text(value) == canonical)
    }

    /// The bytes that §3.2.4 prints begin and end like this.
    @Test func `canonical JSON: the published sample has the published bytes`() {
        let value: JSONValue = ["string": "\u{20AC}$\u{0F}\u{0A}A'B\"\\\\\"/"]
        let bytes: [UInt8] = [
            0x7B, 0x22, 0x73, 0x74, 0x72, 0x69, 0x6E, 0x67, 0x22, 0x3A, 0x22, 0xE2, 0x82, 0xAC, 0x24, 0x5C, 0x75, 0x30,
            0x30, 0x30, 0x66, 0x5C, 0x6E, 0x41, 0x27, 0x42, 0x5C, 0x22, 0x5C, 0x5C, 0x5C, 0x5C, 0x5C, 0x22, 0x2F, 0x22,
            0x7D,
        ]
        #expect(CanonicalJSON.data(value) == bytes)
    }

    /// The sample of §3.2.3: the surrogates of a smiley precede U+FB33, although its code point does not.
    @Test func `canonical JSON: keys have the published order`() {
        let value: JSONValue = [
            "\u{20AC}": "Euro Sign", "\r": "Carriage Return", "\u{FB33}": "Hebrew Letter Dalet With Dagesh", "1": "One",
            "\u{1F600}": "Emoji: Grinning Face", "\u{80}": "Control", "\u{F6}": "Latin Small Letter O With Diaeresis",
        ]
        #expect(
            value.object?.members.map(\.value.string) == [
                "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
                "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
            ])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `canonical JSON: keys are sorted by UTF-16 code units`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let start = String.random(using: &random)
            let left = start + String.random(using: &random)
            let right = start + String.random(using: &random)
            #expect(CanonicalJSON.precedes(left, right) == left.utf16.lexicographicallyPrecedes(right.utf16))
        }
    }

    @Test func `canonical JSON: control characters are escaped, and nothing else`() throws {
        for code in 0...0x2FF as ClosedRange<UInt32> {
            let text = String(Character(try #require(Unicode.Scalar(code))))
            let written = CanonicalJSON.text(.string(text))
            let expected =
                switch code {
                case 0x08: #""\b""#
                case 0x09: #""\t""#
                case 0x0A: #""\n""#
                case 0x0C: #""\f""#
                case 0x0D: #""\r""#
                case 0x22: #""\"""#
                case 0x5C: #""\\""#
                case 0..<0x10: #""\u000\#(String(code, radix: 16))""#
                case 0x10..<0x20: #""\u00\#(String(code, radix: 16))""#
                default: "\"\(text)\""
                }
            #expect(written == expected)
        }
    }

    @Test func `JSON value: strings and keys of different Unicode normal forms are different`() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(JSONValue.string(composed) != .string(decomposed))
        #expect(JSONValue.array([.string(composed)]) != [.string(decomposed)])
        #expect(JSONValue.object([composed: 1]) != .object([decomposed: 1]))
        #expect(Set<JSONValue>([.string(composed), .string(decomposed), .string(composed)]).count == 2)
    }

    @Test func `canonical JSON: keys of different Unicode normal forms are different`() {
        let value: JSONValue = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(CanonicalJSON.data(value) == Array("{\"e\u{301}\":2,\"\u{E9}\":1}".utf8))
        #expect(value["\u{E9}"] == 1)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `canonical JSON: rewriting canonical text does not change it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let value = JSONValue.random(depth: 4, using: &random)
            let bytes = CanonicalJSON.data(value)
            let read = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            #expect(read == value)
            #expect(CanonicalJSON.data(read) == bytes)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `canonical JSON: the order of members does not matter`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let members = JSONValue.members(depth: 3, using: &random)
            let one = JSONValue.object(JSONObject(members))
            let other = JSONValue.object(JSONObject(members.shuffled(using: &random)))
            #expect(one == other)
            #expect(CanonicalJSON.data(one) == CanonicalJSON.data(other))
        }
    }

    @Test func `JSON object: the last of several members with one key is used`() {
        let object = JSONObject([.init(key: "a", value: 1), .init(key: "b", value: 2), .init(key: "a", value: 3)])
        #expect(CanonicalJSON.text(.object(object)) == #"{"a":3,"b":2}"#)
    }
}
