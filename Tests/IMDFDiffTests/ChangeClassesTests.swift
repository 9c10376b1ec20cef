import Foundation
import IMDF
import IMDFDiff
import Testing

struct ChangeClassesTests {
    private static let known = FeatureID(high: 7, low: 7)
    private let equivalence = Equivalence { $0 == Self.known }
    private let known = JSONValue.string(Self.known.description)

    private func classes(_ before: JSONValue, _ after: JSONValue) -> [String] {
        let there = self.equivalence.classes(from: before, to: after)
        #expect(self.equivalence.classes(from: after, to: before) == there, "the other way round")
        return there.names
    }

    private func property(_ key: String, _ before: JSONValue, _ after: JSONValue, type: String = "unit") -> [String] {
        func feature(_ value: JSONValue) -> JSONValue {
            .feature(type, properties: .object(JSONObject([.init(key: key, value: value)])))
        }
        return self.classes(feature(before), feature(after))
    }

    @Test(arguments: [
        ("name", "name"), ("alt_name", "name"), ("short_name", "name"), ("category", "category"), ("hours", "hours"),
        ("phone", "contact"), ("website", "contact"), ("display_point", "position"), ("restriction", "other"),
        ("accessibility", "other"), ("access_control", "other"), ("correlation_id", "other"), ("validity", "other"),
        ("door", "other"), ("ordinal", "other"), ("level_id", "reference"), ("level_ids", "reference"),
        ("unit_id", "reference"), ("unit_ids", "reference"), ("anchor_id", "reference"), ("address_id", "reference"),
        ("building_ids", "reference"), ("parents", "reference"), ("origin", "reference"),
        ("intermediary", "reference"), ("destination", "reference"), ("customId", "other"),
    ])
    func `change classes: each declared property has its class`(key: String, name: String) {
        #expect(self.property(key, "a", "b") == [name])
        #expect(self.property(key, nil, ["b"]) == [name])
    }

    @Test func `change classes: names in more or fewer languages are translations if no text differs`() {
        func classes(_ before: JSONValue, _ after: JSONValue) -> ChangeClasses {
            self.equivalence.classes(
                from: .feature(properties: ["name": before]), to: .feature(properties: ["name": after]))
        }
        #expect(classes(["en": "a"], ["en": "a", "ja": "b"]) == .translation)
        #expect(classes(["en": "a", "ja": "b"], ["en": "a"]) == .translation)
        #expect(classes(["en": "a", "ja": "b"], ["en": "c", "ja": "b"]) == .name)
        #expect(classes(["en": "a"], ["ja": "b"]) == .name)
        #expect(classes(["en": "a"], nil) == .name)
        #expect(classes(["en": "a"], "a") == .name)
        #expect(classes([:], ["en": "a"]) == .name)
        #expect(ChangeClasses.translation.names == ["name"] && ChangeClasses.ordinal.names == ["other"])
    }

    @Test func `change classes: an undeclared property with references is a reference`() {
        #expect(self.property("begin", self.known, "x") == ["reference"])
        #expect(self.property("begin", nil, [self.known]) == ["reference"])
        #expect(self.property("begin", ["id": self.known, "feature_type": "unit"], nil) == ["reference"])
        #expect(self.property("begin", [["id": self.known]], [["id": "x"]]) == ["reference"])
        #expect(self.property("begin", ["x", self.known], ["x"]) == ["other"])
        #expect(self.property("correlation_id", self.known, nil) == ["other"])
        #expect(self.property("address", self.known, nil) == ["other"])
    }

    @Test func `change classes: points change position, shapes change geometry`() {
        func geometry(_ before: JSONValue, _ after: JSONValue) -> [String] {
            self.classes(.feature(geometry: before), .feature(geometry: after))
        }
        let area = JSONValue.geometry("Polygon", JSONValue([square(0, 0)]))
        #expect(geometry(.point(1, 2), .point(1, 3)) == ["position"])
        #expect(geometry(.point(1, 2), .geometry("MultiPoint", [[1, 3]])) == ["position"])
        #expect(geometry(.point(1, 2), .geometry("MultiPoint", [[1, 2], [1, 3]])) == ["geometry"])
        #expect(geometry(.point(1, 2), nil) == ["geometry"])
        #expect(geometry(.point(1, 2), area) == ["geometry"])
        #expect(geometry(area, .geometry("Polygon", JSONValue([square(0, 1)]))) == ["geometry"])
        #expect(geometry(area, nil) == ["geometry"])
        #expect(geometry(.geometry("Point", [1]), .geometry("Point", [2])) == ["geometry"])
    }

    @Test func `change classes: members outside the properties are other, the feature type is type`() {
        #expect(self.classes(["id": "a"], ["id": "b"]) == ["other"])
        #expect(self.classes(["extra": 1], [:]) == ["other"])
        #expect(self.classes(["type": "Feature"], ["type": "feature"]) == ["other"])
        #expect(self.classes(["properties": nil], ["properties": [:]]) == ["other"])
        #expect(self.classes(["feature_type": "unit"], ["feature_type": "kiosk"]) == ["type"])
        #expect(self.classes(1, [:]) == ["other"])
        #expect(self.classes([:], [:]) == [])
    }

    @Test func `change classes: names on the wire have a fixed order and round-trip`() throws {
        let all: ChangeClasses = [
            .other, .type, .level, .reference, .contact, .hours, .category, .name, .position, .geometry,
        ]
        #expect(
            all.names == [
                "geometry", "position", "name", "category", "hours", "contact", "reference", "level", "type", "other",
            ])
        let text = try JSONEncoder().encode([all, [.contact, .name]])
        #expect(try JSONDecoder().decode([ChangeClasses].self, from: text) == [all, [.name, .contact]])
        #expect(
            try JSONDecoder().decode(ChangeClasses.self, from: Data(#"["name","colour"]"#.utf8)) == [.name, .other])
    }
}
