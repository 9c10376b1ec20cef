import Foundation
import IMDF
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
}
