import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

/// What uploads make of overrides.
@Suite(.server)
struct OverrideTests {
    private static let shop = EditedVenue.shop
    private static let hours = "Mo-Su 10:00-20:00"

    /// The venue after an upload and an edit of the opening hours.
    private func edited() async throws -> EditedVenue {
        let venue = EditedVenue()
        try await Harness.current.push(venue.archive())
        #expect(try await Harness.current.patch(Self.shop, ["hours": "24/7"]).status == .created)
        return venue
    }

    @Test func `override: the same archive again is unchanged, and the override holds`() async throws {
        let harness = Harness.current
        let venue = try await self.edited()
        let upload = try await harness.push(venue.archive(), query: "?message=again")
        #expect(upload.state == .unchanged && upload.overrides == .init(quiet: 1))
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
    }

    @Test func `override: an archive that says the same ends it`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        venue.set("hours", of: Self.shop, to: "24/7")
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.overrides == .init(redundant: 1))
        #expect(try await harness.overrides().isEmpty)
        venue.set("hours", of: Self.shop, to: "off")
        #expect(try await harness.push(venue.archive()).state == .published)
        #expect(try await harness.properties(Self.shop)?["hours"] == "off")
    }

    @Test func `override: an archive that says something else makes it contested until somebody decides`() async throws
    {
        let harness = Harness.current
        var venue = try await self.edited()
        venue.set("hours", of: Self.shop, to: "Mo-Fr 10:00-20:00")
        venue.set("category", of: Self.cafe, to: "bakery")
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .published && upload.overrides == .init(contested: 1))
        let entry = try #require(try await harness.overrides("?state=contested").first)
        #expect(entry.base == .string(Self.hours) && entry.value == "24/7" && entry.source == "Mo-Fr 10:00-20:00")
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
        let path = "/venues/mall/overrides/\(entry.id)/resolve"
        let mine = try await harness.send(.post, path, json: ["take": "mine"])
        #expect(mine.status == .ok)
        #expect(try await harness.overrides().map(\.state) == [.quiet])
        try await harness.send(.post, path, json: ["take": "mine"]).problem(409)
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
        venue.set("hours", of: Self.shop, to: "Sa 10:00-20:00")
        #expect(try await harness.push(venue.archive()).overrides == .init(contested: 1))
        #expect(try await harness.send(.post, path, json: ["take": "source"]).status == .created)
        #expect(try await harness.properties(Self.shop)?["hours"] == "Sa 10:00-20:00")
        #expect(try await harness.overrides().isEmpty)
    }

    private static let cafe = EditedVenue.cafe

    @Test func `override: an archive that returns to what it said makes it quiet again`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        venue.set("hours", of: Self.shop, to: "off")
        #expect(try await harness.push(venue.archive()).overrides == .init(contested: 1))
        venue.set("hours", of: Self.shop, to: .string(Self.hours))
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.overrides == .init(quiet: 1))
        #expect(try await harness.overrides().map(\.source) == [.string(Self.hours)])
    }

    @Test func `override: formatting is never a conflict`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        let moved: JSONValue = ["type": "Point", "coordinates": [139.7007, 35.6007]]
        let response = try await harness.send(
            .patch, "/venues/mall/features/\(Handmade.id(EditedVenue.anchor))", json: ["geometry": moved])
        #expect(response.status == .created)
        var anchor = try #require(venue.features[EditedVenue.anchor]?.object)
        anchor["geometry"] = ["type": "Point", "coordinates": [139.700_500_04, 35.600_500_04]]
        venue.features[EditedVenue.anchor] = .object(anchor)
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.overrides == .init(quiet: 1))
        anchor["geometry"] = ["type": "Point", "coordinates": [139.700_700_04, 35.600_700_04]]
        venue.features[EditedVenue.anchor] = .object(anchor)
        #expect(try await harness.push(venue.archive()).overrides == .init(redundant: 1))
    }

    @Test func `override: a removed feature goes, and its override waits for it`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        let shop = venue.features[Self.shop]
        venue.features[Self.shop] = nil
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .published && upload.overrides == .init(orphaned: 1))
        #expect(try await harness.properties(Self.shop) == nil)
        #expect(try await harness.overrides().map(\.state) == [.orphaned])
        venue.features[Self.shop] = shop
        #expect(try await harness.push(venue.archive()).overrides == .init(quiet: 1))
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
    }

    @Test func `override: an orphaned one ends after twenty uploads`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        venue.features[Self.shop] = nil
        for number in 0...20 {
            venue.set("phone", of: EditedVenue.cafe, to: .string("+8131234567\(10 + number)"))
            #expect(try await harness.push(venue.archive()).overrides == .init(orphaned: 1), "\(number)")
            #expect(try await harness.overrides().count == (number < 20 ? 1 : 0), "\(number)")
        }
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == nil)
    }

    @Test func `override: a venue that asks stages an upload with contested ones`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        try await harness.set("overrides", to: "ask")
        venue.set("hours", of: Self.shop, to: "off")
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .staged && upload.reasons == ["overrides"] && upload.overrides == .init(contested: 1))
        #expect(try await harness.overrides().map(\.state) == [.quiet])
        let publish = try await harness.send(
            .post, "/uploads/\(upload.id)/publish", json: ["confirm": ["overrides"]])
        #expect(publish.status == .accepted || publish.status == .ok, "\(publish.text)")
        try await harness.work()
        #expect(try await harness.overrides().map(\.state) == [.contested])
        // It is known to be contested now, so the same source is not asked about again.
        venue.set("phone", of: EditedVenue.cafe, to: "+81312345678")
        #expect(try await harness.push(venue.archive()).state == .published)
    }

    @Test func `override: a venue that yields prefers a source that has changed`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        try await harness.set("overrides", to: "yield")
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
        venue.set("hours", of: Self.shop, to: "off")
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .published && upload.overrides == .init(yielded: 1))
        #expect(try await harness.properties(Self.shop)?["hours"] == "off")
        #expect(try await harness.overrides().isEmpty)
    }

    @Test func `override: the own export is unchanged and ends nothing, and the source export is what was uploaded`()
        async throws
    {
        let harness = Harness.current
        let venue = try await self.edited()
        try await harness.push(venue.archive(), to: "source")
        _ = try await harness.edit([["hide": Handmade.reference(EditedVenue.cafe)]])
        _ = try await harness.edit([
            [
                "add": Handmade.feature(
                    20, .unit, ["category": "room", "level_id": Handmade.reference(EditedVenue.level)],
                    geometry: Handmade.square(0.0003))
            ]
        ])
        let head = try await harness.head
        let path = "/venues/mall/revisions/\(head)/archive.zip"
        let export = Array(try await harness.send(.get, path).data)
        let again = try await harness.push(export)
        #expect(again.state == .unchanged && again.overrides == .init(quiet: 3))
        #expect(try await harness.overrides().count == 3)
        let source = Array(try await harness.send(.get, "\(path)?overrides=false").data)
        let untouched = try await harness.push(source, to: "source")
        #expect(untouched.state == .unchanged, "\(untouched)")
        #expect(try await harness.push(source).overrides == .init(quiet: 3))
    }

    @Test func `override: a rollback brings back the overrides of the revision`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        let entry = try #require(try await harness.overrides().first)
        _ = try await harness.send(.delete, "/venues/mall/overrides/\(entry.id)")
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 2]).status == .created)
        #expect(try await harness.overrides().map(\.id) == [entry.id])
        venue.set("category", of: Self.shop, to: "restaurant")
        #expect(try await harness.push(venue.archive()).overrides == .init(quiet: 1))
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
        let level = Handmade.id(EditedVenue.level).description
        let rollback = try await harness.send(
            .post, "/venues/mall/rollback", json: ["to": 1, "levels": [.string(level)]])
        #expect(rollback.status == .created, "\(rollback.text)")
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.properties(Self.shop)?["hours"] == .string(Self.hours))
    }

    @Test func `override: features are matched by what the source said about them`() async throws {
        let harness = Harness.current
        var venue = try await self.edited()
        _ = try await harness.patch(Self.shop, ["name": ["en": "Something else", "ja": .null]])
        _ = try await harness.edit([["hide": Handmade.reference(EditedVenue.cafe)]])
        // Both features get new ids, and are otherwise as before.
        for number in [Self.shop, EditedVenue.cafe] {
            var feature = try #require(venue.features.removeValue(forKey: number)?.object)
            feature["id"] = Handmade.reference(number + 100)
            venue.features[number + 100] = .object(feature)
        }
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.identity?.matched == 2, "\(upload)")
        #expect(upload.overrides == .init(quiet: 4))
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
        #expect(try await harness.properties(EditedVenue.cafe) == nil)
    }

    @Test func `override: it ends at its time, once`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let until = Timestamp.text(of: Date().addingTimeInterval(3_600))
        #expect(try await harness.patch(Self.shop, ["hours": "off"], "?until=\(until)").status == .created)
        try await harness.worker.endExpiredOverrides()
        #expect(try await harness.head == 2)
        _ = try await harness.store.pool.query("UPDATE feature_override SET expires_at = now() - interval '1 second'")
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<3 { tasks.addTask { try await harness.worker.endExpiredOverrides() } }
            try await tasks.waitForAll()
        }
        try await harness.worker.endExpiredOverrides()
        #expect(try await harness.head == 3)
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.properties(Self.shop)?["hours"] == .string(Self.hours))
        #expect(try await harness.get(Revision.self, "/venues/mall/revisions/3").kind == .edit)
    }
}
