import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Edits by OGC API – Features, Part 4.
@Suite(.server)
struct OGCEditTests {
    private static let items = "/ogc/mall/collections/occupant/items"
    private static let shop = "\(items)/\(Handmade.id(EditedVenue.shop))"
    private static let epsg4326 = "<http://www.opengis.net/def/crs/EPSG/0/4326>"

    private static func feature(_ properties: JSONValue, geometry: JSONValue = .null) -> JSONValue {
        ["type": "Feature", "geometry": geometry, "properties": properties]
    }

    @Test func `a patch of columns is the edit of the properties that they are made from`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let response = try await harness.send(
            .patch, "\(Self.shop)?message=New%20sign",
            json: ["properties": ["name_en": "Boots", "hours": "24/7", "level_id": .null]])
        let result = try response.decoded(EditResult.self)
        #expect(response.status == .ok && result.revision == 2 && result.changes.changed == 1)
        #expect(Set(result.overrides.map(\.pointer)) == ["/properties/name/en", "/properties/hours"])
        #expect(try await harness.properties(EditedVenue.shop)?["name"] == ["en": "Boots", "ja": "靴"])
        let revision = try await harness.get(Revision.self, "/venues/mall/revisions/2")
        #expect(revision.kind == .edit && revision.message == "New sign")
        // What the collection shows is sent back: no edit.
        let shown = try await harness.send(.get, Self.shop).json
        for method in [.put, .patch] as [HTTPRequest.Method] {
            let body: JSONValue = method == .put ? shown : ["properties": shown["properties"] ?? .null]
            #expect(try await harness.send(method, Self.shop, json: body).status == .ok)
        }
        #expect(try await harness.head == 2)
        // The same edit by the other address changes nothing more.
        #expect(try await harness.patch(EditedVenue.shop, ["name": ["en": "Boots"]]).status == .ok)
        let refused = try await harness.send(.patch, Self.shop, json: ["properties": ["name": "A", "name_en": "B"]])
        #expect(try refused.problem(422).type == "/problems/edit-refused")
        #expect(try refused.json["pointer"] == "/properties/name")
    }

    @Test func `an added feature has an address, and a replaced one nothing of the old one`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let properties: JSONValue = [
            "name_en": "Books", "name_ja": "本", "category": "books", "alt_name_en": .null,
            "anchor_id": Handmade.reference(EditedVenue.anchor),
        ]
        let added = try await harness.send(.post, Self.items, json: Self.feature(properties))
        #expect(added.status == .created)
        let location = try OGCFeaturesTests.path(try #require(added.headers[.location]))
        #expect(location.hasPrefix("\(Self.items)/"))
        let shown = try await harness.send(.get, location)
        #expect(shown.headers[.eTag] == added.headers[.eTag])
        #expect(try shown.json["properties"]?["name_ja"] == "本" && shown.json["properties"]?["name"] == "Books")
        let id = try #require(try shown.json["id"]?.string)
        let stored = try await harness.send(.get, "/venues/mall/features/\(id)").json
        #expect(stored["feature_type"] == "occupant" && stored["properties"]?["name"] == ["en": "Books", "ja": "本"])
        #expect(try await harness.overrides().map(\.kind) == [.added])
        let replaced = try await harness.send(
            .put, location,
            json: Self.feature([
                "name_en": "Books", "anchor_id": Handmade.reference(EditedVenue.anchor), "category": "cafe",
            ]))
        #expect(replaced.status == .ok)
        let after = try await harness.send(.get, "/venues/mall/features/\(id)").json
        #expect(after["properties"]?["name"] == ["en": "Books"] && after["properties"]?["category"] == "cafe")
        try await harness.send(.post, Self.items, json: shown.json).problem(409)
        // An added feature is removed, one of the source is hidden.
        #expect(try await harness.send(.delete, location).status == .ok)
        #expect(try await harness.overrides().isEmpty)
        #expect(try await harness.send(.delete, Self.shop).status == .ok)
        #expect(try await harness.overrides().map(\.kind) == [.hidden])
        try await harness.send(.get, Self.shop).problem(404)
        try await harness.send(.delete, Self.shop).problem(404)
        try await harness.push(EditedVenue().archive())
        try await harness.send(.get, Self.shop).problem(404)
        #expect(try await harness.verifiedReplica().features.count == EditedVenue().features.count - 1)
    }

    @Test func `features that others refer to are hidden with them, or not at all`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let unit = "/ogc/mall/collections/unit/items/\(Handmade.id(EditedVenue.unit))"
        let refused = try await harness.send(.delete, unit)
        #expect(try refused.problem(422).type == "/problems/edit-refused")
        #expect(try refused.json["dependents"]?.array?.isEmpty == false)
        let hidden = try await harness.send(.delete, "\(unit)?dependents=hide").decoded(EditResult.self)
        #expect(hidden.dependents.contains(Handmade.id(EditedVenue.shop)) && hidden.revision == 2)
    }

    @Test func `of two clients that change a feature, the later one has to fetch it again`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let tag = try #require(
            try await harness.send(.get, "\(Self.shop)?f=json&crs=\(Self.epsg4326.dropFirst().dropLast())").headers[
                .eTag])
        // Another feature is changed, so this one keeps its tag.
        _ = try await harness.patch(EditedVenue.cafe, ["phone": "+81312345678"])
        let first = try await harness.send(
            .patch, Self.shop, json: ["properties": ["hours": "off"]], headers: [.ifMatch: tag])
        #expect(first.status == .ok)
        let bodies: [(HTTPRequest.Method, JSONValue?)] = [
            (.patch, ["properties": ["hours": "24/7"]]), (.put, Self.feature(["hours": "24/7"])), (.delete, .none),
        ]
        for (method, body) in bodies {
            let headers: HTTPFields = [.ifMatch: tag]
            let response =
                if let body {
                    try await harness.send(method, Self.shop, json: body, headers: headers)
                } else {
                    try await harness.send(method, Self.shop, headers: headers)
                }
            #expect(try response.problem(412).type == "/problems/feature-changed", "\(method)")
        }
        // The tag that the edit returned is that of the feature now.
        let current = try #require(first.headers[.eTag])
        #expect(try await harness.send(.get, Self.shop, headers: [.ifNoneMatch: current]).status == .notModified)
        let again = try await harness.send(
            .patch, Self.shop, json: ["properties": ["hours": "24/7"]], headers: [.ifMatch: current])
        #expect(again.status == .ok)
        #expect(try await harness.send(.get, Self.shop, headers: [.ifNoneMatch: current]).status == .ok)
    }

    @Test func `a rollback restores the entity tag of a feature`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let tag = try await harness.send(.get, Self.shop).headers[.eTag]
        _ = try await harness.send(.patch, Self.shop, json: ["properties": ["hours": "off"]])
        #expect(try await harness.send(.get, Self.shop).headers[.eTag] != tag)
        #expect(try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1]).status == .created)
        #expect(try await harness.send(.get, Self.shop).headers[.eTag] == tag)
    }

    @Test func `geometries are read in the coordinate system of the request`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let anchor = "/ogc/mall/collections/anchor/items/\(Handmade.id(EditedVenue.anchor))"
        let crs = HTTPField.Name("Content-Crs")!
        let turned: JSONValue = ["type": "Point", "coordinates": [35.6002, 139.7002]]
        let response = try await harness.send(
            .patch, anchor, json: ["geometry": turned], headers: [crs: Self.epsg4326])
        #expect(response.status == .ok, "\(response.text)")
        #expect(try await harness.send(.get, anchor).json["geometry"]?["coordinates"] == [139.7002, 35.6002])
        let metres = try await harness.send(.get, "\(anchor)?crs=http://www.opengis.net/def/crs/EPSG/0/3857").json
        let back = try await harness.send(
            .put, anchor, json: metres, headers: [crs: "<http://www.opengis.net/def/crs/EPSG/0/3857>"])
        #expect(try back.status == .ok && back.decoded(EditResult.self).revision == 2, "\(back.text)")
        try await harness.send(.patch, anchor, json: [:], headers: [crs: "<x>"]).problem(400)
    }

    @Test func `options list what a key may do`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let reader = try await harness.makeKey(.read, for: ["mall"])
        let publisher = try await harness.makeKey(.publish, for: ["mall"])
        for (path, methods) in [
            (Self.items, "GET, HEAD, OPTIONS, POST"), (Self.shop, "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
        ] {
            let read = try await harness.send(.options, path, key: reader)
            #expect(read.status == .ok && read.headers[.allow] == "GET, HEAD, OPTIONS")
            #expect(try await harness.send(.options, path, key: publisher).headers[.allow] == methods)
            try await harness.send(.options, path, key: nil).problem(401)
        }
        for method in [.post, .put, .patch, .delete] as [HTTPRequest.Method] {
            let path = method == .post ? Self.items : Self.shop
            try await harness.send(method, path, key: reader, type: "application/json", body: Array("{}".utf8))
                .problem(403)
            try await harness.send(method, path, key: nil, type: "application/json", body: Array("{}".utf8))
                .problem(401)
        }
        let classes = try await harness.send(.get, "/ogc/mall/conformance").json["conformsTo"]?.array ?? []
        for name in ["create-replace-delete", "update", "optimistic-locking-etags", "features"] {
            #expect(classes.contains(.string("http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/\(name)")))
        }
    }

    @Test func `what is no feature of the collection is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let other = "/ogc/mall/collections/unit/items/\(Handmade.id(EditedVenue.shop))"
        let patch: JSONValue = ["properties": ["hours": "off"]]
        try await harness.send(.patch, other, json: patch).problem(404)
        try await harness.send(.delete, other).problem(404)
        try await harness.send(.put, "\(Self.items)/\(Handmade.id(77))", json: Self.feature([:])).problem(404)
        for query in ["revision=1", "f=json", "crs=x", "until=yesterday", "dry_run=1", "dependents=hide"] {
            try await harness.send(.patch, "\(Self.shop)?\(query)", json: patch).problem(400)
        }
        let refusals: [(JSONValue, String)] = [
            (["type": "FeatureCollection", "features": []], "/type"),
            (["type": "Feature", "feature_type": "unit", "geometry": .null], "/feature_type"),
            (Self.feature(["feature_type": "unit"]), "/properties/feature_type"),
            (["type": "Feature", "id": "7"], "/id"),
        ]
        for (body, pointer) in refusals {
            let response = try await harness.send(.post, Self.items, json: body)
            #expect(try response.problem(422).type == "/problems/edit-refused")
            #expect(try response.json["pointer"] == .string(pointer))
        }
        let wrong = try await harness.send(
            .put, Self.shop, json: ["type": "Feature", "id": Handmade.reference(1), "geometry": .null])
        #expect(try wrong.problem(422).type == "/problems/edit-refused")
        let planned = try await harness.send(.patch, "\(Self.shop)?dry_run=true", json: patch)
        #expect(try planned.status == .ok && planned.decoded(EditResult.self).revision == nil)
        #expect(planned.headers[.eTag] == nil)
        #expect(try await harness.head == 1)
    }
}
