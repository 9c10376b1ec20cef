import Foundation
import IMDF
import SampleVenue
import Testing

@Suite struct JSONValueCodableTests {
    @Test func `JSONValue decoding: Foundation's decoder distinguishes numbers, booleans and null`() throws {
        let text =
            #"{"a": 1, "b": true, "c": 0, "d": false, "e": null, "f": "1", "g": 1.5, "h": [], "i": {}, "j": -0}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(
            value == [
                "a": 1, "b": true, "c": 0, "d": false, "e": nil, "f": "1", "g": 1.5, "h": [], "i": [:], "j": 0,
            ])
    }

    @Test(arguments: [
        "1", "true", "null", "\"x\"", "[1,[true,null]]", #"[1,2,null,[3,[4,5],"a","b",[]],[],[{}],false,2,{}]"#,
    ])
    func `JSONValue decoding: a document may be any value`(text: String) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(CanonicalJSON.text(value) == text)
    }

    @Test(arguments: ["[1e999]", "[0,1e999]"])
    func `JSONValue decoding: a number without a finite double is an error`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `JSONValue encoding: values survive a round trip through Foundation`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let value = JSONValue.random(depth: 4, using: &random)
            let data = try JSONEncoder().encode(value)
            #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
        }
    }
}
