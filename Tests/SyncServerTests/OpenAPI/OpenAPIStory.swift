import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A sequence of requests that makes every route answer with every status it can have.
struct OpenAPIStory {
    let harness: Harness
    let document: OpenAPIDocument

    /// Ids that later requests need.
    struct Identifiers {
        var feature = ""
        var published = ""
        var rejected = ""
        var staged = ""
        var ofGone = ""
        var reader = ""
    }

    func run() async throws {
        var cast = Identifiers()
        cast.reader = try await self.harness.makeKey(.read, for: ["mall", "empty", "gone"])
        try await self.publish(into: &cast)
        try await self.matchIdentities()
        try await self.sync()
        try await self.read(cast)
        try await self.decide(&cast)
        try await self.edit()
        try await self.rollBack()
        try await self.recreateVenue(&cast)
        try await self.sign()
        try await self.prune()
        try await self.provokeRefusals(cast)
        try await self.readWithoutKey()
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, expecting status: Int, key: String? = Harness.adminKey,
        json: JSONValue? = nil, headers: HTTPFields = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestResponse {
        let response =
            if let json {
                try await self.harness.send(method, path, json: json, key: key, headers: headers)
            } else {
                try await self.harness.send(method, path, key: key, headers: headers)
            }
        #expect(
            response.status.code == status, "\(method) \(path): \(response.text.prefix(300))",
            sourceLocation: sourceLocation)
        return response
    }

    // MARK: - Requests that succeed

    private func publish(into cast: inout Identifiers) async throws {
        let (first, second) = (SampleVenue.extended, SampleVenue.extended.edited(Edit(.rename, 3), Edit(.relevel, 1)))
        _ = try await self.harness.upload(first.archive(), to: "empty")
        _ = try await self.send(.patch, "/venues/empty", expecting: 200, json: ["removal_guard": false])
        let waiting = try await self.harness.uploads(of: "empty").first?.id ?? ""
        _ = try await self.send(.delete, "/uploads/\(waiting)", expecting: 204)
        try await self.harness.push(
            first.archive(), query: "?message=Opening%20day&identity=repair&strict=false&ids=repair")
        cast.published = try await self.harness.push(second.archive(), query: "?base=1&create=false").id
        cast.feature = try #require(second.features(otherThanIn: first).first?.id.description)
        cast.rejected = try await self.harness.push(Handmade.zip([])).id
        _ = try await self.send(
            .patch, "/venues/mall", expecting: 200,
            json: [
                "time_zone": "Asia/Tokyo", "keep_revisions": 10, "validation": "report", "identity": "repair",
                "public": false, "removal_guard": true, "embed_origins": ["https://example.com"],
                "wayfinding": ["walk_speed": 1.1, "elevator_seconds_per_level": 15],
                "basemap": [
                    "tiles": ["light": "https://a.example.com/{z}/{x}/{y}.png", "dark": "/dark/{z}/{x}/{y}.png"],
                    "max_zoom": 18, "attribution": "© Example",
                ],
                "appearance": [
                    "colours": ["shop": ["light": "#FFFFFF", "dark": "#000000"], "room": "#aabbcc"],
                    "hidden": ["parking"],
                ],
            ])
        _ = try await self.send(.get, "/keys", expecting: 200)
        let key = try await self.send(
            .post, "/keys", expecting: 201,
            json: [
                "name": "ops", "role": "publish", "venues": ["mall", "shop.old"], "expires_at": "2999-01-01T00:00:00Z",
            ])
        _ = try await self.send(.delete, "/keys/\(key.json["id"]?.string ?? "")", expecting: 204)
        _ = try await self.send(.get, "/audit", expecting: 200)
    }

    /// An upload in which all ids are new.
    private func matchIdentities() async throws {
        try await self.harness.push(SampleVenue.tiny.archive(), to: "new-ids")
        var next = SampleVenue.tiny
        let report = next.apply(try Edit.parse(list: "rename=2,remint"), seed: 5)
        let upload = try await self.harness.push(next.archive(), to: "new-ids")
        _ = try await self.send(.get, "/uploads/\(upload.id)/matches?kind=exact&limit=3", expecting: 200)
        _ = try await self.send(.get, "/uploads/\(upload.id)/matches?from=3", expecting: 200)
        let id = try #require(report.last?.reminted.first)
        let alias = try await self.send(.get, "/venues/new-ids/features/\(id.value)", expecting: 200)
        #expect(alias.headers[.contentLocation] != nil)
        _ = try await self.send(.get, "/venues/new-ids/features/\(id.value)/history", expecting: 200)
    }

