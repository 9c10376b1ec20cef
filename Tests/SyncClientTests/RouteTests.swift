import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing
import VenueRouting
import Wayfinding

/// Routes of a replica, compared with those of the real server.
@Suite(.database)
struct RouteTests {
    private static let venue = SampleVenue(.init(levels: 3, unitsPerLevel: 12))

    /// The response of the server to the question for a route.
    private func response(
        _ harness: Harness, _ from: FeatureID, _ to: FeatureID, _ profile: Profile, at instant: Date,
        closed: Set<FeatureID>
    ) async throws -> String {
        var query = "from=\(from)&to=\(to)&profile=\(profile.rawValue)&lang=ja&at=\(Self.text(of: instant))"
        if !closed.isEmpty { query += "&closed=\(closed.map(\.description).joined(separator: ","))" }
        let response = try await harness.send(.get, "/venues/mall/route?\(query)")
        try #require(response.status == .ok, "\(response.text)")
        return response.text
    }

    private static func text(of date: Date) -> String { date.formatted(.iso8601) }

    private func route(
        _ store: ReplicaStore, _ from: FeatureID, _ to: FeatureID, _ profile: Profile, at instant: Date,
        closed: Set<FeatureID>
    ) async throws -> String {
        let route = try await store.route(
            from: .feature(from), to: .feature(to), profile: profile, at: instant, closed: closed, languages: ["ja"])
        return String(decoding: CanonicalJSON.data(.object(route.json)), as: UTF8.self)
    }

    /// Pairs of shops, units and openings, with something closed for some of them.
    private func compare(_ store: ReplicaStore, with harness: Harness) async throws {
        let features = try await store.read { try $0.features() }
        let ends = features.filter { [.unit, .occupant, .opening, .amenity].contains($0.type) }.map(\.id)
        let lifts = Set(features.filter { $0.type == .relationship }.map(\.id).prefix(50))
        var random = SplitMix64(seed: 42)
        var statuses: Set<String> = []
        for number in 0..<40 {
            let from = try #require(ends.randomElement(using: &random))
            let to = try #require(ends.randomElement(using: &random))
            let profile: Profile = number.isMultiple(of: 2) ? .walk : .stepFree
            let closed = number.isMultiple(of: 3) ? lifts : []
            let instant = Date(timeIntervalSince1970: 1_900_000_000 + Double(number) * 5_000)
            let ours = try await self.route(store, from, to, profile, at: instant, closed: closed)
            let theirs = try await self.response(harness, from, to, profile, at: instant, closed: closed)
            #expect(ours == theirs, "\(from) to \(to)")
            statuses.insert(ours.contains("\"status\":\"route\"") ? "route" : "other")
        }
        #expect(statuses.count == 2)
    }

    @Test func `the route of a replica has the bytes of the server, before and after a change set`() async throws {
        try await Harness.run { harness in
            var venue = Self.venue
            try await harness.push(venue.archive())
            _ = try await harness.send(
                .patch, "/venues/mall", type: "application/json",
                body: CanonicalJSON.data(["time_zone": "Asia/Tokyo"] as JSONValue))
            let replica = try await VenueReplica.open(on: harness)
            try await replica.sync()
            try await self.compare(replica.store, with: harness)

            // An opening vanishes, and all units are open at night only.
            let opening = try #require(venue.features.firstIndex { $0.type == .opening })
            venue.features.remove(at: opening)
            for index in venue.features.indices where venue.features[index].type == .unit {
                venue.features[index]["hours"] = "Mo-Su 22:00-04:00"
            }
            try await harness.push(venue.archive(), query: "?identity=trust")
            try await replica.sync()
            try await self.compare(replica.store, with: harness)
        }
    }

