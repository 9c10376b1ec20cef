import Foundation
import IMDF
import SampleVenue
import Testing

/// RFC 7396.
struct MergePatchTests {
    /// The examples of appendix A: the value, the patch, and the result.
    private static let examples: [(value: JSONValue, patch: JSONValue, result: JSONValue)] = [
        (["a": "b"], ["a": "c"], ["a": "c"]),
        (["a": "b"], ["b": "c"], ["a": "b", "b": "c"]),
        (["a": "b"], ["a": nil], [:]),
        (["a": "b", "b": "c"], ["a": nil], ["b": "c"]),
        (["a": ["b"]], ["a": "c"], ["a": "c"]),
        (["a": "c"], ["a": ["b"]], ["a": ["b"]]),
        (["a": ["b": "c"]], ["a": ["b": "d", "c": nil]], ["a": ["b": "d"]]),
        (["a": [["b": "c"]]], ["a": [1]], ["a": [1]]),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        (["a": "b"], ["c"], ["c"]),
        (["a": "foo"], nil, nil),
        (["a": "foo"], "bar", "bar"),
        (["e": nil], ["a": 1], ["e": nil, "a": 1]),
        ([1, 2], ["a": "b", "c": nil], ["a": "b"]),
        ([:], ["a": ["bb": ["ccc": nil]]], ["a": ["bb": [:]]]),
    ]

    @Test func `merge patch gives the results of the RFC`() {
        for example in Self.examples {
            #expect(MergePatch.apply(example.patch, to: example.value) == example.result, "\(example)")
        }
    }

    @Test func `merge patch of nothing leaves out null members`() {
        #expect(MergePatch.apply(["a": nil, "b": ["c": nil, "d": 1]], to: nil) == ["b": ["d": 1]])
    }

    @Test func `merge patch distinguishes keys that differ only in their normal form`() {
        let value: JSONValue = .object(["caf\u{E9}": 1])
        #expect(MergePatch.apply(.object(["cafe\u{301}": nil]), to: value) == value)
        #expect(MergePatch.apply(.object(["cafe\u{301}": 2]), to: value).object?.members.count == 2)
    }

    /// Member by member, as the RFC writes it.
    private func applied(_ patch: JSONValue, to value: JSONValue?) -> JSONValue {
        guard let patch = patch.object else { return patch }
        var result = value?.object ?? [:]
        for member in patch.members {
            let isRemoval = member.value.isNull
            result[member.key] = isRemoval ? .none : self.applied(member.value, to: result[member.key])
        }
        return .object(result)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `merge patch does what the RFC's algorithm does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func value(_ depth: Int) -> JSONValue {
            guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
                return [nil, 1, "a", ["b", nil]].randomElement(using: &random)!
            }
            let members = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let key = ["", "a", "b", "c", "é", "e\u{301}", "\u{FF9E}", "😀"].randomElement(using: &random)!
                return JSONObject.Member(key: key, value: value(depth - 1))
            }
            return .object(JSONObject(members))
        }
        for _ in 0..<200 {
            let (patch, target) = (value(3), value(3))
            #expect(MergePatch.apply(patch, to: target) == self.applied(patch, to: target))
        }
    }
}
