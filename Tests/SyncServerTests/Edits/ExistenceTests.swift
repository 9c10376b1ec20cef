import Foundation
import HTTPTypes
import IMDF
import Ingestion
import SyncModel
import TestSupport
import Testing

/// Features that edits add or hide.
@Suite(.server)
struct ExistenceTests {
    private static let kiosk: JSONValue = Handmade.feature(
        20, .unit, ["category": "room", "level_id": Handmade.reference(EditedVenue.level)],
        geometry: Handmade.square(0.0003))

    @Test func `hidden feature stays hidden through uploads, and is shown again`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        let digest = try await harness.digest
        let hidden = try await harness.edit([["hide": Handmade.reference(EditedVenue.cafe)]])
        #expect(hidden.status == .created)
        #expect(try hidden.decoded(EditResult.self).changes.removed == 1)
        #expect(try await harness.properties(EditedVenue.cafe) == nil)
        venue.set("hours", of: EditedVenue.cafe, to: "24/7")
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.overrides == .init(quiet: 1))
        let shown = try await harness.edit([["show": Handmade.reference(EditedVenue.cafe)]])
        #expect(shown.status == .created)
        #expect(try await harness.properties(EditedVenue.cafe)?["hours"] == "24/7")
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.digest != digest)
        _ = try await harness.verifiedReplica()
    }

    @Test func `hidden feature that one upload lacks stays hidden when the next one has it again`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        let edit: JSONValue = ["hide": Handmade.reference(EditedVenue.unit), "dependents": "hide"]
        #expect(try await harness.edit([edit]).status == .created)
        let before = venue.features
        for number in [EditedVenue.unit, EditedVenue.anchor, EditedVenue.cafe, EditedVenue.shop] {
            venue.features[number] = nil
        }
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.overrides == .init(orphaned: 4))
        #expect(try await harness.overrides().allSatisfy { $0.kind == .hidden && $0.state == .orphaned })
        venue.features = before
        let next = try await harness.push(venue.archive())
        #expect(next.state == .unchanged && next.overrides == .init(quiet: 4))
        #expect(try await harness.overrides().allSatisfy { $0.kind == .hidden && $0.state == .quiet })
        #expect(try await harness.properties(EditedVenue.cafe) == nil)
        _ = try await harness.verifiedReplica()
    }

    @Test func `hidden feature that is missing is added by an edit, or its hiding is ended`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        let hide: JSONValue = ["hide": Handmade.reference(EditedVenue.cafe)]
        #expect(try await harness.edit([hide]).status == .created)
        let cafe = try #require(venue.features[EditedVenue.cafe])
        venue.features[EditedVenue.cafe] = nil
        #expect(try await harness.push(venue.archive()).overrides == .init(orphaned: 1))
        #expect(try await harness.edit([hide]).status == .notFound)
        #expect(try await harness.edit([["add": cafe]]).status == .created)
        #expect(try await harness.overrides().map(\.kind) == [.added])
        venue.features[EditedVenue.cafe] = cafe
        #expect(try await harness.push(venue.archive()).overrides == .init(redundant: 1))
        #expect(try await harness.edit([hide]).status == .created)
        venue.features[EditedVenue.cafe] = nil
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(orphaned: 1))
        #expect(try await harness.edit([["show": Handmade.reference(EditedVenue.cafe)]]).status == .ok)
        #expect(try await harness.overrides().isEmpty)
        venue.features[EditedVenue.cafe] = cafe
        #expect(try await harness.push(venue.archive()).overrides == nil)
        #expect(try await harness.properties(EditedVenue.cafe) != nil)
    }

    @Test func `hiding of a feature ends when twenty uploads lack it`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        _ = try await harness.edit([["hide": Handmade.reference(EditedVenue.cafe)]])
        venue.features[EditedVenue.cafe] = nil
        for number in 0...20 {
            venue.set("phone", of: EditedVenue.shop, to: .string("+8131234567\(10 + number)"))
            #expect(try await harness.push(venue.archive()).overrides == .init(orphaned: 1), "\(number)")
            #expect(try await harness.overrides().count == (number < 20 ? 1 : 0), "\(number)")
        }
    }

    @Test func `feature that others refer to is hidden with them or not at all`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let refused = try await harness.edit([["hide": Handmade.reference(EditedVenue.unit)]])
        try refused.problem(422)
        #expect(try refused.json["rule"] == "ST-14")
        #expect(try refused.json["pointer"] == "/edits/0/hide")
        #expect(try refused.json["dependents"] == [Handmade.reference(EditedVenue.anchor)])
        #expect(try refused.json["detail"] == "1 feature refers to what would disappear.")
        let edit: JSONValue = ["hide": Handmade.reference(EditedVenue.unit), "dependents": "hide"]
        let planned = try await harness.edit([edit], ["dry_run": true]).decoded(EditResult.self)
        #expect(planned.dependents.count == 3 && planned.changes.removed == 4)
        #expect(try await harness.head == 1)
        #expect(try await harness.edit([edit]).status == .created)
        #expect(try await harness.overrides().count == 4)
        #expect(try await harness.overrides().allSatisfy { $0.level == Handmade.id(EditedVenue.level) })
        #expect(try await harness.verifiedReplica().features.count == EditedVenue().features.count - 4)
    }

    @Test func `feature is not shown while a feature to which it refers is hidden`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let hide: JSONValue = ["hide": Handmade.reference(EditedVenue.unit), "dependents": "hide"]
        #expect(try await harness.edit([hide]).status == .created)
        let entry = try #require(try await harness.overrides("?feature=\(Handmade.id(EditedVenue.cafe))").first)
        let removal = try await harness.send(.delete, "/venues/mall/overrides/\(entry.id)")
        try removal.problem(422)
        #expect(try removal.json["rule"] == "ST-14")
        try await harness.edit([["show": Handmade.reference(EditedVenue.cafe)]]).problem(422)
        let shown = [EditedVenue.unit, EditedVenue.anchor, EditedVenue.cafe].map { number -> JSONValue in
            ["show": Handmade.reference(number)]
        }
        #expect(try await harness.edit(shown).status == .created)
        #expect(try await harness.overrides().map(\.feature) == [Handmade.id(EditedVenue.shop)])
    }

    @Test func `feature that an upload brings is hidden as long as one to which it refers`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        let until = Date().addingTimeInterval(3_600)
        let hide: JSONValue = ["hide": Handmade.reference(EditedVenue.unit), "dependents": "hide"]
        let members: JSONValue = ["until": .string(Timestamp.text(of: until))]
        #expect(try await harness.edit([hide], members).status == .created)
        // A shop on a new anchor in the hidden unit.
        venue.features[40] = Handmade.feature(
            40, .anchor, ["unit_id": Handmade.reference(EditedVenue.unit), "address_id": .null],
            geometry: Handmade.point)
        venue.features[41] = Handmade.feature(
            41, .occupant, ["name": ["en": "New"], "category": "shoestore", "anchor_id": Handmade.reference(40)])
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .unchanged && upload.overrides == .init(quiet: 6))
        #expect(try await harness.overrides().allSatisfy { $0.level == Handmade.id(EditedVenue.level) })
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 6))
        try await harness.worker.endExpiredOverrides(at: until)
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.verifiedReplica().features.count == venue.features.count)
        #expect(try await harness.properties(41)?["anchor_id"] == Handmade.reference(40))
    }

    @Test func `feature whose hiding ends stays hidden as long as one to which it refers`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let (first, second) = (Date().addingTimeInterval(3_600), Date().addingTimeInterval(7_200))
        func hide(_ number: Int, until: Date) async throws {
            let edit: JSONValue = ["hide": Handmade.reference(number), "dependents": "hide"]
            let members: JSONValue = ["until": .string(Timestamp.text(of: until))]
            #expect(try await harness.edit([edit], members).status == .created)
        }
        try await hide(EditedVenue.cafe, until: first)
        try await hide(EditedVenue.unit, until: second)
        try await harness.worker.endExpiredOverrides(at: first)
        #expect(try await harness.properties(EditedVenue.cafe) == nil)
        #expect(try await harness.overrides().count == 4)
        try await harness.worker.endExpiredOverrides(at: second)
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.verifiedReplica().features.count == EditedVenue().features.count)
    }

    @Test func `end of an added feature ends the edits that refer to it`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let until = Date().addingTimeInterval(3_600)
        let anchor = Handmade.feature(
            22, .anchor, ["unit_id": Handmade.reference(EditedVenue.unit), "address_id": .null],
            geometry: Handmade.point)
        let members: JSONValue = ["until": .string(Timestamp.text(of: until))]
        #expect(try await harness.edit([["add": anchor]], members).status == .created)
        let stall = Handmade.feature(
            23, .occupant, ["name": ["en": "Stall"], "category": "restaurant", "anchor_id": Handmade.reference(22)])
        #expect(try await harness.edit([["add": stall]]).status == .created)
        #expect(
            try await harness.patch(EditedVenue.shop, ["anchor_id": Handmade.reference(22), "hours": "off"]).status
                == .created)
        try await harness.worker.endExpiredOverrides(at: until)
        #expect(try await harness.overrides().map(\.pointer) == ["/properties/hours"])
        #expect(try await harness.properties(EditedVenue.shop)?["anchor_id"] == Handmade.reference(EditedVenue.anchor))
        #expect(try await harness.properties(23) == nil)
    }

    @Test func `rule of reused ids does not concern features that an edit hides`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        #expect(try await harness.edit([["hide": Handmade.reference(EditedVenue.cafe)]]).status == .created)
        venue.set("hours", of: EditedVenue.shop, to: "24/7")
        func reused(_ upload: Upload) async throws -> [JSONValue] {
            let findings = try await harness.send(.get, "/uploads/\(upload.id)/findings?limit=1000").json["findings"]
            return try #require(findings?.array).filter { $0["rule"] == "RV-06" }
        }
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .published)
        #expect(try await reused(upload) == [])
        // An id that the source itself removed is reported.
        let shop = venue.features.removeValue(forKey: EditedVenue.shop)
        try await harness.push(venue.archive())
        venue.features[EditedVenue.shop] = shop
        #expect(
            try await reused(harness.push(venue.archive())).map { $0["feature_id"] } == [
                Handmade.reference(EditedVenue.shop)
            ])
    }

    @Test func `added feature holds until the source brings it itself`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        let added = try await harness.edit([["add": Self.kiosk]])
        #expect(added.status == .created)
        #expect(try added.decoded(EditResult.self).changes.added == 1)
        let entry = try #require(try await harness.overrides().first)
        #expect(entry.kind == .added && entry.pointer.isEmpty && entry.level == Handmade.id(EditedVenue.level))
        #expect(try await harness.push(venue.archive(), query: "?message=again").overrides == .init(quiet: 1))
        #expect(try await harness.patch(20, ["name": ["en": "Kiosk"]]).status == .created)
        #expect(try await harness.overrides().map(\.kind) == [.added])
        // The source adds the unit under an id of its own.
        var kiosk = try #require(Self.kiosk.object)
        kiosk["id"] = Handmade.reference(21)
        venue.features[21] = .object(kiosk)
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .published && upload.overrides == .init(redundant: 1), "\(upload)")
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.properties(20)?["name"] == nil)
        #expect(try await harness.properties(20)?["category"] == "room")
    }

    @Test func `added feature must not exist, and must obey the rules`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let exists = try await harness.edit([["add": Handmade.feature(EditedVenue.annex, .unit)]])
        #expect(try exists.problem(409).type == "/problems/feature-exists")
        let point = try await harness.edit([["add": Handmade.feature(20, .unit, geometry: Handmade.point)]])
        try point.problem(422)
        #expect(try point.json["rule"] == "GE-01")
        #expect(try point.json["pointer"]?.string?.hasPrefix("/edits/0/add/geometry") == true, "\(point.text)")
        let dangling = try await harness.edit([
            ["add": Handmade.feature(20, .occupant, ["anchor_id": Handmade.reference(99)])]
        ])
        #expect(try dangling.json["rule"] == "ST-14")
        #expect(try dangling.json["pointer"] == "/edits/0/add/properties/anchor_id")
        let second = try await harness.edit([["add": Handmade.feature(20, .venue)]])
        #expect(try second.json["rule"] == "ST-16")
        #expect(try await harness.head == 1)
    }

    @Test func `edit of a reference moves a feature to another level`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        let upper = Handmade.feature(
            30, .level, ["name": ["en": "First"], "short_name": ["en": "1"], "ordinal": 1, "category": "unspecified"],
            geometry: Handmade.square())
        venue.features[30] = upper
        try await harness.push(venue.archive())
        let response = try await harness.patch(EditedVenue.annex, ["level_id": Handmade.reference(30)])
        #expect(response.status == .created, "\(response.text)")
        let entry = try #require(try await harness.overrides().first)
        #expect(entry.level == Handmade.id(30))
        let levels = try await harness.get(Venue.self, "/venues/mall").levels
        #expect(levels.first { $0.level == Handmade.id(30) }?.features == 1)
        #expect(try await harness.push(venue.archive(), query: "?message=again").state == .unchanged)
        _ = try await harness.verifiedReplica()
    }

    @Test func `exports of overrides have a line and a feature for each`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        _ = try await harness.edit([["add": Self.kiosk]], ["message": "=1+1, \"quoted\""])
        _ = try await harness.patch(EditedVenue.annex, ["category": "room"])
        let collection = try await harness.send(.get, "/venues/mall/overrides.geojson")
        #expect(collection.headers[.contentType] == "application/geo+json")
        let features = try #require(try collection.json["features"]?.array)
        #expect(features.count == 2 && features.allSatisfy { $0["geometry"]?["type"] == "Polygon" })
        let table = try await harness.send(.get, "/venues/mall/overrides.csv").text
        #expect(table.split(separator: "\r\n").count == 3)
        #expect(table.contains("\"'=1+1, \"\"quoted\"\"\""))
        let none = try await harness.send(.get, "/venues/mall/overrides.geojson?state=orphaned")
        #expect(try none.json["features"]?.array?.isEmpty == true)
    }
}
