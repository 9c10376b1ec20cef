import Foundation
import IMDF
import Testing
import VenueMap

/// The search that the clients in all languages have in common: `Tests/Conformance/search.json`.
@Suite struct SharedSearchTests {
    private static let shared = Result {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Array(Data(contentsOf: tests.appending(path: "Conformance/search.json"))).json
    }

    private func members(_ name: String) throws -> [JSONValue] {
        let members = try #require(try Self.shared.get()[name]?.array)
        try #require(!members.isEmpty)
        return members
    }

    private func entry(of feature: JSONValue) throws -> VenueMap.Entry {
        VenueMap.Entry(
            try #require(feature["number"]?.number.flatMap { Int(exactly: $0) }),
            FeatureType(rawValue: try #require(feature["feature_type"]?.string)),
            on: feature["level"]?.number.flatMap { Int(exactly: $0) }, try #require(feature["properties"]))
    }

    @Test func `search has the results of all clients`() throws {
        let map = VenueMap(try self.members("features").map(self.entry))
        for search in try self.members("cases") {
            let text = try #require(search["text"]?.string)
            let types = search["types"]?.array.map { Set($0.compactMap(\.string).map(FeatureType.init(rawValue:))) }
            let found = map.search(text, types: types, limit: 1_000).map { result in
                JSONValue.array([
                    .number(Double(result.id.low)), .string("\(result.match)"), .string(result.text),
                ])
            }
            #expect(found == search["results"]?.array, "“\(text)”")
        }
    }

    /// A feature is found by the folded form of its name, and its name by a feature with the folded form.
    @Test func `search folds texts as all clients do`() throws {
        for pair in try self.members("folded") {
            let texts = try #require(pair.array).compactMap(\.string)
            let (text, folded) = (try #require(texts.first), try #require(texts.last))
            let map = VenueMap([
                .init(1, .unit, ["name": ["en": .string(text)]]), .init(2, .unit, ["name": ["en": .string(folded)]]),
            ])
            let matches = folded.isEmpty ? [] : [SearchMatch.exact, .exact]
            #expect(map.search(text).map(\.match) == matches, "“\(text)”")
            #expect(folded.isEmpty || map.search(folded).map(\.match) == matches, "“\(folded)”")
        }
    }

    @Test func `label has the text of all clients`() throws {
        for label in try self.members("labels") {
            let members = try #require(label.array)
            try #require(members.count == 3)
            let languages = try #require(members[1].array).compactMap(\.string)
            #expect(Labels(members[0])?.text(for: languages, archiveLanguage: "en") == members[2].string, "\(label)")
        }
    }
}
