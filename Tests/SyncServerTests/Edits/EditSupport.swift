import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SyncModel
import TestSupport
import Testing

/// A small venue whose features the tests of edits change, one archive after the other.
struct EditedVenue {
    var features: [Int: JSONValue]

    static let address = 1, venue = 2, level = 3, unit = 4, anchor = 5, shop = 6, cafe = 7, annex = 8

    init() {
        let point = Handmade.point
        func reference(_ number: Int) -> JSONValue { Handmade.reference(number) }
        self.features = [
            Self.address: Handmade.feature(
                Self.address, .address,
                ["address": "1 Ginza", "locality": "Tokyo", "country": "JP", "province": .null]),
            Self.venue: Handmade.feature(
                Self.venue, .venue,
                [
                    "name": ["en": "Mall"], "category": "shoppingcenter", "address_id": reference(Self.address),
                    "display_point": point,
                ], geometry: Handmade.square()),
            Self.level: Handmade.feature(
                Self.level, .level,
                [
                    "name": ["en": "Ground"], "short_name": ["en": "G"], "ordinal": 0, "outdoor": false,
                    "category": "unspecified",
                ], geometry: Handmade.square()),
            Self.unit: Handmade.feature(
                Self.unit, .unit, ["category": "retail", "level_id": reference(Self.level)],
                geometry: Handmade.square(0.0005)),
            Self.anchor: Handmade.feature(
                Self.anchor, .anchor, ["unit_id": reference(Self.unit), "address_id": .null], geometry: point),
            Self.shop: Handmade.feature(
                Self.shop, .occupant,
                [
                    "name": ["en": "Shoes", "ja": "靴"], "category": "shoestore", "hours": "Mo-Su 10:00-20:00",
                    "phone": .null, "anchor_id": reference(Self.anchor),
                ]),
            Self.cafe: Handmade.feature(
                Self.cafe, .occupant,
                [
                    "name": ["en": "Cafe"], "category": "restaurant", "hours": "Mo-Su 08:00-18:00",
                    "anchor_id": reference(Self.anchor),
                ]),
            Self.annex: Handmade.feature(
                Self.annex, .unit, ["category": "retail", "level_id": reference(Self.level)],
                geometry: Handmade.square(0.0004)),
        ]
    }

    func archive() throws -> [UInt8] {
        try Handmade.zip(self.features.sorted { $0.key < $1.key }.map(\.value))
    }

    mutating func set(_ property: String, of number: Int, to value: JSONValue) {
        guard var feature = self.features[number]?.object, var properties = feature["properties"]?.object else {
            return
        }
        properties[property] = value
        feature["properties"] = .object(properties)
        self.features[number] = .object(feature)
    }
}

extension Harness {
    func patch(
        _ number: Int, _ properties: JSONValue, _ query: String = "", key: String = Self.adminKey,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await self.send(
            .patch, "/venues/mall/features/\(Handmade.id(number))\(query)", json: ["properties": properties], key: key,
            headers: headers)
    }

    func edit(
        _ edits: [JSONValue], _ members: JSONValue = [:], key: String = Self.adminKey, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var body = members.object ?? [:]
        body["edits"] = .array(edits)
        return try await self.send(.post, "/venues/mall/edits", json: .object(body), key: key, headers: headers)
    }

    /// The properties of a feature of the newest revision; nil if there is no such feature.
    func properties(_ number: Int) async throws -> JSONValue? {
        let response = try await self.send(.get, "/venues/mall/features/\(Handmade.id(number))")
        guard response.status == .ok else { return .none }
        return try response.json["properties"]
    }

    func overrides(_ query: String = "") async throws -> [OverrideEntry] {
        let response = try await self.send(.get, "/venues/mall/overrides\(query)")
        try #require(response.status == .ok, "\(response.text)")
        struct Page: Decodable { let overrides: [OverrideEntry] }
        return try response.decoded(Page.self).overrides
    }

    var head: Int64 { get async throws { try await self.get(Venue.self, "/venues/mall").head } }
    var digest: Digest { get async throws { try await self.get(Venue.self, "/venues/mall").digest } }

    /// A new replica of the venue, whose digests are verified.
    func verifiedReplica() async throws -> Replica {
        var replica = Replica()
        try replica.apply(try await self.pages().flatMap(\.blocks))
        return replica
    }
}
