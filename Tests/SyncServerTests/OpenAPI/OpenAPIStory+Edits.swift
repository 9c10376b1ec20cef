import HTTPTypes
import IMDF
import SyncModel
import TestSupport
import Testing

extension OpenAPIStory {
    private static let venue = "/venues/edited"

    private func edit(_ edit: JSONValue, _ members: JSONValue = [:], expecting status: Int) async throws {
        var body = members.object ?? [:]
        body["edits"] = [edit]
        _ = try await self.send(.post, "\(Self.venue)/edits", expecting: status, json: .object(body))
    }

    private func override(of number: Int) async throws -> String {
        let path = "\(Self.venue)/overrides?feature=\(Handmade.id(number))"
        let page = try await self.send(.get, path, expecting: 200)
        return try #require(page.json["overrides"]?.array?.first?["id"]?.string)
    }

    /// Edits of a venue, and decisions about them.
    func edit() async throws {
        var venue = EditedVenue()
        try await self.harness.push(venue.archive(), to: "edited")
        let shop = "\(Self.venue)/features/\(Handmade.id(EditedVenue.shop))"
        let patch: JSONValue = ["properties": ["hours": "24/7"]]
        _ = try await self.send(.patch, "\(shop)?dry_run=true", expecting: 200, json: patch)
        _ = try await self.send(.patch, "\(shop)?message=Open&base=1", expecting: 201, json: patch)
        _ = try await self.send(.patch, "\(shop)?base=1", expecting: 409, json: patch)
        _ = try await self.send(.patch, shop, expecting: 412, json: patch, headers: [.ifMatch: "\"x\""])
        _ = try await self.send(.patch, shop, expecting: 422, json: ["id": "x"])
        let hide: JSONValue = ["edits": [["hide": Handmade.reference(EditedVenue.shop)]]]
        let outdated: HTTPFields = [.ifMatch: "\"x\""]
        _ = try await self.send(.post, "\(Self.venue)/edits", expecting: 412, json: hide, headers: outdated)
        let nobody = "\(Self.venue)/features/\(Handmade.id(99))"
        _ = try await self.send(.patch, nobody, expecting: 404, json: patch)
        _ = try await self.send(.get, "\(shop)/history", expecting: 200)
        try await self.decide(&venue)
        try await self.editSeveral()
        try await self.editCollections()
        for path in ["", ".geojson", ".csv", "?limit=1", "?state=quiet"] {
            _ = try await self.send(.get, "\(Self.venue)/overrides\(path)", expecting: 200)
        }
        _ = try await self.send(.get, "\(Self.venue)/revisions", expecting: 200)
        _ = try await self.send(.get, "\(Self.venue)/revisions/1/archive.zip?overrides=false", expecting: 200)
    }

    /// Edits by OGC API – Features.
    private func editCollections() async throws {
        let items = "/ogc/edited/collections/occupant/items"
        let shop = "\(items)/\(Handmade.id(EditedVenue.shop))"
        let outdated: HTTPFields = [.ifMatch: "\"x\""]
        let patch: JSONValue = ["properties": ["name_en": "Boots"]]
        for path in [items, shop] { _ = try await self.send(.options, path, expecting: 200) }
        _ = try await self.send(.patch, "\(shop)?dry_run=true", expecting: 200, json: patch)
        _ = try await self.send(.patch, "\(shop)?message=Boots", expecting: 200, json: patch)
        let shown = try await self.send(.get, shop, expecting: 200).json
        let wrong: JSONValue = ["type": "Feature", "geometry": .null, "properties": ["feature_type": "unit"]]
        for (method, body) in [(.put, shown), (.patch, patch), (.delete, .none)]
            as [(HTTPRequest.Method, JSONValue?)]
        {
            _ = try await self.send(method, "\(shop)?base=1", expecting: 409, json: body)
            _ = try await self.send(method, shop, expecting: 412, json: body, headers: outdated)
            if body != nil { _ = try await self.send(method, shop, expecting: 422, json: wrong) }
        }
        _ = try await self.send(.put, shop, expecting: 200, json: shown)
        let anchor = try await self.send(.get, shop, expecting: 200).json["properties"]?["anchor_id"]?.string ?? ""
        _ = try await self.send(
            .delete, "/ogc/edited/collections/anchor/items/\(anchor)", expecting: 422)
        let new: JSONValue = [
            "type": "Feature", "geometry": .null,
            "properties": ["name_en": "New", "category": "restaurant", "anchor_id": .string(anchor)],
        ]
        _ = try await self.send(.post, "\(items)?dry_run=true", expecting: 200, json: new)
        _ = try await self.send(.post, items, expecting: 201, json: new)
        _ = try await self.send(.post, items, expecting: 409, json: shown)
        _ = try await self.send(.post, items, expecting: 422, json: wrong)
        _ = try await self.send(.delete, shop, expecting: 200)
    }