    @Test func `a file without a server answers, and reports what can be reached as the server does`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let transport = try HarnessTransport(harness)
            let mall = try #require(VenueKey("mall"))
            let file = transport.folder.file
            let replica = VenueReplica(
                store: try await .open(file, for: mall), venue: mall,
                server: try ServerAddress(try #require(URL(string: HarnessTransport.address)), key: Harness.adminKey),
                transport: transport)
            let unit = try #require(Self.venue.features.first { $0.type == .unit }).id
            let empty = try await replica.route(from: .feature(unit), to: .feature(unit))
            #expect(empty.status == .unknown && empty.revision == nil)
            try await replica.sync()
            try await replica.close()

            let store = try await ReplicaStore.open(file)
            let route = try await store.route(from: .feature(unit), to: .feature(unit), languages: ["en"])
            #expect(route.status == .route && route.revision == 1 && route.venue == mall)
            var report = try await store.reachability(withEgress: true).json
            report["venue"] = "mall"
            report["revision"] = 1
            let response = try await harness.send(.get, "/venues/mall/reachability?egress=true")
            #expect(String(decoding: CanonicalJSON.data(.object(report)), as: UTF8.self) == response.text)
            let shops = Self.venue.features.filter { $0.type == .occupant }.map(\.id)
            let near = try await store.nearest(from: .feature(unit), among: shops, limit: 3)
            #expect(near.count == 3 && near.map(\.seconds) == near.map(\.seconds).sorted())
            store.discardRoutes()
            #expect(try await store.nearest(from: .feature(unit), among: shops, limit: 3) == near)
        }
    }

    @Test func `speeds and lifts of the venue count for the server and for a replica, also after a restart`()
        async throws
    {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let transport = try HarnessTransport(harness)
            let mall = try #require(VenueKey("mall"))
            let file = transport.folder.file
            let replica = VenueReplica(
                store: try await .open(file, for: mall), venue: mall,
                server: try ServerAddress(try #require(URL(string: HarnessTransport.address)), key: Harness.adminKey),
                transport: transport)
            try await replica.sync()
            let units = try await replica.store.read { try $0.features(type: .unit) }.map(\.id)
            let (from, to) = (try #require(units.first), try #require(units.last))
            func duration() async throws -> Int {
                let route = try await replica.route(from: .feature(from), to: .feature(to))
                #expect(route.status == .route)
                return route.legs.reduce(0) { $0 + $1.seconds }
            }
            let usual = try await duration()
            let setting: JSONValue = ["wayfinding": ["walk_speed": 0.3, "elevator_seconds": 5]]
            let response = try await harness.send(
                .patch, "/venues/mall", type: "application/json", body: CanonicalJSON.data(setting))
            #expect(response.status == .ok)
            // Without a new revision, and in the delta form.
            try await replica.sync()
            #expect(try await duration() > usual)
            #expect(transport.fallbackCount == 0)
            try await self.compare(replica.store, with: harness)
            try await replica.close()
            let store = try await ReplicaStore.open(file)
            #expect(try await store.read { try $0.state().about.wayfinding } == setting["wayfinding"])
            try await self.compare(store, with: harness)
        }
    }

    @Test func `without all levels, a replica does not say that there is no way`() async throws {
        try await Harness.run { harness in
            try await harness.push(Self.venue.archive())
            let replica = try await VenueReplica.open(on: harness)
            try await replica.add(.ordinal(0))
            let features = try await replica.store.read { try $0.features(type: .unit) }
            let unit = try #require(features.first)
            let lost = try #require(
                Self.venue.features.first { feature in
                    feature.type == .unit && !features.contains { $0.id == feature.id }
                })
            let route = try await replica.route(from: .feature(unit.id), to: .feature(lost.id))
            #expect(route.status == .unknown)
            #expect(route.reasons.filter { $0.code == "level-not-held" }.count >= 2)
            #expect(route.reasons.contains { $0.code == "unknown-feature" && $0.feature == lost.id })
            let part = try await replica.reachability(withEgress: true)
            #expect(!part.isKnown && part.levelsNotHeld.count >= 2 && part.mends.isEmpty && part.egress == nil)
            #expect(part.cutOff.allSatisfy { $0.status == .unknown })
            #expect(part.json["units"]?["walk"]?["reached"] == .null && part.json["status"] == "unknown")
            #expect(part.json["reasons"]?.array?.last?["code"] == "level-not-held")
            try await replica.sync()
            try await replica.select(.everything)
            let report = try await replica.reachability(withEgress: true)
            #expect(report.levelsNotHeld.isEmpty && report.egress != nil)
            let whole = try await replica.route(from: .feature(unit.id), to: .feature(lost.id))
            #expect(!whole.reasons.contains { $0.code == "level-not-held" })
        }
    }
}