    private func sync() async throws {
        let path = "/venues/mall/sync"
        let old = try await self.send(.get, "\(path)?to=1", expecting: 200).changeSet.cursor
        for query in ["", "&to=2", "&level=ordinal:0", "&level=venue", "&limit=2"] {
            _ = try await self.send(.get, "\(path)?since=\(old)\(query)", expecting: 200)
        }
        #expect(try await self.harness.pages(limit: 20).count > 1)
        let whole = try await self.harness.sync().cursor
        #expect(try await self.harness.sync("since=\(whole)").blocks.isEmpty)
        _ = try await self.send(.get, "\(path)?since=\(whole)&wait=1", expecting: 200)
        _ = try await self.send(.get, path, expecting: 200, headers: [.acceptEncoding: "gzip"])
        try await self.syncAll()
        _ = try await self.send(.get, "/events", expecting: 200)
        let far = HTTPField(name: HTTPField.Name("Last-Event-ID")!, value: "1000000")
        _ = try await self.send(.get, "/events", expecting: 410, headers: HTTPFields([far]))
    }

    private func syncAll() async throws {
        var cursor = try await self.send(.get, "/sync", expecting: 200, headers: [.acceptEncoding: "identity"]).changes
            .cursor
        _ = try await self.send(.get, "/sync?since=\(cursor)&wait=1", expecting: 200)
        #expect(try await self.harness.cataloguePages(limit: 20).count > 1)
        cursor.seal ^= 1
        _ = try await self.send(.get, "/sync?since=\(cursor)", expecting: 410)
        _ = try await self.send(.get, "/sync?to=1", expecting: 400)
    }

