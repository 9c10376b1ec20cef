import Foundation
import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// A request affects the venue that existed when it arrived, not another one that has taken over its key.
@Suite(.server)
struct VenueIdentityTests {
    private static func patch(_ json: String) -> DirectRequest {
        DirectRequest(method: .patch, path: "/venues/mall", key: Harness.adminKey, body: Array(json.utf8))
    }

    @Test func `venue settings: a request changes only the settings it names, whatever changed concurrently`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        try await harness.set("keep_revisions", to: 5)
        let response = try await Self.patch(#"{"time_zone":"Asia/Tokyo"}"#).send(
            to: harness,
            halfSent: {
                try await harness.set("public", to: false)
                try await harness.set("keep_revisions", to: 7)
            })
        #expect(response.status == 200)
        let settings = try #require(try await harness.get(Venue.self, "/venues/mall").settings)
        #expect(!settings.public && settings.keepRevisions == 7 && settings.timeZone == "Asia/Tokyo")
    }

    @Test func `venue settings: null resets a setting, and an invalid member changes no setting at all`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("time_zone", to: "Asia/Tokyo")
        try await harness.set("keep_revisions", to: 5)
        try await harness.send(.patch, "/venues/mall", json: ["time_zone": nil, "identity": "no"]).problem(400)
        #expect(try await harness.get(Venue.self, "/venues/mall").settings?.timeZone == "Asia/Tokyo")
        try await harness.set("time_zone", to: .null)
        try await harness.set("keep_revisions", to: .null)
        let settings = try #require(try await harness.get(Venue.self, "/venues/mall").settings)
        #expect(settings.timeZone == nil && settings.keepRevisions == nil)
    }

    static let writes: [DirectRequest] = [
        .init(method: .patch, path: "/venues/mall", key: Harness.adminKey, body: Array(#"{"public":true}"#.utf8)),
        .init(method: .delete, path: "/venues/mall", key: Harness.adminKey, body: Array(#"{"confirm":"mall"}"#.utf8)),
        .init(
            method: .post, path: "/venues/mall/rollback", key: Harness.adminKey, body: Array(#"{"to":1}"#.utf8)),
        .init(
            method: .post, path: "/venues/mall/prune", key: Harness.adminKey,
            body: Array(#"{"keep_revisions":1}"#.utf8)),
        .init(
            method: .post, path: "/venues/mall/uploads", key: Harness.adminKey, type: "application/zip",
            body: Array("PK zip".utf8)),
    ]

    @Test(arguments: writes.indices)
    func `venue deletion: a request does not change a venue that was deleted and created again meanwhile`(index: Int)
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3)).archive())
        let response = try await Self.writes[index].send(
            to: harness,
            halfSent: {
                try await harness.delete("mall")
                for seed in 4..<6 as Range<UInt64> {
                    try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 3), seed: seed).archive())
                }
            })
        #expect(response.status == 409 && response.text.contains("/problems/venue-replaced"), "\(response.text)")
        let venue = try await harness.get(Venue.self, "/venues/mall")
        #expect(venue.head == 2 && venue.first == 1 && !venue.public)
    }

    @Test(arguments: writes.indices)
    func `venue deletion: a request does not bring back a venue that was deleted meanwhile`(index: Int) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let response = try await Self.writes[index].send(
            to: harness, halfSent: { try await harness.delete("mall") })
        #expect(response.status == 410, "\(response.text)")
        try await harness.send(.get, "/venues/mall").problem(410)
    }
}
