import IMDF
import IMDFArchive
import Testing

@Suite struct BlockingTests {
    private let unit = Fixture.feature(1, "unit")

    @Test func `blocking: invalid JSON blocks, with file, line and column`() {
        let findings = Fixture.rejection([
            ("unit.geojson", "{\"type\":\"FeatureCollection\",\r\n\"features\":[\(self.unit),]}")
        ])
        #expect(findings.rules == ["ST-06"])
        #expect(findings.first?.file == "unit.geojson")
        #expect(findings.first?.pointer == "2:\(self.unit.count + 14)")
        #expect(findings.first?.severity == .error)
    }

    @Test(arguments: ["", "  ", "\u{0}", "{", "tru", "[\"\\ud800\"]", "[1e999]"])
    func `blocking: no feature of an invalid file is read`(text: String) {
        #expect(Fixture.rejection([("unit.geojson", text)]).rules == ["ST-06"])
        #expect(Fixture.rejection(HandmadeZip([("manifest.json", text), Fixture.venue]).bytes).rules == ["ST-06"])
    }

    @Test func `blocking: the depth limit covers the whole document`() {
        func text(_ depth: Int) -> String {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return Fixture.collection([Fixture.feature(1, "unit", properties: #"{"a":\#(nested)}"#)])
        }
        #expect(throws: Never.self) { try Fixture.read([("unit.geojson", text(124))]) }
        let findings = Fixture.rejection([("unit.geojson", text(125))])
        #expect(findings.rules == ["ST-02"] && findings.first?.pointer?.hasPrefix("1:") == true)
        #expect(Fixture.rejection([("unit.geojson", text(100_000))]).rules == ["ST-02"])
    }

    @Test func `blocking: the length of a property is limited, whatever its value`() throws {
        func text(_ length: Int) -> String { #"{"en":"\#(String(repeating: "x", count: length - 9))"}"# }
        func labels(_ count: Int) -> String {
            "{" + (1...count).map { #""x-\#($0)":"\#(String(repeating: "n", count: 100))""# }.joined(separator: ",")
                + "}"
        }
        func file(_ name: String) -> [(name: String, content: String)] {
            let long = Fixture.feature(2, "level", properties: #"{"a":1,"name":\#(name),"z":2}"#)
            return [("level.geojson", Fixture.collection([self.unit, long]))]
        }
        #expect(throws: Never.self) { try Fixture.read(file(text(262_000))) }
        #expect(throws: Never.self) { try Fixture.read(file(labels(2_000))) }
        for name in [text(270_000), labels(3_000), "[\(text(270_000))]"] {
            let findings = Fixture.rejection(file(name))
            #expect(findings.rules == ["ST-02"] && findings.first?.pointer == "/features/1")
            #expect(findings.first?.message == "The feature's property “name” is longer than 256 KiB.")
        }
        // A long shape is no member of the properties.
        let shape = "[" + String(repeating: "[1,2],", count: 100_000) + "[1,2]]"
        let line = Fixture.feature(3, "level", geometry: #"{"type":"LineString","coordinates":\#(shape)}"#)
        #expect(throws: Never.self) { try Fixture.read([("level.geojson", Fixture.collection([line]))]) }
    }

    @Test func `blocking: members beside the properties and in the geometry are limited like properties`() {
        let long = #""\#(String(repeating: "x", count: 270_000))""#
        let point = #""type":"Point","coordinates":[1,2]"#
        let features = [
            (
                "member “note”",
                #"{"id":"\#(Fixture.id(2))","type":"Feature","feature_type":"level","geometry":null,"#
                    + #""properties":{},"note":\#(long)}"#
            ),
            ("member of the geometry “note”", Fixture.feature(2, "level", geometry: #"{\#(point),"note":\#(long)}"#)),
            (
                "member of the geometry “note”",
                Fixture.feature(
                    2, "level", geometry: #"{"type":"GeometryCollection","geometries":[{\#(point),"note":\#(long)}]}"#)
            ),
            (
                "member of the geometry “coordinates”",
                Fixture.feature(
                    2, "level", geometry: #"{"type":"Point","coordinates":\#(long)}"#)
            ),
            (
                "property “display_point”",
                Fixture.feature(
                    2, "level", properties: #"{"display_point":{\#(point),"note":\#(long)}}"#)
            ),
        ]
        for (name, feature) in features {
            let findings = Fixture.rejection([("level.geojson", Fixture.collection([self.unit, feature]))])
            #expect(findings.rules == ["ST-02"] && findings.first?.pointer == "/features/1", "\(name)")
            #expect(findings.first?.message == "The feature's \(name) is longer than 256 KiB.")
        }
    }

    @Test func `blocking: the lengths of a feature type and of a manifest are limited`() {
        let type = String(repeating: "t", count: 201)
        let findings = Fixture.rejection([("x.geojson", Fixture.collection([Fixture.feature(2, type)]))])
        #expect(findings.rules == ["ST-02"] && findings.first?.featureType?.rawValue.count == 64)
        let named = Fixture.collection([#"{"id":"\#(Fixture.id(2))","type":"Feature","geometry":null,"properties":{}}"#]
        )
        #expect(Fixture.rejection([("\(type).geojson", named)]).rules == ["ST-02"])
        let manifest = #"{"version":"1.0.0","note":"\#(String(repeating: "x", count: 1 << 20))"}"#
        #expect(Fixture.rejection(HandmadeZip([("manifest.json", manifest), Fixture.venue]).bytes).rules == ["ST-02"])
    }

    @Test func `blocking: the length of a feature is limited`() throws {
        var limits = ArchiveLimits()
        limits.featureBytes = 1_000
        func text(_ length: Int) -> String { #"{"a":"\#(String(repeating: "x", count: length))"}"# }
        let small = [
            ("unit.geojson", Fixture.collection([self.unit, Fixture.feature(2, "unit", properties: text(700))]))
        ]
        #expect(throws: Never.self) { try Fixture.read(small, limits: limits) }
        let large = [
            ("unit.geojson", Fixture.collection([self.unit, Fixture.feature(2, "unit", properties: text(1_000))]))
        ]
        let findings = Fixture.rejection(large, limits: limits)
        #expect(findings.rules == ["ST-02"] && findings.first?.pointer == "/features/1")
        let many = Fixture.feature(2, "unit", properties: "{\"a\":[" + String(repeating: "1,", count: 600) + "1]}")
        #expect(
            Fixture.rejection([("unit.geojson", Fixture.collection([many]))], limits: limits)[0].pointer
                == "/features/0")
        #expect(Fixture.rejection([("unit.geojson", many)], limits: limits).rules == ["ST-02"])
        #expect(
            Fixture.rejection([("x.json", "[" + String(repeating: "1,", count: 600) + "1]")], limits: limits).rules == [
                "ST-02"
            ])
        // What is long because it has many features is not too long.
        let features = (1...100).map { Fixture.feature($0, "unit") }
        #expect(
            try Fixture.read([("unit.geojson", Fixture.collection(features))], limits: limits).features.count == 101)
    }

    @Test(arguments: [
        ("12", "ST-06"), ("null", "ST-06"), ("[]", "ST-06"), ("{}", "ST-08"), (#"{"id":null}"#, "ST-08"),
        (#"{"id":""}"#, "ST-08"), (#"{"id":7}"#, "ST-08"),
        (#"{"properties":{"id":"u1"}}"#, "ST-08"), (#"{"id":" \t"}"#, "ST-10"),
        (#"{"properties":{"other":{"id":"00000000-0000-4000-8000-000000000005"}}}"#, "ST-08"),
        (#"{"id":"u1"}"#, "ST-10"), (#"{"id":"{00000000-0000-4000-8000-000000000005}"}"#, "ST-10"),
        (#"{"id":"0000000000004000800000000000000005xx"}"#, "ST-10"),
        (#"{"id":"00000000-0000-4000-8000-00000000000g"}"#, "ST-10"),
        (#"{"id":"00000000-0000-4000-8000-0000000000é"}"#, "ST-10"),
    ])
    func `blocking: a feature without a valid id blocks where ids are strict`(feature: String, rule: String) {
        let findings = Fixture.rejection([("unit.geojson", Fixture.collection([self.unit, feature]))], ids: .strict)
        #expect(findings.rules == [rule])
        #expect(findings.first?.file == "unit.geojson" && findings.first?.pointer == "/features/1")
        #expect(findings.first?.featureID == nil && findings.first?.severity == .error)
    }

    @Test(arguments: [
        "12", "null", "[]", "{}", #"{"id":null}"#, #"{"id":""}"#, #"{"id":" \t"}"#, #"{"id":[1]}"#, #"{"id":true}"#,
    ])
    func `blocking: a feature without an id blocks`(feature: String) {
        let findings = Fixture.rejection([("unit.geojson", Fixture.collection([self.unit, feature]))])
        #expect(findings.count == 1 && findings[0].pointer == "/features/1" && findings[0].severity == .error)
    }

    @Test func `blocking: the length of an id is limited`() throws {
        func unit(_ length: Int) -> [(name: String, content: String)] {
            [("unit.geojson", Fixture.collection([#"{"id":"\#(String(repeating: "x", count: length))"}"#]))]
        }
        #expect(try Fixture.read(unit(256)).features.count == 2)
        #expect(Fixture.rejection(unit(257)).rules == ["ST-02"])
    }

    @Test func `blocking: an id of two features of a type blocks, ignoring case, across all files`() {
        let upper = self.unit.replacing("\(Fixture.id(1))", with: "\(Fixture.id(1))".uppercased())
        let anchors = Fixture.collection([
            Fixture.feature(2, "anchor"), upper.replacing(#""properties":{"#, with: #""properties":{"x":1"#),
        ])
        let findings = Fixture.rejection([
            ("unit.geojson", Fixture.collection([self.unit])), ("anchor.geojson", anchors),
        ])
        #expect(findings.rules == ["ST-09"])
        #expect(findings.first?.featureID == Fixture.id(1) && findings.first?.featureType == .unit)
        #expect(findings.first?.file == "anchor.geojson" && findings.first?.pointer == "/features/1")
        #expect(findings.first?.message.contains("unit.geojson") == true)
    }

    @Test func `blocking: an archive has exactly one venue feature`() {
        let none = Fixture.rejection(
            HandmadeZip([Fixture.manifest, ("unit.geojson", Fixture.collection([self.unit]))]).bytes)
        #expect(none.rules == ["ST-16"])
        let two = Fixture.rejection([("other.geojson", Fixture.collection([Fixture.feature(5, "venue")]))])
        #expect(two.rules == ["ST-16"] && two[0].file == "other.geojson" && two[0].pointer == "/features/0")
        #expect(Fixture.rejection(HandmadeZip([]).bytes).rules == ["ST-16"])
    }

    @Test func `blocking: an unreadable venue is not reported as missing`() {
        let broken = HandmadeZip([Fixture.manifest, ("venue.geojson", "{")]).bytes
        #expect(Fixture.rejection(broken).rules == ["ST-06"])
        let unnamed = HandmadeZip([Fixture.manifest, ("venue.geojson", Fixture.collection(["{}"]))]).bytes
        #expect(Fixture.rejection(unnamed).rules == ["ST-08"])
    }

    @Test func `blocking: all blocking findings are reported, up to a limit`() {
        let many = (0..<2_000).map { _ in #"{"id":[]}"# }
        var limits = ArchiveLimits()
        let files = [
            ("a.geojson", "["), ("b.geojson", Fixture.collection(["{}", "1"])), ("c.geojson", Fixture.collection(many)),
        ]
        let findings = Fixture.rejection(files)
        #expect(findings.prefix(4).map(\.rule) == ["ST-06", "ST-08", "ST-06", "ST-08"])
        #expect(findings.count == 1_000)
        limits.blockingFindings = 3
        #expect(Fixture.rejection(files, limits: limits).count == 3)
    }
}