    /// Decisions about overrides that uploads contradict.
    private func decide(_ venue: inout EditedVenue) async throws {
        let id = try await self.override(of: EditedVenue.shop)
        let path = "\(Self.venue)/overrides/\(id)"
        _ = try await self.send(.get, path, expecting: 200)
        _ = try await self.send(.post, "\(path)/resolve", expecting: 409, json: ["take": "mine"])
        let outdated: HTTPFields = [.ifMatch: "\"x\""]
        _ = try await self.send(.post, "\(path)/resolve", expecting: 412, json: ["take": "mine"], headers: outdated)
        _ = try await self.send(.delete, path, expecting: 412, headers: outdated)
        for (hours, take, status) in [("off", "mine", 200), ("Mo off", "source", 201)] as [(JSONValue, JSONValue, Int)]
        {
            venue.set("hours", of: EditedVenue.shop, to: hours)
            let upload = try await self.harness.push(venue.archive(), to: "edited")
            _ = try await self.send(.get, "/uploads/\(upload.id)", expecting: 200)
            _ = try await self.send(.post, "\(path)/resolve", expecting: status, json: ["take": take])
        }
    }

    private func editSeveral() async throws {
        func occupant(_ number: Int, at anchor: Int) -> JSONValue {
            Handmade.feature(
                number, .occupant,
                ["name": ["en": "New"], "category": "restaurant", "anchor_id": Handmade.reference(anchor)])
        }
        let anchor = Handmade.feature(
            30, .anchor, ["unit_id": Handmade.reference(EditedVenue.unit)], geometry: Handmade.point)
        try await self.edit(["add": anchor], expecting: 201)
        try await self.edit(["add": occupant(31, at: 30)], ["dry_run": true], expecting: 200)
        try await self.edit(["add": occupant(31, at: 30)], expecting: 201)
        try await self.edit(["add": occupant(31, at: 30)], expecting: 409)
        try await self.edit(["add": occupant(32, at: 99)], expecting: 422)
        try await self.edit(["hide": Handmade.reference(99)], expecting: 404)
        let path = "\(Self.venue)/overrides/\(try await self.override(of: 30))"
        _ = try await self.send(.delete, path, expecting: 422)
        _ = try await self.send(.delete, "\(path)?base=1", expecting: 409)
        // The source removes a feature, so the end of its override changes nothing.
        try await self.edit(
            ["feature": Handmade.reference(EditedVenue.cafe), "patch": ["properties": ["hours": "off"]]], expecting: 201
        )
        var venue = EditedVenue()
        venue.features[EditedVenue.cafe] = nil
        try await self.harness.push(venue.archive(), to: "edited")
        let orphan = "\(Self.venue)/overrides/\(try await self.override(of: EditedVenue.cafe))"
        _ = try await self.send(.delete, orphan, expecting: 200)
        let added = "\(Self.venue)/overrides/\(try await self.override(of: 31))"
        _ = try await self.send(.delete, added, expecting: 201)
    }
}
