import IMDF
import IMDFArchive
import SampleVenue
import Testing

/// Ids with white space and invisible characters around them.
@Suite struct OddIDTests {
    static let spaces = [
        " ", "\n", "\r\n", "\t", "\u{A0}", "\u{3000}", "\u{2009}", "\u{202F}", "\u{2028}", "\u{85}", "\u{B}", "\u{C}",
        "\u{205F}", "\u{1680}", "  \n\t ",
    ]

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// A level, a unit on it and a lift's relationship, with white space before and after every id.
    private func archive(_ before: String, _ after: String) throws -> Archive {
        let id = { (number: Int) in "\"\(before)\(Fixture.id(number))\(after)\"" }
        func feature(_ number: Int, _ type: String, _ properties: String) -> String {
            #"{"id":\#(id(number)),"type":"Feature","feature_type":"\#(type)","geometry":null,"properties":\#(properties)}"#
        }
        let end = { (number: Int) in #"{"id":\#(id(number)),"feature_type":"unit"}"# }
        var archive = try Fixture.read([
            ("building.geojson", Fixture.collection([feature(4, "building", "{}")])),
            ("level.geojson", Fixture.collection([feature(1, "level", #"{"building_ids":[\#(id(4))]}"#)])),
            (
                "unit.geojson",
                Fixture.collection(
                    [2, 3].map { feature($0, "unit", #"{"level_id":\#(id(1)),"name":{"en":"\#(before)A"}}"#) })
            ),
            (
                "relationship.geojson",
                Fixture.collection([
                    feature(
                        5, "relationship",
                        #"{"origin":\#(end(2)),"intermediary":[\#(end(2))],"destination":\#(end(3))}"#)
                ])
            ),
        ])
        archive.resolveReferences(base: [])
        return archive
    }

    @Test(arguments: Self.spaces, 0..<3)
    func `odd ids: white space before and after an id and its references is removed`(space: String, place: Int) throws {
        let text = Self.escaped(space)
        let archive = try self.archive(place == 1 ? "" : text, place == 0 ? "" : text)
        #expect(archive.features.map(\.id).filter { $0 != Fixture.id(0) }.sorted() == (1...5).map { Fixture.id($0) })
        #expect(archive.references(1).map(\.target) == [Fixture.id(4)])
        #expect(archive.references(2).map(\.target) == [Fixture.id(1)])
        #expect(Set(archive.references(5).map(\.target)) == [Fixture.id(2), Fixture.id(3)])
        // One finding, however many features there are.
        #expect(archive.findings.rules == ["ST-10"] && archive.findings[0].severity == .warning)
        #expect(archive.findings[0].message.contains("5 features have"), "\(archive.findings[0].message)")
    }

    /// Characters that are no white space: the id is another one, and all who write it mean the same feature.
    @Test(arguments: [
        "\u{200B}", "\u{FEFF}", "\u{2060}", "\u{AD}", "\u{0}", "\u{7F}", "\u{200E}", "{", "urn:uuid:", "#",
    ])
    func `odd ids: what is no UUID gets one, which references follow, and has the same one again`(text: String) throws {
        let first = try self.archive(Self.escaped(text), "")
        let again = try self.archive(Self.escaped(text), "")
        #expect(first.features.map(\.body) == again.features.map(\.body))
        let byType = Dictionary(grouping: first.features, by: \.type)
        #expect(byType[.unit]?.count == 2 && first.features.count == 6)
        #expect(byType[.unit]?.allSatisfy { $0.references.map(\.target) == byType[.level]?.map(\.id) } == true)
        #expect(byType[.level]?.first?.references.map(\.target) == byType[.building]?.map(\.id))
        #expect(
            Set(byType[.relationship]?.first?.references.map(\.target) ?? []) == Set(byType[.unit]?.map(\.id) ?? []))
        #expect(first.findings.rules == ["ST-10"] && first.findings[0].severity == .warning)
    }
}
