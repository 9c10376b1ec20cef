import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SyncModel
import TestSupport
import Testing
import Wayfinding

@testable import SyncServer

/// Routes and reachability over HTTP.
@Suite(.server)
struct WayfindingRouteTests {
    /// Degrees of longitude and latitude of about a meter.
    private static let meter = (1 / 90_000.0, 1 / 111_000.0)

    private static func position(_ x: Double, _ y: Double) -> JSONValue {
        [.number(139.7 + x * self.meter.0), .number(35.6 + y * self.meter.1)]
    }

    private static func unit(
        _ number: Int, _ category: String, on level: Int, _ low: (Double, Double), _ high: (Double, Double),
        hours: JSONValue = .null
    ) -> JSONValue {
        let ring = [(low.0, low.1), (high.0, low.1), (high.0, high.1), (low.0, high.1), (low.0, low.1)]
        return Handmade.feature(
            number, .unit,
            [
                "category": .string(category), "level_id": Handmade.reference(level), "hours": hours,
                "name": ["en": .string("Unit \(number)"), "ja": .string("\(number)号室")],
            ], geometry: ["type": "Polygon", "coordinates": [.array(ring.map { self.position($0.0, $0.1) })]])
    }

    private static func door(
        _ number: Int, on level: Int, _ from: (Double, Double), _ to: (Double, Double), category: String = "pedestrian"
    ) -> JSONValue {
        Handmade.feature(
            number, .opening, ["category": .string(category), "level_id": Handmade.reference(level)],
            geometry: [
                "type": "LineString", "coordinates": [self.position(from.0, from.1), self.position(to.0, to.1)],
            ])
    }

    /// Two floors with a hall (10, 20) each and a lift (11, 21). A shop (12) with hours and a shop (22) are at the halls; a third one (13)
    /// has no door.
    private static func features(withDoorOfLift: Bool = true) -> [JSONValue] {
        var features = [Handmade.feature(1, .venue, ["category": "shoppingcenter"], geometry: Handmade.square())]
        for floor in 0...1 {
            let (level, base) = (2 + floor, 10 + 10 * floor)
            features += [
                Handmade.feature(
                    level, .level, ["ordinal": .number(Double(floor)), "short_name": ["en": .string("L\(floor)")]],
                    geometry: Handmade.square()),
                self.unit(base, "walkway", on: level, (0, 0), (20, 10)),
                self.unit(base + 1, "elevator", on: level, (8, 10.1), (11, 13)),
                self.unit(
                    base + 2, "room", on: level, (0, 10.1), (7, 16),
                    hours: floor == 0 ? "Mo-Su 10:00-20:00" : .null),
                self.door(base + 12, on: level, (2, 10.05), (4, 10.05)),
            ]
            if withDoorOfLift || floor == 0 {
                features.append(self.door(base + 11, on: level, (9, 10.05), (10, 10.05)))
            }
        }
        features += [
            self.unit(13, "room", on: 2, (13, 10.1), (20, 16)),
            self.door(30, on: 2, (0, 2), (0, 4), category: "pedestrian.principal"),
        ]
        return features
    }

    private func publish(_ features: [JSONValue] = Self.features()) async throws {
        let upload = try await Harness.current.push(Handmade.zip(features))
        try #require(upload.state == .published, "\(upload)")
    }

    private func get(_ path: String, expecting status: Int = 200, headers: HTTPFields = [:]) async throws -> JSONValue {
        let response = try await Harness.current.send(.get, "/venues/mall/\(path)", headers: headers)
        #expect(response.status.code == status, "\(path): \(response.text.prefix(300))")
        return try response.json
    }

    private func route(_ from: Int, _ to: Int, _ query: String = "") async throws -> JSONValue {
        try await self.get("route?from=\(Handmade.id(from))&to=\(Handmade.id(to))\(query)")
    }

    private func codes(_ answer: JSONValue) -> [String] {
        (answer["reasons"]?.array ?? []).map { reason in
            "\(reason["code"]?.string ?? "") \(reason["feature"]?.string?.suffix(2) ?? "")"
        }
    }

    private func suffix(_ number: Int) -> String { String("\(Handmade.id(number))".suffix(2)) }

    @Test func `route over two floors has legs with instructions`() async throws {
        try await self.publish()
        let answer = try await self.route(30, 22, "&lang=en")
        #expect(answer["status"] == "route" && answer["venue"] == "mall" && answer["revision"] == 1)
        #expect(answer["legs"]?.array?.map { $0["mode"] } == ["walk", "elevator", "walk"])
        #expect(answer["legs"]?[1]?["to_level_id"] == Handmade.reference(3))
        #expect(answer["legs"]?[2]?["instruction"]?.string?.contains("Unit 22") == true)
        #expect(answer["hours"] == "unknown" && answer["as_of"]?.string?.hasSuffix(":00.000Z") == true)
        let japanese = try await self.route(30, 22, "&lang=ja&profile=step-free")
        #expect(japanese["legs"]?[2]?["instruction"]?.string?.contains("22号室") == true)
        #expect(japanese["profile"] == "step-free")
        // From a position, as GeoJSON.
        let collection = try await self.get(
            "route?from=139.70001,35.60001,0&to=\(Handmade.id(22))", headers: [.accept: "application/geo+json"])
        #expect(collection["type"] == "FeatureCollection" && collection["legs"] == nil)
        #expect(collection["features"]?.array?.map { $0["properties"]?["leg"] } == [1, 2, 3])
        #expect(collection["features"]?[0]?["geometry"]?["type"] == "LineString")
    }

