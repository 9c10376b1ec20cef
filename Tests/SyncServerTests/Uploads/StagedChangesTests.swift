import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// What a staged upload would change, in the form of a diff.
@Suite(.server)
struct StagedChangesTests {
    private static let next = SampleVenue.tiny.edited(
        Edit(.rename, 2), Edit(.add, 2), Edit(.remove, 1), Edit(.relevel, 1), Edit(.noise), seed: 11)

    private static func stage(_ harness: Harness, _ venue: SampleVenue = Self.next) async throws -> Upload {
        try await harness.push(SampleVenue.tiny.archive())
        return try await harness.push(venue.archive(), query: "?publish=hold")
    }

    @Test func `staged changes have every member, with bodies before and after`() async throws {
        let harness = Harness.current
        let held = try await Self.stage(harness)
        let response = try await harness.send(.get, "/uploads/\(held.id)/changes")
        #expect(response.parts(of: .cacheControl).contains("no-store"))
        let json = try response.json
        #expect(json.keys == ["venue", "from", "to", "words", "changes", "overrides", "next"])
        let members: Set = ["id", "feature_type", "level_id", "kind", "classes", "before", "after", "overrides"]
        #expect(json["changes"]?.array?.allSatisfy { $0.keys == members } == true)
        for change in try await harness.changes(of: held).changes where change.kind == .removed {
            let before = SampleVenue.tiny.feature(change.id).map { JSONValue.object($0.body) }
            #expect(change.before == before && change.after == .none)
        }
    }

    /// The announced changes of a staged upload equal the changes it makes.
    @Test(arguments: [
        "", "bodies=false", "level=venue", "level=ordinal:0", "level=ordinal:1&level=venue", "level=ordinal:9",
    ])
    func `staged changes equal the diff after the upload was published`(query: String) async throws {
        let harness = Harness.current
        let held = try await Self.stage(harness)
        let shown = try await harness.send(.get, "/uploads/\(held.id)/changes?\(query)").json
        #expect(try await harness.decide(held).status == .ok)
        let diff = try await harness.send(.get, "/venues/mall/diff?from=1&to=2&\(query)").json
        #expect(shown["changes"] == diff["changes"] && shown["words"] == diff["words"])
    }

    @Test func `staged changes are complete over all pages, which keep the parameters`() async throws {
        let harness = Harness.current
        let held = try await Self.stage(harness)
        let whole = try await harness.changes(of: held, "bodies=false")
        var next: String? = "/uploads/\(held.id)/changes?bodies=false&limit=2"
        var changes: [RevisionDiff.Change] = []
        while let path = next {
            let page = try await harness.get(RevisionDiff.self, path)
            #expect(page.changes.count <= 2 && page.words == (changes.isEmpty ? whole.words : []))
            changes += page.changes
            next = page.next
        }
        #expect(changes.count > 4 && changes.map(\.id) == whole.changes.map(\.id))
        #expect(changes.allSatisfy { $0.before == .none && $0.after == .none })
        for query in ["limit=0", "after=x", "bodies=1", "level=foo"] {
            try await harness.send(.get, "/uploads/\(held.id)/changes?\(query)").problem(400)
        }
    }

    @Test func `staged changes name the new levels in the language of the request`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny.edited(Edit(.floor))
        let held = try await Self.stage(harness, venue)
        let level = try #require(
            venue.features.first { $0.type == .level && SampleVenue.tiny.feature($0.id) == nil })
        let ordinal = try #require(level["ordinal"]?.number)
        for (language, member) in [("en", "en"), ("ja-JP,ja;q=0.9", "ja")] {
            let name = try #require(level["short_name"]?[member]?.string)
            let headers: HTTPFields = [.acceptLanguage: language]
            for path in ["/uploads/\(held.id)", "/uploads/\(held.id)/changes"] {
                let json = try await harness.send(.get, path, headers: headers).json
                let words = try #require((json["changes"]?["words"] ?? json["words"])?.array)
                #expect(words.contains { $0.string?.contains(name) == true }, "\(words)")
            }
        }
        let part = try await harness.changes(of: held, "level=ordinal:\(Int(ordinal))&bodies=false")
        #expect(part.changes.contains { $0.level == level.id })
    }

    @Test func `manifest change is described although no feature changes`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        venue.manifest["note"] = "kept"
        let held = try await Self.stage(harness, venue)
        #expect(held.state == .staged && held.changes?.words.isEmpty == false)
        let shown = try await harness.changes(of: held)
        #expect(shown.changes.isEmpty && shown.words == held.changes?.words)
        #expect(try await harness.decide(held, ["base": 1]).status == .ok)
    }
}