    private func read(_ cast: Identifiers) async throws {
        let venue = "/venues/mall"
        for path in [
            "/venues", "/venues?unpublished=true", venue, "\(venue)/revisions?limit=1",
            "\(venue)/revisions?before=2", "\(venue)/revisions/2",
            "\(venue)/head",
            "\(venue)/revisions/2/statement",
            "\(venue)/revisions/1/features?level=ordinal:0&type=unit&type=opening&spanning=true&has_geometry=true",
            "\(venue)/revisions/2/features?strict=true", "\(venue)/revisions/2/archive.zip?strict=true",
            "\(venue)/diff?from=1&limit=1", "\(venue)/diff?from=2&to=1&bodies=false&level=ordinal:0",
            "\(venue)/diff?from=1&after=\(cast.feature)", "\(venue)/features/\(cast.feature)",
            "\(venue)/features/\(cast.feature)/history", "\(venue)/uploads?state=published&limit=1", "\(venue)/uploads",
            "/uploads/\(cast.published)?wait=1", "/uploads/\(cast.rejected)",
            "/uploads/\(cast.published)/changes?level=venue&bodies=true", "/uploads/\(cast.published)/changes?limit=1",
            "/uploads/\(cast.published)/findings?severity=warning&rule=ST-04&limit=1",
            "\(venue)/search?category=restroom&near=139.7,35.6&near_level=ordinal:0&lang=ja",
            "\(venue)/search?q=a&type=unit&level=ordinal:0&limit=3", "\(venue)/search?open_at=now",
            "\(venue)/features/\(cast.feature)/hours?days=3",
            "\(venue)/route?from=139.7,35.6,0&to=\(cast.feature)&profile=step-free&lang=ja,en",
            "\(venue)/reachability", "\(venue)/reachability?revision=1&egress=true",
            "/uploads/\(cast.published)/findings?limit=1", "/uploads/\(cast.rejected)/findings?after=0",
        ] {
            _ = try await self.send(.get, path, expecting: 200)
            _ = try await self.send(.get, path, expecting: 200, headers: [.acceptLanguage: "ja"])
            _ = try await self.send(.head, path, expecting: 200)
        }
        for operation in self.document.operations where operation.responses.contains("304") {
            let path = self.path(of: operation, feature: cast.feature)
            let tag = try await self.send(.get, path, expecting: 200).headers[.eTag]
            _ = try await self.send(.get, path, expecting: 304, headers: [.ifNoneMatch: try #require(tag)])
        }
        for path in [
            "tiles/0.json?format=png&lang=en&theme=dark", "tiles/changes?since=1&to=2&format=mvt",
            "sprites/dark@2x.png",
            "style.json?lang=ja&theme=dark&switch=global-state", "revisions/1/style.json?floor=0",
            "tiles/all/14/14547/6464.mvt",
        ] {
            _ = try await self.send(.get, "/venues/mall/\(path)", expecting: 200)
        }
        for path in [
            "?f=html", "/api?f=html", "/conformance?f=json", "/collections?revision=1",
            "/collections/occupant?revision=head",
            "/collections/unit/items?bbox=139,35,140,36&level=0&category=room&limit=3&offset=1&datetime=2999-01-01T00:00:00Z",
            "/collections/unit/items?datetime=2001-01-01T00:00:00Z",
            "/collections/unit/items?crs=http://www.opengis.net/def/crs/EPSG/0/4326&revision=1",
        ] {
            _ = try await self.send(.get, "/ogc/mall\(path)", expecting: 200)
        }
        for (range, status) in [("bytes=0-126", 206), ("bytes=-1", 206), ("bytes=99999999-", 416)] {
            _ = try await self.send(
                .get, "/venues/mall/revisions/1/tiles/0.pmtiles", expecting: status, headers: [.range: range])
        }
        _ = try await self.send(
            .post, "/venues/mall/tile-tokens", expecting: 201, json: ["expires_in": 60])
        for path in ["/health", "/ready", "/metrics", "/openapi.yaml"] {
            _ = try await self.send(.get, path, expecting: 200, key: nil)
        }
    }

    /// A revision is signed again, and is not when its levels were altered in the database.
    private func sign() async throws {
        let path = "/venues/new-ids/revisions/1/statement"
        _ = try await self.send(.post, path, expecting: 201)
        _ = try await self.harness.store.pool.query(
            """
            UPDATE level_state SET digest = sha256('altered')
            WHERE venue_id = (SELECT id FROM venue WHERE key = 'new-ids')
            """)
        _ = try await self.send(.post, path, expecting: 409)
    }

    /// Staged uploads and decisions.
    private func decide(_ cast: inout Identifiers) async throws {
        let big = try await self.harness.push(PlainVenue(units: [17]).archive(), to: "plain", query: "?publish=hold")
        _ = try await self.send(.get, "/uploads/\(big.id)/changes", expecting: 200)
        let created = try await self.send(
            .post, "/uploads/\(big.id)/preview-tokens", expecting: 201, json: ["expires_in": 60])
        let preview = "/uploads/\(big.id)/preview?limit=2"
        let token = try #require(try created.json["token"]?.string)
        let shared = "\(preview)&token=\(token)"
        _ = try await self.send(.get, preview, expecting: 200)
        _ = try await self.send(.get, shared, expecting: 200, key: nil)
        #expect(try await self.harness.decide(big, ["base": 0]).status == .ok)
        _ = try await self.send(.get, shared, expecting: 410, key: nil)
        let small = try await self.harness.push(PlainVenue(units: [2]).archive(), to: "plain")
        #expect(try await self.harness.decide(small).status == .conflict)
        _ = try await self.harness.upload(
            PlainVenue(units: [16], name: "Timed").archive(), to: "plain", query: "?publish=\(Upload.tomorrow)")
        try await self.harness.work()
        // Both were compared with revision 1.
        let held = [3, 4].map { PlainVenue(units: [17], name: "Held \($0)") }
        let first = try await self.harness.push(held[0].archive(), to: "plain", query: "?publish=hold")
        let second = try await self.harness.push(held[1].archive(), to: "plain", query: "?publish=hold")
        #expect(try await self.harness.ask(first, ["confirm": []], wait: 0).status == .accepted)
        try await self.harness.work()
        #expect(try await self.harness.decide(second, ["base": 1]).status == .conflict)
        #expect(try await self.harness.ask(first).status == .conflict)
        _ = try await self.send(.get, "/venues/plain/uploads", expecting: 200)
        cast.staged = second.id
    }

    private func rollBack() async throws {
        let path = "/venues/mall/rollback"
        _ = try await self.send(.post, path, expecting: 200, json: ["to": 1, "dry_run": true])
        _ = try await self.send(.post, path, expecting: 201, json: ["to": 1, "message": "Too early"])
        _ = try await self.send(.post, path, expecting: 409, json: ["to": 1])
        _ = try await self.send(.post, path, expecting: 201, json: ["to": 2, "levels": nil, "dry_run": false])
        // A unit moved between two levels, so neither can be rolled back alone.
        func zip(unitOn level: Int) throws -> [UInt8] {
            let levels = [2, 3].map { number in
                Handmade.feature(
                    number, .level, ["ordinal": .number(Double(number))], geometry: Handmade.square())
            }
            let unit = Handmade.feature(
                12, .unit, ["level_id": Handmade.reference(level), "name": ["en": "Unit"]],
                geometry: Handmade.square(0.0005))
            return try Handmade.zip([Handmade.feature(1, .venue, geometry: Handmade.square()), unit] + levels)
        }
        for level in [2, 3] { try await self.harness.push(zip(unitOn: level), to: "tangled") }
        let levels: JSONValue = ["to": 1, "levels": ["ordinal:2"]]
        let refusal = try await self.send(.post, "/venues/tangled/rollback", expecting: 409, json: levels)
        #expect(try refusal.json["crossed"]?.array?.count == 1)
        let both: JSONValue = ["to": 1, "levels": ["ordinal:2", Handmade.reference(3)], "dry_run": true]
        _ = try await self.send(.post, "/venues/tangled/rollback", expecting: 200, json: both)
        _ = try await self.send(
            .post, "/venues/tangled/rollback", expecting: 201, json: ["to": 1, "levels": both["levels"] ?? .null])
        _ = try await self.send(.get, "/venues/tangled/revisions", expecting: 200)
    }

    /// A venue that is deleted, and one that is created again afterwards.
    private func recreateVenue(_ cast: inout Identifiers) async throws {
        for venue in ["gone", "anew"] {
            let upload = try await self.harness.push(SampleVenue.tiny.archive(), to: venue)
            #expect(upload.state == .published, "\(upload)")
            if venue == "gone" { cast.ofGone = upload.id }
        }
        let cursor = try await self.harness.sync(of: "anew").cursor
        for venue in ["gone", "anew"] {
            _ = try await self.send(.delete, "/venues/\(venue)", expecting: 204, json: ["confirm": .string(venue)])
        }
        try await self.harness.push(SampleVenue.tiny.archive(), to: "anew")
        let restart = try await self.send(.get, "/venues/anew/sync?since=\(cursor)", expecting: 410)
        #expect(try restart.json["levels"]?.array?.isEmpty == false)
    }

    /// A venue whose old revisions are pruned.
    private func prune() async throws {
        let path = "/venues/short"
        for seed in 1...2 as ClosedRange<UInt64> {
            try await self.harness.push(SampleVenue.tiny.edited(Edit(.rename, 2), seed: seed).archive(), to: "short")
        }
        let cursor = try await self.harness.sync("to=1", of: "short").cursor
        for dryRun in [true, false] {
            let request: JSONValue = ["keep_revisions": 1, "dry_run": .bool(dryRun)]
            _ = try await self.send(.post, "\(path)/prune", expecting: 200, json: request)
        }
        for old in ["revisions/1", "revisions/1/features", "revisions/1/archive.zip", "diff?from=1"] {
            _ = try await self.send(.get, "\(path)/\(old)", expecting: 410)
        }
        _ = try await self.send(.post, "\(path)/rollback", expecting: 410, json: ["to": 1])
        let level = try await self.send(.get, "\(path)/sync?since=\(cursor)", expecting: 410).json["levels"]?.array?
            .first
        let href = try #require(level?["href"]?.string)
        _ = try await self.send(.get, href, expecting: 200)
        _ = try await self.send(.post, "\(path)/epoch", expecting: 200)
        _ = try await self.send(.get, href, expecting: 410)
        let feature = try #require(SampleVenue.tiny.features.first { $0.type == .venue }?.id)
        let history = try await self.send(.get, "\(path)/features/\(feature)/history", expecting: 200)
        #expect(try history.json["versions"]?.array?.last?["author"]?.isNull == true)
    }

    /// Reads without a key on a public venue.
    private func readWithoutKey() async throws {
        try await self.harness.set("public", to: true)
        for operation in self.document.operations where operation.content["security"]?.array?.first == [:] {
            let feature = SampleVenue.extended.features[0].id.description
            _ = try await self.send(.get, self.path(of: operation, feature: feature), expecting: 200, key: nil)
        }
    }
}
