import IMDF
import IMDFArchive
import Testing

@Suite struct DeviationTests {
    private func unit(_ members: String) -> String { #"{"id":"\#(Fixture.id(1))",\#(members)}"# }

    @Test func `archive reading: absent members are inserted, with one finding per kind`() throws {
        let features = (1...3).map { #"{"id":"\#(Fixture.id($0))"}"# }
        let archive = try Fixture.read([("unit.geojson", Fixture.collection(features))])
        #expect(
            archive.body(2) == """
                {"feature_type":"unit","geometry":null,"id":"\(Fixture.id(2))","properties":{},"type":"Feature"}
                """)
        #expect(archive.findings.rules.sorted() == ["ST-06", "ST-06", "ST-11", "ST-17"])
        #expect(archive.findings.allSatisfy { $0.message.hasPrefix("3 features have no ") })
        #expect(archive.findings.allSatisfy { $0.pointer == "/features/0" && $0.featureID == nil })
    }

    @Test func `archive reading: a finding about a single feature has its id`() throws {
        let features = [
            Fixture.feature(1, "unit"), #"{"id":"\#(Fixture.id(2))","type":"Feature","properties":{},"geometry":null}"#,
        ]
        let archive = try Fixture.read([("unit.geojson", Fixture.collection(features))])
        #expect(archive.findings.rules == ["ST-11"])
        #expect(archive.findings[0].featureID == Fixture.id(2) && archive.findings[0].featureType == .unit)
        #expect(archive.findings[0].pointer == "/features/1")
    }

    @Test(arguments: [
        ("unit.geojson", "unit"), ("Unit.GeoJSON", "unit"), ("OCCUPANT.json", "occupant"),
        ("x/y/level.geojson", "level"),
        ("navPath.geojson", "navPath"), ("my.types.json", "my.types"), (".geojson", "unknown"),
    ])
    func `archive reading: a missing feature_type is the name of the file`(file: String, type: String) throws {
        let archive = try Fixture.read([
            (file, Fixture.collection([self.unit(#""type":"Feature","geometry":null,"properties":{}"#)]))
        ])
        #expect(archive.features.last?.type.rawValue == type)
        #expect(archive.body(1)?.hasPrefix(#"{"feature_type":"\#(type)","#) == true)
        #expect(archive.findings.with("ST-11").count == 1)
    }

    @Test(arguments: [#""""#, "null", "7", #"["unit"]"#])
    func `archive reading: an invalid feature_type is replaced`(type: String) throws {
        let members = #""type":"Feature","feature_type":\#(type),"geometry":null,"properties":{}"#
        let archive = try Fixture.read([("unit.geojson", Fixture.collection([self.unit(members)]))])
        #expect(archive.features.last?.type == .unit)
        #expect(archive.body(1)?.hasPrefix(#"{"feature_type":"unit","#) == true)
        #expect(archive.findings.rules == ["ST-11"])
        #expect(archive.findings[0].severity == .error)
    }

    @Test func `archive reading: existing members are kept, however odd`() throws {
        let members =
            #""type":"feature","feature_type":"unit","geometry":{"type":"Blob","coordinates":[[]]},"properties":null"#
        let archive = try Fixture.read([("unit.geojson", Fixture.collection([self.unit(members)]))])
        #expect(
            archive.body(1) == """
                {"feature_type":"unit","geometry":{"coordinates":[[]],"type":"Blob"},"id":"\(Fixture.id(1))",\
                "properties":null,"type":"feature"}
                """)
        #expect(archive.findings.rules == ["ST-17"])
        #expect(archive.findings[0].severity == .error)
    }

    @Test func `archive reading: unknown and inserted members are in canonical order`() throws {
        let archive = try Fixture.read([
            (
                "unit.geojson",
                Fixture.collection([
                    #"{"a":1,"zebra":2,"i":3,"h":4,"id":"\#(Fixture.id(1))","q":5,"😀":6,"\#u{FB33}":7}"#
                ])
            )
        ])
        let body = try #require(archive.body(1))
        #expect(
            body == """
                {"a":1,"feature_type":"unit","geometry":null,"h":4,"i":3,"id":"\(Fixture.id(1))","properties":{},"q":5,\
                "type":"Feature","zebra":2,"😀":6,"\u{FB33}":7}
                """)
        #expect(try JSONReader().canonicalText(of: Array(body.utf8)) == Array(body.utf8))
    }

    @Test func `archive reading: the last duplicate member is used, with one warning per file and a count`() throws {
        let first = self.unit(
            #""type":"Feature","feature_type":"level","geometry":null,"feature_type":"unit","properties":{"a":1,"a":2,"a":3}"#
        )
        let archive = try Fixture.read([("unit.geojson", Fixture.collection([first]))])
        #expect(archive.features.last?.type == .unit)
        #expect(archive.body(1)?.contains(#""properties":{"a":3}"#) == true)
        #expect(archive.findings.rules == ["ST-17"])
        #expect(archive.findings[0].severity == .warning)
        #expect(archive.findings[0].message.hasPrefix("Objects have 3 duplicate members"))
    }

    @Test func `archive reading: numbers that a double cannot represent are counted`() throws {
        let numbers = """
            [9007199254740993, 9007199254740992, 1e400e, 0.1000000000000000055511151231257827, 0.30371511280536652, 1e-400, \
            123456789012345678901234567890, 1180591620717411303424, 1e23, 100000000000000000000000]
            """.replacing("1e400e, ", with: "")
        let properties = #"{"numbers":\#(numbers)}"#
        let archive = try Fixture.read([
            ("unit.geojson", Fixture.collection([Fixture.feature(1, "unit", properties: properties)]))
        ])
        #expect(archive.findings.count == 1)
        #expect(archive.findings[0].severity == .info && archive.findings[0].file == "unit.geojson")
        // The first, the fourth, the one too small, and the two integers that are no doubles.
        #expect(archive.findings[0].message.hasPrefix("5 numbers "))
    }

    @Test func `archive reading: ids become lower case, and versions other than 4 are warnings`() throws {
        let id = "ABCDEF01-2345-1789-ABCD-EF0123456789"
        let archive = try Fixture.read([
            ("unit.geojson", Fixture.collection([Fixture.feature(1, "unit").replacing("\(Fixture.id(1))", with: id)]))
        ])
        let feature = try #require(archive.features.last)
        #expect(feature.id == FeatureID(id))
        #expect(String(decoding: feature.body, as: UTF8.self).contains(#""id":"abcdef01-2345-1789-abcd-ef0123456789""#))
        #expect(archive.findings.rules == ["ST-10"])
        #expect(archive.findings[0].severity == .warning && archive.findings[0].featureID == feature.id)
    }

    @Test func `archive reading: ids and members may contain escapes`() throws {
        let id = "\(Fixture.id(1))"
        let text =
            #"{"\u0069d":"\u0030\#(id.dropFirst())","type":"Feature","feature_typ\u0065":"un\u0069t","geometry":null,"properties":{"\n":"\"\u0007"}}"#
        let archive = try Fixture.read([("x.geojson", Fixture.collection([text]))])
        #expect(
            archive.body(1)
                == #"{"feature_type":"unit","geometry":null,"id":"\#(id)","properties":{"\n":"\"\u0007"},"type":"Feature"}"#
        )
        #expect(archive.findings.isEmpty)
    }
}
