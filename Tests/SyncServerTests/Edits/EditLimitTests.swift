import Foundation
import HTTPTypes
import IMDF
import SyncModel
import TestSupport
import Testing

/// What edits refuse because later uploads and readers could not cope with it.
@Suite(.server)
struct EditLimitTests {
    private static let shop = EditedVenue.shop

    private static func object(_ keys: some Sequence<Int>) -> JSONValue {
        .object(JSONObject(keys.map { .init(key: "k\($0)", value: 1) }))
    }

    @Test func `edit of names that begin with a combining mark, and of two normal forms, is read back`() async throws {
        let harness = Harness.current
        let venue = EditedVenue()
        try await harness.push(venue.archive())
        let names = ["\u{301}x", "\u{E9}", "e\u{301}"]
        let values = JSONObject(names.map { .init(key: $0, value: "1") })
        #expect(try await harness.patch(Self.shop, .object(values)).status == .created)
        let pointers = Set(try await harness.overrides().map { Array($0.pointer.utf8) })
        #expect(pointers == Set(names.map { Array("/properties/\($0)".utf8) }))
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 3))
        #expect(try await harness.patch(Self.shop, ["\u{E9}": .null]).status == .created)
        #expect(try await harness.properties(Self.shop)?["e\u{301}"] == "1")
        #expect(try await harness.overrides().count == 2)
    }

    @Test func `edit with too many properties or overrides is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        try await harness.patch(Self.shop, Self.object(0..<1_001)).problem(422)
        let edits = (0..<6).map { number -> JSONValue in
            [
                "feature": Handmade.reference(Self.shop),
                "patch": ["properties": Self.object(number * 1_000..<number * 1_000 + 1_000)],
            ]
        }
        try await harness.edit(edits).problem(422)
        #expect(try await harness.overrides().isEmpty)
        let result = try await harness.edit(Array(edits.prefix(2))).decoded(EditResult.self)
        #expect(result.overrides.count == 1_000 && result.omitted?.count == 1_000)
    }

    @Test func `edit that makes a property longer than in any archive is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let text = String(repeating: "x", count: 256 << 10)
        let refused = try await harness.patch(Self.shop, ["note": .string(text)])
        try refused.problem(422)
        #expect(try refused.json["rule"] == "ST-02")
        var unit = try #require(
            Handmade.feature(
                20, .unit, ["category": "room", "level_id": Handmade.reference(EditedVenue.level)],
                geometry: Handmade.square(0.0003)
            ).object)
        unit["note"] = .string(text)
        let foreign = try await harness.edit([["add": .object(unit)]])
        try foreign.problem(422)
        #expect(try foreign.json["rule"] == "ST-02")
    }

    @Test func `override keeps the digest of a long name`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        venue.set("name", of: Self.shop, to: ["en": .string(String(repeating: "x", count: 2_000))])
        try await harness.push(venue.archive())
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .created)
        #expect(try await harness.overrides().first?.name?.string?.hasPrefix("sha256:") == true)
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
    }

    @Test func `venue feature is not hidden as a dependent`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let edit: JSONValue = ["hide": Handmade.reference(EditedVenue.address), "dependents": "hide"]
        let refused = try await harness.edit([edit])
        try refused.problem(422)
        #expect(try refused.json["rule"] == "ST-16" && refused.json["pointer"] == "/edits/0/hide")
        #expect(try await harness.head == 1)
    }

    @Test func `edits with the same id and base at the same time have one outcome`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let edit: JSONValue = ["feature": Handmade.reference(Self.shop), "patch": ["properties": ["hours": "24/7"]]]
        let members: JSONValue = ["id": Handmade.reference(99), "base": 1]
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<4 { group.addTask { try await harness.edit([edit], members).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .created, count: 4))
        #expect(try await harness.head == 2)
    }

    @Test func `edit with an id that ends in the past is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let edit: JSONValue = ["feature": Handmade.reference(Self.shop), "patch": ["properties": ["hours": "24/7"]]]
        let refused = try await harness.edit([edit], ["id": Handmade.reference(99), "until": "2020-01-01T00:00:00Z"])
        try refused.problem(422)
        #expect(try refused.json["pointer"] == "/until")
    }

    @Test func `edit with the same value and another time changes the time`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .created)
        let until = Timestamp.text(of: Date().addingTimeInterval(3_600))
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"], "?until=\(until)").status == .ok)
        #expect(try await harness.overrides().map { $0.until.map(Timestamp.text(of:)) } == [until])
    }

    @Test func `table of overrides quotes marks before combining marks, and disarms formulas`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        _ = try await harness.patch(Self.shop, ["hours": "a\"\u{301}b"], "?message=%EF%BC%9D1%2B1")
        let text = try await harness.send(.get, "/venues/mall/overrides.csv").text
        #expect(text.unicodeScalars.contains("\u{301}") && text.utf8.contains("'".utf8))
        #expect(text.utf8.contains("\"\"\u{301}b".utf8) && text.utf8.contains("'\u{FF1D}1+1".utf8))
    }
}
