import Foundation
import HTTPTypes
import IMDF
import Ingestion
import SyncModel
import TestSupport
import Testing

/// Decisions about overrides, and where they are shown.
@Suite(.server)
struct DecisionTests {
    private static let shop = EditedVenue.shop

    /// A venue with an override that an upload contests.
    private func contested() async throws -> (venue: EditedVenue, path: String) {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .created)
        venue.set("hours", of: Self.shop, to: "off")
        #expect(try await harness.push(venue.archive()).overrides == .init(contested: 1))
        let entry = try #require(try await harness.overrides().first)
        return (venue, "/venues/mall/overrides/\(entry.id)")
    }

    @Test func `decision with If-Match is refused if the source says something else by now`() async throws {
        let harness = Harness.current
        var (venue, path) = try await self.contested()
        let seen = try #require(try await harness.send(.get, path).headers[.eTag])
        venue.set("hours", of: Self.shop, to: "Sa 10:00-20:00")
        try await harness.push(venue.archive())
        for take in ["mine", "source"] as [JSONValue] {
            let late = try await harness.send(
                .post, "\(path)/resolve", json: ["take": take], headers: [.ifMatch: seen])
            #expect(try late.problem(412).type == "/problems/override-changed")
        }
        let removal = try await harness.send(.delete, path, headers: [.ifMatch: seen])
        #expect(try removal.problem(412).type == "/problems/override-changed")
        #expect(try await harness.overrides().map(\.state) == [.contested])
        let current = try #require(try await harness.send(.get, path).headers[.eTag])
        #expect(current != seen)
        let mine = try await harness.send(
            .post, "\(path)/resolve", json: ["take": "mine"], headers: [.ifMatch: current])
        #expect(mine.status == .ok, "\(mine.text)")
        #expect(try await harness.overrides().map(\.base) == ["Sa 10:00-20:00"])
    }

    @Test func `staged upload lists the overrides that it newly contests`() async throws {
        let harness = Harness.current
        var (venue, _) = try await self.contested()
        try await harness.set("overrides", to: "ask")
        #expect(try await harness.patch(EditedVenue.cafe, ["hours": "24/7"]).status == .created)
        venue.set("hours", of: EditedVenue.cafe, to: "off")
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .staged && upload.overrides == .init(contested: 2))
        let diff = try await harness.get(RevisionDiff.self, "/uploads/\(upload.id)/changes")
        let entry = try #require(diff.overrides?.first)
        #expect(diff.overrides?.count == 1 && entry.feature == Handmade.id(EditedVenue.cafe))
        #expect(entry.base == "Mo-Su 08:00-18:00" && entry.value == "24/7" && entry.source == "off")
        // Nothing was published, so the override itself is as it was.
        #expect(try await harness.overrides("?feature=\(entry.feature)").map(\.state) == [.quiet])
    }

    @Test func `differences name the edited parts of features`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"], "?message=Open").status == .created)
        venue.set("phone", of: EditedVenue.cafe, to: "+81312345678")
        try await harness.push(venue.archive())
        let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=3")
        let parts = Dictionary(uniqueKeysWithValues: diff.changes.map { ($0.id, $0.overrides) })
        #expect(parts[Handmade.id(EditedVenue.cafe)] == [])
        let edited = try #require(parts[Handmade.id(Self.shop)]?.first)
        #expect(edited.pointer == "/properties/hours" && edited.message == "Open" && edited.author == "admin")
        let back = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=3&to=1")
        #expect(back.changes.allSatisfy { $0.overrides.isEmpty })
    }

    @Test func `edit follows an alias to its feature`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        var shop = try #require(venue.features.removeValue(forKey: Self.shop)?.object)
        shop["id"] = Handmade.reference(50)
        venue.features[50] = .object(shop)
        #expect(try await harness.push(venue.archive(), query: "?message=again").state == .unchanged)
        let response = try await harness.patch(50, ["hours": "24/7"])
        #expect(response.status == .created, "\(response.text)")
        #expect(try response.decoded(EditResult.self).overrides.map(\.feature) == [Handmade.id(Self.shop)])
        #expect(try await harness.edit([["hide": Handmade.reference(50)]]).status == .created)
        #expect(try await harness.properties(Self.shop) == nil)
        #expect(try await harness.edit([["show": Handmade.reference(50)]]).status == .created)
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
        try await harness.patch(51, ["hours": "24/7"]).problem(404)
    }

    @Test func `rollback of a level does not bring back a feature that was hidden on two levels in turn`() async throws
    {
        let harness = Harness.current
        var venue = EditedVenue()
        venue.features[30] = Handmade.feature(
            30, .level, ["name": ["en": "First"], "short_name": ["en": "1"], "ordinal": 1, "category": "unspecified"],
            geometry: Handmade.square())
        try await harness.push(venue.archive())
        let annex = EditedVenue.annex
        #expect(try await harness.edit([["hide": Handmade.reference(annex)]]).status == .created)
        // While it is hidden, the source moves it to the other level; there it is shown, and hidden again.
        venue.set("level_id", of: annex, to: Handmade.reference(30))
        venue.set("hours", of: Self.shop, to: "24/7")
        try await harness.push(venue.archive())
        #expect(try await harness.edit([["show": Handmade.reference(annex)]]).status == .created)
        #expect(try await harness.edit([["hide": Handmade.reference(annex)]]).status == .created)
        #expect(try await harness.patch(30, ["name": ["en": "Upper"]]).status == .created)
        let rollback = try await harness.send(
            .post, "/venues/mall/rollback", json: ["to": 2, "levels": [Handmade.reference(30)]])
        #expect(rollback.status == .created, "\(rollback.text)")
        #expect(try await harness.overrides().map(\.kind) == [.hidden])
        try await harness.push(venue.archive(), query: "?message=again")
        #expect(try await harness.properties(annex) == nil)
    }
}