    @Test func `what is closed, by hours or by request, makes a route infeasible`() async throws {
        try await self.publish()
        _ = try await Harness.current.send(.patch, "/venues/mall", json: ["time_zone": "Asia/Tokyo"])
        let night = try await self.route(30, 12, "&at=2031-03-10T15:00:00Z")
        #expect(night["status"] == "infeasible" && night["hours"] == "applied")
        #expect(self.codes(night) == ["closed \(self.suffix(12))"])
        #expect(night["reasons"]?[0]?["until"] == "2031-03-11T01:00:00.000Z")
        #expect(try await self.route(30, 12, "&at=2031-03-10T03:00:00Z")["status"] == "route")
        let lift = try await self.route(30, 22, "&at=2031-03-10T03:00:00Z&closed=\(Handmade.id(21))")
        #expect(lift["status"] == "infeasible" && self.codes(lift) == ["closed \(self.suffix(21))"])
        #expect(lift["reasons"]?[0]?["until"] == nil)
    }

    @Test func `missing data is named`() async throws {
        try await self.publish()
        let answer = try await self.route(30, 13)
        #expect(answer["status"] == "unknown" && self.codes(answer) == ["no-opening \(self.suffix(13))"])
        #expect(try await self.route(30, 77)["reasons"]?[0]?["code"] == "unknown-feature")
        #expect(try await self.get("route?from=10,10,0&to=139.7,35.6,0")["reasons"]?[0]?["code"] == "outside-units")
    }

    @Test func `mistakes in parameters are refused`() async throws {
        try await self.publish()
        let ends = "from=\(Handmade.id(10))&to=\(Handmade.id(12))"
        for (query, name) in [
            ("from=\(Handmade.id(10))", "to"), ("to=\(Handmade.id(10))", "from"), ("\(ends)&profile=fly", "profile"),
            ("\(ends)&at=noon", "at"), ("\(ends)&closed=lift", "closed"), ("\(ends)&via=x", "via"),
            ("from=139.7,35.6&to=\(Handmade.id(10))", "from"), ("from=200,35.6,0&to=\(Handmade.id(10))", "from"),
            ("from=nan,35.6,0&to=\(Handmade.id(10))", "from"), ("\(ends)&closed=\(Handmade.id(77))", "closed"),
            ("\(ends)&closed=\(Handmade.id(1))", "closed"),
            ("\(ends)&lang=x_y", "lang"),
            ("\(ends)&closed=\(Array(repeating: "\(Handmade.id(10))", count: 101).joined(separator: ","))", "closed"),
        ] {
            let problem = try await self.get("route?\(query)", expecting: 400)
            #expect(problem["title"]?.string?.contains("“\(name)”") == true, "\(query.prefix(80))")
        }
        _ = try await self.get("reachability?revison=1", expecting: 400)
        _ = try await self.get("reachability?revision=0", expecting: 400)
        _ = try await self.get("reachability?revision=7", expecting: 404)
    }

