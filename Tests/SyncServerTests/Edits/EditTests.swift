import Foundation
import HTTPTypes
import IMDF
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct EditTests {
    private static let shop = EditedVenue.shop

    @Test func `edit of a feature makes a revision of the kind edit, which replicas verify`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let response = try await harness.patch(Self.shop, ["hours": "24/7"], "?message=Always%20open")
        #expect(response.status == .created && response.headers[.location] == "/venues/mall/revisions/2")
        let result = try response.decoded(EditResult.self)
        #expect(result.revision == 2 && result.base == 1 && result.changes.changed == 1)
        #expect(result.overrides.map(\.pointer) == ["/properties/hours"] && result.ended.isEmpty)
        #expect(result.overrides.map(\.value) == ["24/7"] && result.overrides.map(\.base) == ["Mo-Su 10:00-20:00"])
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
        let revision = try await harness.get(Revision.self, "/venues/mall/revisions/2")
        #expect(revision.kind == .edit && revision.message == "Always open" && !revision.changes.words.isEmpty)
        #expect(try await harness.verifiedReplica().features.count == EditedVenue().features.count)
        let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=2")
        #expect(diff.changes.map(\.classes) == [["hours"]])
        let history = try await harness.send(.get, "/venues/mall/features/\(Handmade.id(Self.shop))/history").json
        #expect(history["versions"]?.array?.map { $0["overrides"]?.array?.count } == [1, 0])
    }

    @Test func `edit that says what the feature says already makes no revision`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let response = try await harness.patch(Self.shop, ["hours": "Mo-Su 10:00-20:00", "website": .null])
        #expect(response.status == .ok)
        #expect(try await harness.head == 1)
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .created)
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .ok)
        #expect(try await harness.head == 2)
    }

    @Test func `dry run of an edit reports what would change, and changes nothing`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let response = try await harness.patch(Self.shop, ["hours": "24/7"], "?dry_run=true")
        let result = try response.decoded(EditResult.self)
        #expect(response.status == .ok && result.revision == nil && result.changes.changed == 1)
        #expect(try await harness.head == 1)
        #expect(try await harness.overrides().isEmpty)
    }

    @Test func `edit of one language leaves the other languages to the source`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        try await harness.push(venue.archive())
        _ = try await harness.patch(Self.shop, ["name": ["ja": "くつ"]])
        #expect(try await harness.overrides().map(\.pointer) == ["/properties/name/ja"])
        venue.set("name", of: Self.shop, to: ["en": "Shoes & Boots", "ja": "靴"])
        let upload = try await harness.push(venue.archive())
        #expect(upload.state == .published && upload.overrides == .init(quiet: 1))
        #expect(try await harness.properties(Self.shop)?["name"] == ["en": "Shoes & Boots", "ja": "くつ"])
    }

    @Test func `reverted edit restores the digest of the revision before`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let digest = try await harness.digest
        _ = try await harness.patch(
            Self.shop, ["hours": "24/7", "name": ["fr": "Souliers"], "website": "https://a.example"])
        #expect(try await harness.digest != digest)
        let reverted = try await harness.edit([["revert": Handmade.reference(Self.shop)]])
        #expect(reverted.status == .created)
        #expect(try await harness.digest == digest)
        #expect(try await harness.overrides().isEmpty)
    }

    @Test func `batch of edits is one revision, or nothing`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let good: JSONValue = ["feature": Handmade.reference(Self.shop), "patch": ["properties": ["hours": "24/7"]]]
        let bad: JSONValue = ["feature": Handmade.reference(99), "patch": ["properties": ["hours": "24/7"]]]
        let refused = try await harness.edit([good, bad])
        #expect(try refused.problem(404).type == "/problems/feature-not-found")
        #expect(try refused.json["pointer"] == "/edits/1/patch")
        #expect(try await harness.head == 1)
        #expect(try await harness.overrides().isEmpty)
        let other: JSONValue = [
            "feature": Handmade.reference(EditedVenue.cafe), "patch": ["properties": ["phone": "+81312345678"]],
        ]
        #expect(
            try await harness.edit([good, other], ["message": "Two"]).decoded(EditResult.self).changes.changed == 2)
        #expect(try await harness.head == 2)
    }

    @Test func `repeated edit with an id is answered with the first outcome`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let id: JSONValue = "11111111-1111-4111-8111-111111111111"
        let edit: JSONValue = ["feature": Handmade.reference(Self.shop), "patch": ["properties": ["hours": "24/7"]]]
        let first = try await harness.edit([edit], ["id": id])
        _ = try await harness.patch(Self.shop, ["hours": "off"])
        let second = try await harness.edit([edit], ["id": id])
        #expect(first.status == .created && second.status == .created)
        #expect(try first.json == second.json)
        #expect(try await harness.head == 3)
        #expect(try await harness.properties(Self.shop)?["hours"] == "off")
        let other = try await harness.edit([edit], ["id": id, "message": "Another"])
        #expect(try other.problem(409).type == "/problems/edit-id-reused")
    }

    @Test func `edit with If-Match is refused if somebody else changed the feature`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let path = "/venues/mall/features/\(Handmade.id(Self.shop))"
        let tag = try #require(try await harness.send(.get, path).headers[.eTag])
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"], headers: [.ifMatch: tag]).status == .created)
        let late = try await harness.patch(Self.shop, ["hours": "off"], headers: [.ifMatch: tag])
        #expect(try late.problem(412).type == "/problems/feature-changed")
        #expect(try await harness.properties(Self.shop)?["hours"] == "24/7")
        // Without the field the later one holds, and the log has both.
        #expect(try await harness.patch(Self.shop, ["hours": "off"]).status == .created)
        #expect(try await harness.head == 3)
        let stale = try await harness.patch(Self.shop, ["hours": "24/7"], "?base=2")
        #expect(try stale.problem(409).type == "/problems/head-moved")
    }

    @Test func `batch of edits with If-Match is refused if somebody else changed one of its features`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        func tag(_ number: Int) async throws -> String {
            try #require(try await harness.send(.get, "/venues/mall/features/\(Handmade.id(number))").headers[.eTag])
        }
        let tags = try await [tag(Self.shop), tag(EditedVenue.cafe)].joined(separator: ", ")
        let edits: [JSONValue] = [
            ["feature": Handmade.reference(Self.shop), "patch": ["properties": ["hours": "24/7"]]],
            ["hide": Handmade.reference(EditedVenue.cafe)],
        ]
        #expect(try await harness.patch(EditedVenue.cafe, ["hours": "off"]).status == .created)
        let late = try await harness.edit(edits, headers: [.ifMatch: tags])
        #expect(try late.problem(412).type == "/problems/feature-changed")
        #expect(try late.json["pointer"] == "/edits/1/hide")
        #expect(try await harness.head == 2)
        let current = try await [tag(Self.shop), tag(EditedVenue.cafe)].joined(separator: ", ")
        #expect(try await harness.edit(edits, headers: [.ifMatch: current]).status == .created)
    }

    @Test func `plus sign of a query parameter is a plus sign`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let query = "?message=2+1%20=%203&until=2099-12-24T18:00:00+09:00"
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"], query).status == .created)
        let entry = try #require(try await harness.overrides().first)
        #expect(entry.message == "2+1 = 3")
        #expect(entry.until == Timestamp.date(of: "2099-12-24T09:00:00Z"))
    }

    @Test(
        arguments: [
            (["id": "11111111-1111-4111-8111-111111111111"], "/id", nil),
            (["feature_type": "unit"], "/feature_type", nil), (["foo": 1], "/foo", nil),
            (["properties": nil], "/properties", "ST-17"),
            (["properties": ["anchor_id": "11111111-1111-4111-8111-111111111111"]], "/properties/anchor_id", "ST-14"),
            (["properties": ["anchor_id": "00000000-0000-4000-8000-000000000004"]], "/properties/anchor_id", "ST-15"),
            (["geometry": ["type": "Point", "coordinates": [139.7, 35.6]]], "/geometry", "GE-02"),
            (
                ["properties": ["display_point": ["type": "LineString", "coordinates": [[1, 2], [3, 4]]]]],
                "/properties/display_point", "PV-10"
            ),
        ] as [(JSONValue, String, String?)])
    func `edit that would break the venue is refused with its pointer and rule`(
        patch: JSONValue, pointer: String, rule: String?
    ) async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        var patch = patch
        if pointer == "/properties/anchor_id", rule == "ST-15" {
            patch = ["properties": ["anchor_id": Handmade.reference(EditedVenue.unit)]]
        }
        // An occupant has no display point.
        let feature = rule == "PV-10" ? EditedVenue.annex : Self.shop
        let response = try await harness.send(
            .patch, "/venues/mall/features/\(Handmade.id(feature))", json: patch)
        #expect(try response.problem(422).type == "/problems/edit-refused")
        #expect(try response.json["pointer"]?.string?.hasPrefix(pointer) == true, "\(response.text)")
        #expect(try response.json["rule"]?.string == rule, "\(response.text)")
        #expect(try await harness.head == 1)
        #expect(try await harness.overrides().isEmpty)
    }

    @Test func `editing takes the role publish`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let reader = try await harness.makeKey(.read, for: ["mall"])
        let publisher = try await harness.makeKey(.publish, named: "Ana", for: ["mall"])
        try await harness.patch(Self.shop, ["hours": "24/7"], key: reader).problem(403)
        try await harness.edit([["hide": Handmade.reference(Self.shop)]], key: reader).problem(403)
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"], key: publisher).status == .created)
        let entry = try #require(try await harness.overrides().first)
        #expect(entry.author == "Ana")
        for path in ["", "/\(entry.id)", ".geojson", ".csv"] {
            try await harness.send(.get, "/venues/mall/overrides\(path)", key: reader).problem(403)
            #expect(try await harness.send(.get, "/venues/mall/overrides\(path)", key: publisher).status == .ok)
        }
        let archive = "/venues/mall/revisions/2/archive.zip?overrides=false"
        try await harness.send(.get, archive, key: reader).problem(403)
        #expect(try await harness.send(.get, archive, key: publisher).status == .ok)
    }
}
