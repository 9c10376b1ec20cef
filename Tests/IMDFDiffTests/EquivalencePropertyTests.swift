import IMDF
import IMDFDiff
import SampleVenue
import Testing

@Suite struct EquivalencePropertyTests {
    @Test(arguments: 0..<16 as Range<UInt64>)
    func `equivalence: differences in notation do not matter`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let features = RandomFeature(using: &random)
        let ids = Set(features.ids)
        let equivalence = Equivalence { ids.contains($0) }
        var rewriter = Rewriter(random: SplitMix64(seed: random.next()), jitter: 0) { ids.contains($0) }
        for _ in 0..<60 {
            let feature = features.next(using: &random)
            let isItself = equivalence.same(feature, feature)
            #expect(isItself)
            rewriter.jitter = random.chance(0.3) ? 0 : 0.9e-7
            let other = rewriter.rewritten(feature)
            let classes = equivalence.classes(from: feature, to: other)
            #expect(classes == [], "\(Self.text(feature)) is \(Self.text(other))")
            let back = equivalence.same(other, feature)
            #expect(back, "and the other way round")
        }
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `equivalence: a single change is found in spite of another notation`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let features = RandomFeature(using: &random)
        let ids = Set(features.ids)
        let equivalence = Equivalence { ids.contains($0) }
        var rewriter = Rewriter(random: SplitMix64(seed: random.next()), jitter: 0) { ids.contains($0) }
        for _ in 0..<60 {
            let feature = features.next(using: &random)
            let (changed, classes) = self.changed(feature, using: &random)
            let other = rewriter.rewritten(changed)
            let (forth, back) = (
                equivalence.classes(from: feature, to: other), equivalence.classes(from: other, to: feature)
            )
            #expect(forth == classes, "\(Self.text(feature)) to \(Self.text(other))")
            #expect(back == classes)
        }
    }

    @Test func `equivalence: equal values need no comparison of references`() {
        var random = SplitMix64(seed: 1)
        let features = RandomFeature(using: &random)
        let counting = Equivalence { _ in
            Issue.record("a group-up for equal bodies")
            return false
        }
        for _ in 0..<100 {
            let feature = features.next(using: &random)
            let isItself = counting.same(feature, feature)
            #expect(isItself)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: CanonicalJSON.data(value), as: UTF8.self)
    }

    private func changed(_ feature: JSONValue, using random: inout SplitMix64) -> (JSONValue, ChangeClasses) {
        var object = feature.object ?? JSONObject()
        var properties = object["properties"]?.object ?? JSONObject()
        let classes: ChangeClasses
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            (properties["name"], classes) = (["en": "Tea"], .name)
        case 1:
            (properties["category"], classes) = ("lobby", .category)
        case 2:
            (properties["display_point"], classes) = (.point(139.76710, 35.68125 + 1.1e-7), .position)
        case 3:
            (properties["unit_ids"], classes) = (["none"], .reference)
        case 4:
            (properties["accessibility"], classes) = (["wheelchair", "braille", "tdd", "tdd"], .other)
        case 5:
            (properties["tags"], classes) = (["none": false], .other)
        case 6 where object["feature_type"] != "relationship":
            (object["feature_type"], classes) = ("kiosk", .type)
        default:
            guard let geometry = object["geometry"]?.object, let coordinates = geometry["coordinates"] else {
                return (feature.with("extra", [:]), .other)
            }
            let isPoint =
                geometry["type"] == "Point" || geometry["type"] == "MultiPoint" && coordinates.array?.count == 1
            var moved = geometry
            moved["coordinates"] = coordinates.moved(by: 5e-6)
            (object["geometry"], classes) = (.object(moved), isPoint ? .position : .geometry)
        }
        object["properties"] = .object(properties)
        return (.object(object), classes)
    }
}

extension JSONValue {
    fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
        guard var object = self.object else { return self }
        object[key] = value
        return .object(object)
    }

    fileprivate func moved(by distance: Double) -> JSONValue {
        switch self {
        case .number(let number): .number(number + distance)
        case .array(let values): .array(values.map { $0.moved(by: distance) })
        default: self
        }
    }
}