    @Test func `reachability has the shares, what is cut off, and what to mend`() async throws {
        try await self.publish()
        let report = try await self.get("reachability")
        #expect(
            report["status"] == "known" && report["exits"]?.array?.map { $0["feature"] } == [Handmade.reference(30)])
        #expect(report["units"]?["walk"] == ["total": 7, "reached": 6])
        #expect(report["units"]?["step-free"] == ["total": 7, "reached": 6])
        #expect(report["cut_off"]?.array?.map { $0["feature"] } == [Handmade.reference(13)])
        #expect(report["mend"]?[0]?["code"] == "no-opening" && report["egress"] == nil)
        #expect(report["levels"]?.array?.map { $0["level_id"] } == [Handmade.reference(2), Handmade.reference(3)])
        let egress = try await self.get("reachability?egress=true")["egress"]
        #expect(egress?["notice"] == "Not an evacuation plan")
        let units = egress?["units"]?.array ?? []
        #expect(units.first { $0["feature"] == Handmade.reference(12) }?["status"] == "exit")
        #expect(units.first { $0["feature"] == Handmade.reference(12) }?["second"] == false)
        // The only way down is the lift.
        #expect(units.first { $0["feature"] == Handmade.reference(22) }?["status"] == "cut-off")
    }

    @Test func `the description of an upload says what can no longer be reached`() async throws {
        try await self.publish()
        let upload = try await Harness.current.push(Handmade.zip(Self.features(withDoorOfLift: false)))
        for (language, sentence) in [
            ("en", "2 units can no longer be reached on L1"), ("ja", "L1の区画2件に到達できなくなる"),
        ] {
            let described = try await Harness.current.send(
                .get, "/uploads/\(upload.id)", headers: [.acceptLanguage: language]
            ).json
            let words = described["changes"]?["words"]?.array ?? []
            #expect(words.contains(.string(sentence)), "\(words)")
        }
        let log = try await self.get("revisions?limit=1", headers: [.acceptLanguage: "en"])
        #expect(
            log["revisions"]?[0]?["changes"]?["words"]?.array?.contains("2 units can no longer be reached on L1")
                == true)
    }

    @Test func `the description of an upload that deletes the exit says that reachability is not known any more`()
        async throws
    {
        try await self.publish()
        let closed = Self.features().filter { $0["id"] != Handmade.reference(30) }
        for (features, isLost) in [(closed, true), (closed.filter { $0["id"] != Handmade.reference(13) }, false)] {
            let upload = try await Harness.current.push(Handmade.zip(features))
            for (language, sentence) in [
                ("en", "It can no longer be said which places can be reached: the map has no exit any more"),
                ("ja", "外への出口が地図からなくなり、到達できる場所が分からなくなる"),
            ] {
                let described = try await Harness.current.send(
                    .get, "/uploads/\(upload.id)", headers: [.acceptLanguage: language]
                ).json
                let words = described["changes"]?["words"]?.array ?? []
                #expect(!words.isEmpty && words.contains(.string(sentence)) == isLost, "\(words)")
            }
        }
    }

    @Test func `earlier revisions keep their reports`() async throws {
        try await self.publish()
        try await self.publish(Self.features().filter { $0["id"] != Handmade.reference(30) })
        #expect(try await self.get("reachability")["status"] == "unknown")
        #expect(try await self.get("reachability")["units"]?["walk"] == ["total": 7, "reached": nil])
        #expect(try await self.get("reachability?revision=1")["status"] == "known")
        #expect(try await self.get("reachability?revision=2")["reasons"] == [["code": "no-exit-stated"]])
    }

    @Test func `a new revision computes only the floors on which people walk otherwise`() async throws {
        let (server, mall) = (Harness.current.server, try #require(VenueKey("mall")))
        func computedOrdinals() async throws -> [Int] {
            let venue = try #require(server.readModel.entry(for: mall)?.venue)
            let revision = try await server.readModel.revisions(of: venue, at: venue.head)
                .revision(venue.head, of: venue)
            return try await server.wayfindingMaps
                .content(of: venue, at: revision, generation: server.readModel.generation).map.computedOrdinals
        }
        try await self.publish()
        #expect(try await computedOrdinals() == [0, 1])
        try await self.publish(Self.features(withDoorOfLift: false))
        #expect(try await computedOrdinals() == [1])
        var features = Self.features(withDoorOfLift: false)
        features[0] = Handmade.feature(
            1, .venue, ["category": "shoppingcenter", "name": ["en": "Mall"]], geometry: Handmade.square())
        try await self.publish(features)
        #expect(try await computedOrdinals() == [])
    }

    @Test func `responses have entity tags and are for those who may read the venue`() async throws {
        try await self.publish()
        let harness = Harness.current
        let path = "/venues/mall/route?from=\(Handmade.id(10))&to=\(Handmade.id(22))&at=2031-03-10T03:00:00Z"
        for path in [path, "/venues/mall/reachability"] {
            #expect(try await harness.send(.get, path, key: nil).status == .unauthorized)
            let first = try await harness.send(.get, path)
            #expect(first.headers[.cacheControl]?.hasPrefix("private") == true)
            let tag = try #require(first.headers[.eTag])
            #expect(try await harness.send(.get, path, headers: [.ifNoneMatch: tag]).status == .notModified)
        }
        _ = try await harness.send(.patch, "/venues/mall", json: ["public": true])
        #expect(try await harness.send(.get, path, key: nil).headers[.cacheControl]?.hasPrefix("public") == true)
        let now = try await harness.send(.get, "/venues/mall/route?from=\(Handmade.id(10))&to=\(Handmade.id(22))")
        #expect(now.headers[.cacheControl]?.contains("max-age=") == true)
    }

    @Test func `a hundred requests at once get the same bytes`() async throws {
        try await self.publish()
        let path = "/venues/mall/route?from=\(Handmade.id(10))&to=\(Handmade.id(22))&at=2031-03-10T03:00:00Z"
        let responses = try await Harness.current.sendConcurrently(100, path)
        #expect(responses.allSatisfy { $0.status == .ok && $0.data == responses[0].data })
    }
}
