import IMDF
import SampleVenue
import Testing

@Suite struct JSONObjectTests {
    @Test func `JSON object: a missing member differs from a null member`() {
        let object: JSONObject = ["a": nil, "c": 1]
        #expect(object["a"] == .some(.null))
        #expect(object["b"] == .none)
        #expect(object["d"] == .none)
        #expect(JSONValue.object(object)["b"] == .none)
        #expect(JSONValue.array([])["b"] == .none)
    }

    @Test func `JSON object: setting nil removes a member, setting null does not`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = .some(.null)
        object["b"] = .none
        object["c"] = .none
        #expect(object == JSONObject([.init(key: "a", value: .null)]))
    }

    /// Against a dictionary, with keys that come in any order.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `JSON object: a member has the value that was set last`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var object = JSONObject()
        var model: [[UInt8]: JSONValue] = [:]
        for _ in 0..<300 {
            let key = ["", "a", "é", "e\u{301}", "\u{FFFD}", "\u{1F600}", "b"].randomElement(using: &random) ?? ""
            if Bool.random(using: &random) {
                let value = JSONValue.random(depth: 0, using: &random)
                object[key] = value
                model[Array(key.utf8)] = value
            } else {
                object[key] = .none
                model[Array(key.utf8)] = .none
            }
            #expect(object.members.count == model.count)
            #expect(object.members.allSatisfy { model[Array($0.key.utf8)] == $0.value })
            #expect(zip(object.members, object.members.dropFirst()).allSatisfy { $0.key.utf16Precedes($1.key) })
        }
    }
}

extension String {
    fileprivate func utf16Precedes(_ other: String) -> Bool { self.utf16.lexicographicallyPrecedes(other.utf16) }
}
