import Foundation
import IMDF
import SyncModel
import TestSupport
import Testing

/// `venue find`: searching a downloaded venue without a server.
@Suite(.serialized)
struct FindTests {
    private struct FindResult: Decodable {
        struct Place: Decodable {
            let name: String
            let level: String?
            let at: [Double]?
            let state: String
            let feature_type: String
        }

        let places: [Place]
    }

    private static func hasKatakana(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0x30A1...0x30F6).contains($0.value) }
    }

    @Test func `find finds rooms and floors as servers and apps do, and says when only similar spellings exist`()
        async throws
    {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let shared = try JSONDecoder().decode(
            JSONValue.self, from: Data(contentsOf: tests.appending(path: "Conformance/search.json")))
        func id(_ number: JSONValue?) throws -> JSONValue {
            let number = UInt64(try #require(number?.number))
            return .string(FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 | number).description)
        }
        let (rooms, folder) = (try #require(shared["rooms"]), workplace.folder.appending(path: "rooms"))
        var features: [JSONValue] = [
            ["id": try id(900), "type": "Feature", "feature_type": "venue", "geometry": nil, "properties": [:]]
        ]
        for feature in try #require(rooms["features"]?.array) {
            var properties = try #require(feature["properties"]?.object)
            if let level = feature["level"], !level.isNull { properties["level_id"] = try id(level) }
            if let buildings = feature["buildings"]?.array {
                properties["building_ids"] = .array(try buildings.map(id))
            }
            features.append([
                "id": try id(feature["number"]), "type": "Feature", "feature_type": feature["feature_type"] ?? .null,
                "geometry": nil, "properties": .object(properties),
            ])
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (type, group) in Dictionary(grouping: features, by: { $0["feature_type"]?.string ?? "" }) {
            let collection: JSONValue = ["type": "FeatureCollection", "features": .array(group)]
            try JSONEncoder().encode(collection).write(to: folder.appending(path: "\(type).geojson"))
        }
        let manifest: JSONValue = [
            "version": "1.0.0", "language": "en", "created": "2024-01-01T00:00:00Z", "generated_by": "hand",
        ]
        try JSONEncoder().encode(manifest).write(to: folder.appending(path: "manifest.json"))
        let file = workplace.path("rooms.sqlite")
        #expect(try await service.venue("push", folder.path, "--to", "mall", "--new").status == 0)
        #expect(try await service.venue("pull", "mall", "--into", file).status == 0)
        #expect(await service.stop() == 0)
        for search in try #require(rooms["cases"]?.array) {
            let text = try #require(search["text"]?.string)
            let found = try await VenueProgram.run(["find", file, text, "--json"])
            let places = try JSONDecoder().decode(JSONValue.self, from: Data(found.output.utf8))["places"]?.array
            let expected = try #require(search["related"]?.array).compactMap { $0.array }
            let ids = try expected.map { try id($0[0]) }
            #expect(places?.map { $0["id"] ?? .null } == ids, "“\(text)”")
            #expect(places?.map { $0["match"] ?? .null } == expected.map { $0[1] }, "“\(text)”")
        }
        let similar = try await VenueProgram.run(["find", file, "gaet d12"])
        #expect(similar.status == 0 && similar.output.hasPrefix("Gate D12"))
        #expect(similar.complaint.contains("no feature matches “gaet d12”; similar spellings:"))
    }

    @Test func `find searches offline by part of a name in either kana, and by opening hours`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let (archive, file) = (workplace.path("v1.zip"), workplace.path("mall.sqlite"))
        #expect(try await service.venue("generate", "-o", archive, "--levels", "2", "--units", "40").status == 0)
        #expect(try await service.venue("push", archive, "--to", "mall", "--new").status == 0)
        #expect(try await service.venue("set", "mall", "time_zone=Asia/Tokyo").status == 0)
        #expect(try await service.venue("pull", "mall", "--into", file).status == 0)
        #expect(await service.stop() == 0)

        func find(_ arguments: String...) async throws -> FindResult {
            let found = try await VenueProgram.run(["find", file] + arguments + ["--json"])
            let result = try JSONDecoder().decode(FindResult.self, from: Data(found.output.utf8))
            #expect(found.status == (result.places.isEmpty ? 4 : 0), "\(found.complaint)")
            return result
        }
        // All shops of the sample are open by day; at four in the morning in Tokyo all are closed.
        let (noon, night) = ("2026-04-08T03:00:00Z", "2026-04-07T19:00:00Z")
        let shops = try await find("shop", "--language", "ja", "--limit", "500", "--at", noon).places
        #expect(shops.count > 5 && shops.allSatisfy { $0.at?.count == 2 })
        #expect(shops.filter { $0.feature_type == "occupant" }.allSatisfy { $0.level != nil })
        #expect(Set(shops.map(\.state)).isSuperset(of: ["open"]))
        let open = try await find("shop", "--open", "--language", "ja", "--limit", "500", "--at", noon).places
        #expect(open.map(\.name) == shops.filter { $0.state == "open" }.map(\.name) && !open.isEmpty)
        #expect(try await find("shop", "--open", "--at", night).places.count < open.count)
        #expect(try await find("shop", "--limit", "2").places.count == 2)

        let kana = try #require(shops.first { $0.state == "open" && Self.hasKatakana($0.name) })
        let hiragana = String(
            String.UnicodeScalarView(
                kana.name.unicodeScalars.map { scalar in
                    (0x30A1...0x30F6).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0x60) ?? scalar : scalar
                }))
        #expect(try await find(hiragana, "--language", "ja", "--at", noon).places.first?.name == kana.name)

        let table = try await VenueProgram.run(["find", file, kana.name, "--language", "ja", "--at", noon])
        #expect(table.status == 0 && table.output.hasPrefix(kana.name) && table.output.contains("open"))
        #expect(try await find("no such name anywhere").places.isEmpty)
        #expect(try await VenueProgram.run(["find", file, "no such name anywhere"]).status == 4)
        #expect(try await VenueProgram.run(["find", workplace.path("none.sqlite"), "shop"]).status == 1)
        #expect(try await VenueProgram.run(["find", archive, "shop"]).status == 1)
        #expect(try await VenueProgram.run(["find", file, "shop", "--at", "noon"]).status == 64)
        #expect(try await VenueProgram.run(["find", file, "shop", "--limit", "0"]).status == 64)
    }
}
