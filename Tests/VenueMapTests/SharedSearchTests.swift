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

    @Test func `search has the results of all clients, followed by related ones if they are wanted`() throws {
        let map = VenueMap(try self.members("features").map(self.entry))
        let index = SearchIndex(map)
        for search in try self.members("cases") {
            let text = try #require(search["text"]?.string)
            let types = search["types"]?.array.map { Set($0.compactMap(\.string).map(FeatureType.init(rawValue:))) }
            func found(isRelated: Bool) -> [JSONValue] {
                map.search(text, types: types, limit: 1_000, isRelated: isRelated).map { result in
                    Self.json(result.id, result.match, result.text)
                }
            }
            let (results, related) = (try #require(search["results"]?.array), try #require(search["related"]?.array))
            #expect(found(isRelated: false) == results, "“\(text)”")
            #expect(found(isRelated: true) == results + related, "“\(text)”")
            var conditions = SearchIndex.Conditions()
            (conditions.text, conditions.types, conditions.limit) = (text, types, 1_000)
            let indexed = index.search(conditions).map { Self.json($0.place.id, $0.match, $0.text) }
            #expect(indexed == results + related, "“\(text)” in the index")
        }
    }

    @Test func `search finds rooms and floors by number and name, and never another number`() throws {
        let shared = try #require(try Self.shared.get()["rooms"])
        let map = VenueMap(
            try #require(shared["features"]?.array).map { feature in
                var properties = try #require(feature["properties"]?.object)
                if let buildings = feature["buildings"]?.array {
                    properties["building_ids"] = .array(buildings.compactMap(\.number).map { Make.id(Int($0)) })
                }
                return VenueMap.Entry(
                    Int(try #require(feature["number"]?.number)),
                    FeatureType(rawValue: try #require(feature["feature_type"]?.string)),
                    on: feature["level"]?.number.map { Int($0) }, .object(properties))
            })
        let index = SearchIndex(map)
        let cases = try #require(shared["cases"]?.array)
        #expect(cases.count > 20)
        for search in cases {
            let text = try #require(search["text"]?.string)
            let expected = try #require(search["related"]?.array)
            let found = map.search(text, isRelated: true).map { Self.json($0.id, $0.match, $0.text) }
            #expect(found == expected, "“\(text)”")
            var conditions = SearchIndex.Conditions()
            conditions.text = text
            let indexed = index.search(conditions).map { Self.json($0.place.id, $0.match, $0.text) }
            #expect(indexed == expected, "“\(text)” in the index")
        }
    }

    @Test func `search on a level finds what is on it or touches it, without the level itself`() throws {
        let shared = try #require(try Self.shared.get()["levels"])
        let map = VenueMap(
            try #require(shared["features"]?.array).map { feature in
                let entry = try self.entry(of: feature)
                let isLift = feature["properties"]?["unit_ids"]?.array != nil
                let placement = Placement(
                    level: entry.placement.level, touches: isLift ? [FeatureID(1), FeatureID(2)] : [])
                return VenueMap.Entry(id: entry.id, type: entry.type, placement: placement, body: entry.body)
            })
        let index = SearchIndex(map)
        for search in try #require(shared["cases"]?.array) {
            let text = try #require(search["text"]?.string)
            let level = FeatureID(Int(try #require(search["level"]?.number)))
            let expected = try #require(search["results"]?.array)
            let found = map.search(text, on: level, isRelated: true).map { Self.json($0.id, $0.match, $0.text) }
            #expect(found == expected, "“\(text)”")
            var conditions = SearchIndex.Conditions()
            (conditions.text, conditions.levels) = (text, [level])
            let indexed = index.search(conditions).map { Self.json($0.place.id, $0.match, $0.text) }
            #expect(indexed == expected, "“\(text)” in the index")
        }
    }

    private static func json(_ id: FeatureID, _ match: SearchMatch, _ text: String) -> JSONValue {
        [.number(Double(id.low)), .string("\(match)"), .string(text)]
    }

    @Test func `search forgives one spelling mistake in a word of four letters or more, and no more`() {
        let map = VenueMap([
            .init(1, .occupant, ["name": ["en": "Starbucks Reserve"], "category": "coffee"])
        ])
        func matches(_ text: String) -> [SearchMatch] { map.search(text, isRelated: true).map(\.match) }
        for text in ["starbuks", "strabucks", "starrbucks", "starbocks", "sdarbucks", "strabuc", "reserve starbuks"] {
            #expect(matches(text) == [.misspelled], "\(text)")
        }
        for text in ["starbks", "strabukcs", "sat", "starbuks xyz"] { #expect(matches(text) == [], "\(text)") }
        #expect(map.search("starbuks") == [] && matches("star") == [.prefix])
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
