import IMDF
import Testing

@testable import IMDFArchive

/// Ids that deviate from the standard and that the reader repairs.
@Suite struct RepairedIDTests {
    @Test func `repaired ids: white space around an id and around references to it is removed`() throws {
        let (unit, level) = (Fixture.id(1), Fixture.id(2))
        let written = Fixture.feature(1, "unit", properties: #"{"level_id":"\#(level)\n","name":" \#(level)"}"#)
            .replacing(#""\#(unit)""#, with: #"" \#(unit)\r\n""#)
        var archive = try Fixture.read([
            ("unit.geojson", Fixture.collection([written])),
            ("level.geojson", Fixture.collection([Fixture.feature(2, "level")])),
        ])
        archive.resolveReferences(base: [])
        #expect(archive.body(1)?.contains(#""id":"\#(unit)""#) == true)
        #expect(archive.body(1)?.contains(#""level_id":"\#(level)""#) == true)
        // A label that looks like an id is not changed.
        #expect(archive.body(1)?.contains(#""name":" \#(level)""#) == true)
        #expect(archive.references(1).map(\.target) == [level])
        #expect(archive.findings.rules == ["ST-10"])
        #expect(archive.findings[0].severity == .warning && archive.findings[0].featureID == unit)
    }

    @Test func `repaired ids: the id in the properties is used where the feature has none`() throws {
        let units = (1...3).map { number in
            let properties = #"{"id":"\#(Fixture.id(number))"}"#
            let id = number == 1 ? #""id":null,"# : ""
            return #"{\#(id)"type":"Feature","feature_type":"unit","geometry":null,"properties":\#(properties)}"#
        }
        let archive = try Fixture.read([("unit.geojson", Fixture.collection(units))])
        for number in 1...3 {
            let id = Fixture.id(number)
            #expect(
                archive.body(number)
                    == #"{"feature_type":"unit","geometry":null,"id":"\#(id)","properties":{"id":"\#(id)"},"type":"Feature"}"#
            )
        }
        #expect(archive.findings.rules == ["ST-08"] && archive.findings[0].message.hasPrefix("3 features have no id"))
    }

    @Test func `repaired ids: what was read is read again without a finding and with the same content`() throws {
        let id = Fixture.id(1)
        let text = #"{"type":"Feature","feature_type":"unit","geometry":null,"properties":{"id":"\#(id) "}}"#
        let first = try Fixture.read([("unit.geojson", Fixture.collection([text, text]))])
        #expect(first.findings.rules.sorted() == ["ST-08", "ST-09"])
        let body = try #require(first.body(1))
        let second = try Fixture.read([("unit.geojson", Fixture.collection([body]))])
        #expect(second.body(1) == body && second.findings.isEmpty)
    }

    @Test func `repaired ids: a feature that is repeated with the same content is read once`() throws {
        let unit = Fixture.feature(1, "unit")
        let upper = unit.replacing("\(Fixture.id(1))", with: "\(Fixture.id(1))".uppercased())
        let archive = try Fixture.read([
            ("unit.geojson", Fixture.collection([unit, Fixture.feature(2, "unit")])),
            ("room.geojson", Fixture.collection([upper])),
        ])
        #expect(archive.features.map(\.id).filter { $0 == Fixture.id(1) }.count == 1)
        let findings = archive.findings.with("ST-09")
        #expect(findings.count == 1 && findings[0].severity == .warning && findings[0].featureID == Fixture.id(1))
        #expect(findings.first?.file == "room.geojson" && findings.first?.pointer == "/features/0")
    }

    @Test func `repaired ids: a repeated venue is one venue, and other contents with one id are still refused`() throws
    {
        let venue = Fixture.venue.content
        #expect(try Fixture.read([("other.geojson", venue)]).findings.with("ST-09").count == 1)
        let changed = Fixture.feature(1, "unit", properties: #"{"x":1}"#)
        let units = [Fixture.feature(1, "unit"), changed, changed]
        #expect(Fixture.rejection([("unit.geojson", Fixture.collection(units))]).rules == ["ST-09"])
    }

    @Test func `repaired ids: a message shows the white space within an id`() throws {
        let files = [("unit.geojson", Fixture.collection([#"{"id":"a\nb\u00a0c"}"#]))]
        let id = FeatureID(name: "a\nb\u{A0}c".utf8, namespace: Fixture.id(0))
        let finding = try #require(Fixture.read(files).findings.with("ST-10").first)
        #expect(
            finding.message
                == #"1 feature has the id “a\nb\u{00A0}c”, which is not a UUID; it was read as \#(id), in references too."#
        )
        let findings = Fixture.rejection(files, ids: .strict)
        #expect(findings.first?.message == #"The feature's id “a\nb\u{00A0}c” is not a UUID."#)
    }
}
