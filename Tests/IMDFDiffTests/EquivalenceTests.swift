import IMDF
import IMDFDiff
import Testing

struct EquivalenceTests {
    private static let here = FeatureID(high: 0x7f00_0000_0000_4000, low: 0x8000_0000_0000_000a)
    private static let there = FeatureID(high: 0x7f00_0000_0000_4000, low: 0x8000_0000_0000_000b)
    private static let unknown = FeatureID(high: 0x7f00_0000_0000_4000, low: 0x8000_0000_0000_000c)

    private let equivalence = Equivalence { $0 == Self.here || $0 == Self.there }
    private let here = JSONValue.string(Self.here.description)
    private let there = JSONValue.string(Self.there.description)
    private let uppercasedHere = JSONValue.string(Self.here.description.uppercased())
    private let unknown = JSONValue.string(Self.unknown.description)
    private let uppercasedUnknown = JSONValue.string(Self.unknown.description.uppercased())

    private func same(_ left: JSONValue, _ right: JSONValue, type: String = "unit") -> Bool {
        let result = self.equivalence.sameProperties(left, right, type: type)
        #expect(self.equivalence.sameProperties(right, left, type: type) == result, "the other way round")
        return result
    }

    @Test func `equivalence: null equals absence at every depth of objects`() {
        #expect(self.same(["a": nil], [:]))
        #expect(self.same(["a": ["b": nil, "c": 1]], ["a": ["c": 1]]))
        #expect(self.same(["a": [["b": nil]]], ["a": [[:]]]))
        #expect(self.same(["a": nil, "b": 1, "c": nil], ["b": 1, "d": nil]))
        #expect(!self.same(["a": nil, "b": 1], ["a": 1, "b": nil]))
        #expect(
            Equivalence.plain.same(["geometry": nil, "id": "u", "bbox": nil], ["id": "u"]), "members of the feature too"
        )
    }

    @Test func `equivalence: null in an array, empty arrays and empty objects are values`() {
        #expect(!self.same(["a": [nil]], ["a": []]))
        #expect(!self.same(["a": []], [:]))
        #expect(!self.same(["a": [:]], [:]))
        #expect(!self.same(["a": ""], [:]))
        #expect(!self.same(["a": false], ["a": nil]))
    }

    @Test func `equivalence: numbers are compared exactly, as doubles`() {
        #expect(self.same(["a": .number(-0.0)], ["a": .number(0.0)]))
        #expect(!self.same(["ordinal": 1], ["ordinal": .number(1.0.nextUp)]))
        #expect(!self.same(["a": 1], ["a": "1"]))
        #expect(!self.same(["a": 1], ["a": true]))
    }

    @Test func `equivalence: texts are compared by bytes`() {
        #expect(!self.same(["name": ["fr": "caf\u{e9}"]], ["name": ["fr": "cafe\u{301}"]]))
        #expect(!self.same(["caf\u{e9}": 1], ["cafe\u{301}": 1]))
        #expect(!self.same(["website": "HTTPS://a.example"], ["website": "https://a.example"]))
        #expect(self.same(["name": ["ja": "珈琲"]], ["name": ["ja": "珈琲"]]))
    }

    @Test(arguments: ["unit_ids", "building_ids", "level_ids", "parents", "accessibility", "access_control"])
    func `equivalence: declared sets have no order`(key: String) {
        #expect(self.same(.init(key, ["b", "a", "c"]), .init(key, ["c", "b", "a"])))
        #expect(!self.same(.init(key, ["b", "a"]), .init(key, ["b", "c"])))
        #expect(!self.same(.init(key, ["b", "a"]), .init(key, ["b", "a", "a"])))
        #expect(!self.same(.init(key, ["b", "a", "b"]), .init(key, ["b", "a", "a"])))
        #expect(self.same(.init(key, [self.unknown, self.here]), .init(key, [self.uppercasedHere, self.unknown])))
        #expect(!self.same(.init(key, [1, 2]), .init(key, [2, 1])), "only strings make a set")
        #expect(!self.same(.init(key, ["a"]), .init(key, "a")))
    }

    @Test func `equivalence: the order of other arrays matters`() {
        #expect(!self.same(["tags": ["a", "b"]], ["tags": ["b", "a"]]))
        #expect(!self.same(["tags": ["a": ["unit_ids": ["a", "b"]]]], ["tags": ["a": ["unit_ids": ["b", "a"]]]]))
    }

    @Test func `equivalence: an array of references is a set, at any depth`() {
        #expect(self.same(["doors": [self.here, self.there]], ["doors": [self.there, self.uppercasedHere]]))
        #expect(self.same(["a": [["b": [self.here, self.there]]]], ["a": [["b": [self.there, self.here]]]]))
        #expect(!self.same(["doors": [self.here, self.there]], ["doors": [self.here, self.here]]))
        #expect(!self.same(["doors": [self.here, "x"]], ["doors": ["x", self.here]]))
        #expect(!self.same(["doors": [self.here, self.unknown]], ["doors": [self.unknown, self.here]]))
    }

    @Test func `equivalence: the intermediary of a relationship has an order, that of other types has none`() {
        let (way, back) = (JSONValue.array([self.here, self.there]), JSONValue.array([self.there, self.here]))
        #expect(!self.same(["intermediary": way], ["intermediary": back], type: "relationship"))
        #expect(self.same(["intermediary": way], ["intermediary": back], type: "navPath"))
        #expect(
            self.same(["intermediary": [self.here]], ["intermediary": [self.uppercasedHere]], type: "relationship"))
        let objects: JSONValue = [
            ["id": self.here, "feature_type": "unit"], ["id": self.there, "feature_type": "unit"],
        ]
        #expect(
            !self.same(
                ["intermediary": objects], ["intermediary": .array((objects.array ?? []).reversed())],
                type: "relationship"))
    }

    @Test func `equivalence: references ignore case, other texts do not`() {
        #expect(self.same(["level_id": self.here], ["level_id": self.uppercasedHere]))
        #expect(self.same(["origin": ["id": self.here]], ["origin": ["id": self.uppercasedHere]]))
        #expect(!self.same(["level_id": self.here], ["level_id": self.there]))
        #expect(!self.same(["level_id": self.unknown], ["level_id": self.uppercasedUnknown]))
        #expect(!self.same(["correlation_id": self.here], ["correlation_id": self.uppercasedHere]))
        #expect(!self.same(["name": ["en": self.here]], ["name": ["en": self.uppercasedHere]]))
        #expect(!self.same(["address": self.here], ["address": self.uppercasedHere]))
        #expect(!self.same(["a": ["name": [self.here, self.there]]], ["a": ["name": [self.there, self.here]]]))
        #expect(self.equivalence.same(["id": self.unknown], ["id": self.uppercasedUnknown]), "a feature's own id")
    }

    @Test func `equivalence: the tolerance applies to a geometry in properties, not to numbers beside it`() {
        let near: JSONValue = .point(24.94050005, 60.17025)
        #expect(self.same(["display_point": .point(24.9405, 60.17025)], ["display_point": near]))
        #expect(self.same(["a": ["b": [.point(24.9405, 60.17025)]]], ["a": ["b": [near]]]))
        #expect(!self.same(["display_point": .point(24.9405, 60.17025)], ["display_point": .point(24.9406, 60.17025)]))
        #expect(!self.same(["display_point": [24.9405, 60.17025]], ["display_point": [24.94050005, 60.17025]]))
        #expect(!self.same(["display_point": "24.9405,60.17025"], ["display_point": "24.94050005,60.17025"]))
        #expect(!self.same(["coordinates": [24.9405]], ["coordinates": [24.94050005]]))
    }

    @Test func `equivalence: values that are not features are compared as values`() {
        #expect(self.equivalence.same(nil, nil))
        #expect(self.equivalence.same([1, "a"], [1, "a"]))
        #expect(!self.equivalence.same([:], nil))
        #expect(!self.equivalence.same(["properties": nil], ["properties": [:]]))
        #expect(!self.equivalence.same(["properties": [1]], ["properties": [2]]))
        #expect(!self.equivalence.same(["geometry": "a"], ["geometry": "b"]))
    }
}

extension JSONValue {
    fileprivate init(_ key: String, _ value: JSONValue) {
        self = .object(JSONObject([.init(key: key, value: value)]))
    }
}
