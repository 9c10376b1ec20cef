import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Guards that stage an upload until somebody confirms it.
@Suite(.server)
struct StagingGuardTests {
    @Test func `removal guard allows thirty percent of the features and not one more`() async throws {
        let harness = Harness.current
        let venue = PlainVenue(units: [17])
        #expect(venue.count == 20)
        try await harness.push(venue.archive())
        #expect(try await harness.push(PlainVenue(units: [11]).archive()).state == .published)  // 6 of 20
        try await harness.rollBack(to: 1)
        let stopped = try await harness.push(PlainVenue(units: [10]).archive())  // 7 of 20
        #expect(stopped.state == .staged && stopped.reasons == ["removal"] && stopped.base == 3)
        #expect(stopped.changes?.removed == 7)
        #expect(try await harness.head() == 3)
    }

    @Test func `removal guard stops the removal of a level of twenty features, but not of nineteen`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [80, 20]).archive())
        let stopped = try await harness.push(PlainVenue(units: [80]).archive())
        #expect(stopped.state == .staged && stopped.reasons == ["removal"] && stopped.changes?.removed == 21)
        #expect(try await harness.send(.delete, "/uploads/\(stopped.id)").status == .noContent)
        // The level feature itself stays, so no level is removed.
        #expect(try await harness.push(PlainVenue(units: [80, 0]).archive()).state == .published)
        #expect(try await harness.push(PlainVenue(units: [80, 19]).archive()).state == .published)
        #expect(try await harness.push(PlainVenue(units: [80]).archive()).state == .published)
    }

    @Test func `removal guard is passed by confirming the removal, and not by any other confirmation`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [17]).archive())
        let stopped = try await harness.push(PlainVenue(units: [2]).archive())
        for request in [[:], ["base": 1], ["confirm": []], ["confirm": ["other_venue", "head_moved"]]]
            as [JSONValue]
        {
            let response = try await harness.decide(stopped, request)
            #expect(try response.problem(409).type == "/problems/guarded")
            #expect(try response.json["reasons"] == ["removal"])
            #expect(try await harness.upload(stopped.id).reasons == ["removal"])
        }
        let response = try await harness.decide(stopped, ["base": 1, "confirm": ["removal"]])
        let upload = try response.decoded(Upload.self)
        #expect(upload.state == .published && upload.revision == 2 && upload.reasons.isEmpty)
    }

    /// Every type whose loss leaves a readable archive. The whole venue has far more features than any of them.
    @Test(arguments: [
        FeatureType.occupant, .amenity, .anchor, .opening, .detail, .fixture, .section, .kiosk, .relationship,
        .geofence,
    ])
    func `removal guard stops an archive in which a file is missing or cut off`(type: FeatureType) async throws {
        let harness = Harness.current
        var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 24, seed: 3))
        let some = try #require(venue.features.first { $0.type == type })
        // As many as are protected.
        let before = venue.features.count { $0.type == type }
        for _ in before..<max(before, 20) {
            var copy = SampleFeature(id: .random(), type: type, body: some.body)
            copy["note"] = .string("\(copy.id)")
            venue.features.append(copy)
        }
        try await harness.push(venue.archive(), query: "?identity=trust")
        let all = venue.features.count { $0.type == type }
        func with(_ count: Int) throws -> [UInt8] {
            var (next, left) = (venue, count)
            next.features.removeAll { feature in
                guard feature.type == type else { return false }
                left -= 1
                return left < 0
            }
            return try next.archive()
        }
        for rest in [0, all / 2] {
            let stopped = try await harness.push(with(rest), query: "?identity=trust")
            #expect(stopped.state == .staged && stopped.reasons == ["removal"], "\(type.rawValue) \(rest)")
            #expect(stopped.changes?.removed == all - rest)
        }
        let upload = try await harness.push(with(all / 2 + 1), query: "?identity=trust")
        #expect(upload.state == .published || all > venue.features.count / 2)
    }

    @Test func `removal guard lets the last two features of a type go`() async throws {
        let harness = Harness.current
        var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 24, seed: 3))
        var left = 2
        venue.features.removeAll { feature in
            guard feature.type == .detail else { return false }
            left -= 1
            return left < 0
        }
        try await harness.push(venue.archive())
        venue.features.removeAll { $0.type == .detail }
        #expect(try await harness.push(venue.archive()).state == .published)
    }

    @Test func `removal guard can be turned off for a venue`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [17]).archive())
        let stopped = try await harness.push(PlainVenue(units: [2]).archive())
        #expect(stopped.state == .staged)
        try await harness.set("removal_guard", to: false)
        #expect(try await harness.push(PlainVenue(units: [1]).archive()).state == .published)
        // Guards are evaluated again for the current head: now the upload adds a unit.
        #expect(try await harness.decide(stopped).status == .ok)
    }

    @Test func `venue guard stops an archive of another venue, even with the removal guard off`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [17]).archive())
        try await harness.set("removal_guard", to: false)
        let other = PlainVenue(units: [17], name: "Central Station", venue: 7)
        let stopped = try await harness.push(other.archive())
        #expect(stopped.state == .staged && stopped.reasons == ["other_venue"])
        #expect(try await harness.decide(stopped).problem(409).type == "/problems/guarded")
        #expect(try await harness.decide(stopped, ["confirm": ["other_venue"]]).status == .ok)
    }

    @Test func `origin guard stops another origin when both archives name one`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [3]).archive())
        let first = PlainVenue(units: [3], origin: ["system": "cad", "site": 1])
        #expect(try await harness.push(first.archive()).state == .published)
        let other = PlainVenue(units: [3], origin: ["system": "cad", "site": 2])
        let stopped = try await harness.push(other.archive())
        #expect(stopped.state == .staged && stopped.reasons == ["other_origin"])
        #expect(try await harness.push(PlainVenue(units: [4], origin: first.origin).archive()).state == .published)
        #expect(try await harness.push(PlainVenue(units: [5], origin: .some(.null)).archive()).state == .published)
        #expect(try await harness.push(other.archive()).id == stopped.id)
        // The head has no origin any more, so the guard does not apply.
        #expect(try await harness.decide(stopped).status == .ok)
    }

    @Test func `guards: every reason has to be confirmed`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [17], origin: "here").archive())
        let other = PlainVenue(units: [1], name: "Central Station", venue: 7, origin: "there")
        let stopped = try await harness.push(other.archive())
        #expect(stopped.reasons == ["removal", "other_venue", "other_origin"])
        let response = try await harness.decide(stopped, ["confirm": ["removal", "other_origin"]])
        #expect(try response.problem(409).type == "/problems/guarded")
        #expect(try response.json["reasons"] == ["other_venue"])
        let all: JSONValue = ["confirm": ["removal", "other_venue", "other_origin"]]
        #expect(try await harness.decide(stopped, all).status == .ok)
    }

    @Test func `guards: a moved head and a guard are reported together`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [17]).archive())
        let stopped = try await harness.push(PlainVenue(units: [2]).archive())
        try await harness.push(PlainVenue(units: [18]).archive())
        let response = try await harness.decide(stopped, ["base": 1, "confirm": ["other_origin"]])
        #expect(try response.problem(409).type == "/problems/head-moved")
        #expect(try response.json["reasons"] == ["removal", "head_moved"])
        #expect(try await harness.decide(stopped, ["base": 2, "confirm": ["removal"]]).status == .ok)
    }

    @Test func `guards do not apply to a first revision`() async throws {
        let harness = Harness.current
        let upload = try await harness.push(PlainVenue(units: [1], origin: "here").archive(), query: "?base=0")
        #expect(upload.state == .published && upload.revision == 1)
    }
}
