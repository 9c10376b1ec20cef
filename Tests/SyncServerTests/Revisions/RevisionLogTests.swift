import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct RevisionLogTests {
    @Test func `revision log is paged with the newest first`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        for seed in 1...5 as ClosedRange<UInt64> {
            try await harness.push(venue.archive(), query: "?message=number%20\(seed)")
            venue = venue.edited(Edit(.rename, 1), seed: seed)
        }
        var next: String? = "/venues/mall/revisions?limit=2"
        var numbers: [Int] = []
        var sizes: [Int] = []
        while let path = next {
            let page = try await harness.send(.get, path).json
            #expect(page.keys.isSuperset(of: ["revisions", "next"]))
            let revisions = try #require(page["revisions"]?.array)
            numbers += revisions.compactMap { $0["number"]?.number.map { Int($0) } }
            sizes.append(revisions.count)
            next = page["next"]?.string
        }
        #expect(numbers == [5, 4, 3, 2, 1] && sizes == [2, 2, 1])
        for query in ["limit=0", "limit=ten", "limit=-2"] {
            try await harness.send(.get, "/venues/mall/revisions?\(query)").problem(400)
        }
    }

    @Test func `revision has its author, time, message and changes`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let key = try await harness.makeKey(.publish, named: "ops key")
        try await harness.push(venue.edited(Edit(.add, 3)).archive(), query: "?message=Spring", key: key)
        let revision = try await harness.send(.get, "/venues/mall/revisions/2").json
        let members: Set = [
            "number", "kind", "restores", "author", "message", "published_at", "features", "digest", "changes",
        ]
        #expect(revision.keys.isSuperset(of: members))
        #expect(revision["number"] == 2 && revision["kind"] == "upload" && revision["restores"]?.isNull == true)
        #expect(revision["author"] == "ops key" && revision["message"] == "Spring")
        #expect(revision["features"]?.number == Double(venue.features.count + 6))
        let current = try await harness.get(Venue.self, "/venues/mall")
        #expect(revision["digest"]?.string == current.digest.description)
        let changes = try #require(revision["changes"])
        #expect(changes["added"] == 6 && changes["changed"] == 0 && changes["removed"] == 0)
        let log = try await harness.send(.get, "/venues/mall/revisions").json
        #expect(log["revisions"]?.array?.first == revision && log["next"]?.isNull == true)
        for number in ["3", "0", "-1", "two"] {
            try await harness.send(.get, "/venues/mall/revisions/\(number)").problem(404)
        }
    }

    @Test func `change descriptions are in the language of the request`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let upload = try await harness.push(SampleVenue.tiny.edited(Edit(.add, 3)).archive())
        let cases: [(accepted: String?, isJapanese: Bool)] = [
            (nil, false), ("en", false), ("ja", true), ("ja-JP,en;q=0.8", true), ("en;q=0.9,ja;q=0.2", false),
            ("fr,ja;q=0.5", true), ("fr", false), (";;;q=x,,", false),
        ]
        for (accepted, isJapanese) in cases {
            var headers: HTTPFields = [:]
            if let accepted { headers[.acceptLanguage] = accepted }
            func descriptions(of path: String) async throws -> [String] {
                let response = try await harness.send(.get, path, headers: headers).json
                let list = response["changes"]?["words"] ?? response["words"]
                return try #require(list?.array).compactMap(\.string)
            }
            let log = try await descriptions(of: "/venues/mall/revisions/2")
            #expect(log.contains { $0.hasPrefix("3 shops opened") } == !isJapanese, "\(accepted ?? "none"): \(log)")
            #expect(log.contains { $0.contains("店舗") } == isJapanese, "\(accepted ?? "none"): \(log)")
            #expect(try await descriptions(of: "/uploads/\(upload.id)") == log)
            #expect(try await descriptions(of: "/venues/mall/diff?from=1&to=2") == log)
        }
    }

    @Test func `change descriptions: responses with them vary with the language, for caches too`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let upload = try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        let paths = [
            "/venues/mall/revisions", "/venues/mall/revisions/2", "/venues/mall/diff?from=1&to=2",
            "/uploads/\(upload.id)",
        ]
        for isPublic in [false, true] {
            try await harness.set("public", to: .bool(isPublic))
            for path in paths {
                let response = try await harness.send(.get, path)
                #expect(response.parts(of: .vary).isSuperset(of: ["accept-language", "accept-encoding"]), "\(path)")
            }
        }
        for request in [["to": 1, "dry_run": true], ["to": 1]] as [JSONValue] {
            let response = try await harness.send(.post, "/venues/mall/rollback", json: request)
            #expect(response.parts(of: .vary).contains("accept-language"))
        }
    }

    /// Two floors with the same short name in two buildings, with a unit on each.
    private func twoBuildings(unitName: String, southernName: String = "South") throws -> [UInt8] {
        func labels(_ text: String, _ japanese: String) -> JSONValue { ["en": .string(text), "ja": .string(japanese)] }
        let names = [("North", "北館"), (southernName, "南館")]
        let parts = names.enumerated().flatMap { index, name in
            [
                Handmade.feature(
                    10 + index, .building,
                    ["name": labels(name.0, name.1), "category": "unspecified", "alt_name": nil, "display_point": nil]),
                Handmade.feature(
                    20 + index, .level,
                    [
                        "category": "unspecified", "ordinal": 0, "outdoor": false, "name": labels("Floor 1", "1階"),
                        "short_name": labels("1F", "1F"), "building_ids": [Handmade.reference(10 + index)],
                    ], geometry: Handmade.square()),
                Handmade.feature(
                    30 + index, .unit,
                    [
                        "category": "room", "name": labels(unitName, unitName),
                        "level_id": Handmade.reference(20 + index),
                    ], geometry: Handmade.square()),
            ]
        }
        let venue = Handmade.feature(
            1, .venue, ["category": "shoppingcenter", "name": labels("Twins", "双子")], geometry: Handmade.square(0.01))
        return try Handmade.zip([venue] + parts)
    }

    @Test func `change descriptions say what a person would: shops that swap units, translations, types and numbers`()
        async throws
    {
        let harness = Harness.current
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 12, seed: 3))
        func index(of id: JSONValue?) -> Int? { venue.features.firstIndex { .string($0.id.description) == id } }
        let anchors = venue.features.indices.filter { venue.features[$0].type == .occupant }
            .compactMap { index(of: venue.features[$0]["anchor_id"]) }
        let first = try #require(anchors.first)
        let second = try #require(anchors.first { venue.features[$0]["unit_id"] != venue.features[first]["unit_id"] })
        let level = try #require(venue.features.firstIndex { $0.type == .level })
        let occupant = try #require(venue.features.firstIndex { $0.type == .occupant })
        let floor = try #require(venue.features[level]["short_name"]?["en"]?.string)
        let edits: [(sentence: String, japanese: String, edit: (inout SampleVenue) -> Void)] = [
            (
                "2 shops moved within \(floor)", "\(floor)内で店舗が2件移動",
                { venue in
                    let unit = venue.features[first]["unit_id"]
                    venue.features[first]["unit_id"] = venue.features[second]["unit_id"]
                    venue.features[second]["unit_id"] = unit
                }
            ),
            (
                "1 shop with other translations on \(floor)", "\(floor)の店舗1件の翻訳を変更",
                { venue in
                    var name = venue.features[occupant]["name"]?.object ?? JSONObject([])
                    name["fi"] = "Kauppa"
                    venue.features[occupant]["name"] = .object(name)
                }
            ),
            (
                "Floor renumbered: \(floor)", "フロアの階番号を変更：\(floor)",
                { $0.features[level]["ordinal"] = 7 }
            ),
        ]
        try await harness.push(venue.archive())
        for (number, (sentence, japanese, edit)) in edits.enumerated() {
            var edited = venue
            edit(&edited)
            let staged = try await harness.push(edited.archive(), query: "?publish=hold")
            #expect(
                try await harness.send(.get, "/uploads/\(staged.id)").json["changes"]?["words"]
                    == [.string(sentence)])
            try await harness.push(edited.archive())
            let to = 2 * number + 2
            for (language, expected) in [("en", sentence), ("ja", japanese)] {
                for path in ["/venues/mall/revisions/\(to)", "/venues/mall/diff?from=1&to=\(to)"] {
                    let response = try await harness.send(.get, path, headers: [.acceptLanguage: language]).json
                    #expect((response["changes"]?["words"] ?? response["words"]) == [.string(expected)], "\(path)")
                }
            }
            try await harness.push(venue.archive())
        }
    }

    @Test func `change descriptions name the buildings of floors that have the same short name`() async throws {
        let harness = Harness.current
        try await harness.push(self.twoBuildings(unitName: "Hall"))
        let upload = try await harness.push(self.twoBuildings(unitName: "Arena"))
        for (language, expected) in [
            ("en", "2 units renamed on 1F (North) and 1F (South)"), ("ja", "北館 1F・南館 1Fの区画2件の名称を変更"),
        ] {
            for path in ["/venues/mall/revisions/2", "/uploads/\(upload.id)", "/venues/mall/diff?from=1&to=2"] {
                let response = try await harness.send(.get, path, headers: [.acceptLanguage: language]).json
                let words = try #require((response["changes"]?["words"] ?? response["words"])?.array)
                #expect(words == [.string(expected)], "\(path)")
            }
        }
        // The names are those of the revision that the sentence is about, also after the building was renamed.
        try await harness.push(self.twoBuildings(unitName: "Arena", southernName: "Sea side"))
        try await harness.push(self.twoBuildings(unitName: "Forum", southernName: "Sea side"))
        let log = try #require(try await harness.send(.get, "/venues/mall/revisions").json["revisions"]?.array)
        #expect(log.first?["changes"]?["words"] == ["2 units renamed on 1F (North) and 1F (Sea side)"])
        #expect(log[2]["changes"]?["words"] == ["2 units renamed on 1F (North) and 1F (South)"])
        let staged = try await harness.push(
            self.twoBuildings(unitName: "Plaza", southernName: "Sea side"), query: "?publish=hold")
        let words = try await harness.send(.get, "/uploads/\(staged.id)").json["changes"]?["words"]
        #expect(words == ["2 units renamed on 1F (North) and 1F (Sea side)"])
    }
}
