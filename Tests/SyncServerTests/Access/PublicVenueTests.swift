import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct PublicVenueTests {
    private static let feature = SampleVenue.tiny.features[0].id
    private static let readings = [
        "", "/sync", "/revisions", "/revisions/1", "/revisions/1/features", "/revisions/1/archive.zip",
        "/diff?from=1&to=1", "/features/\(feature)", "/features/\(feature)/history",
    ]

    @Test func `public venue: reading it needs no key and ignores a wrong one`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        let elsewhere = try await harness.makeKey(.read, for: ["office"])
        for path in Self.readings {
            let expected = try await harness.send(.get, "/venues/mall\(path)", key: nil)
            #expect(expected.status == .ok, "\(path)")
            for key in ["wrong", elsewhere] {
                let response = try await harness.send(.get, "/venues/mall\(path)", key: key)
                #expect(response.status == .ok && response.data == expected.data, "\(path)")
            }
            #expect(expected.parts(of: .cacheControl).contains("public"), "\(path)")
            #expect(!expected.parts(of: .vary).contains("authorization"), "\(path)")
        }
        #expect(try await harness.send(.get, "/venues/mall", key: nil).json.keys.contains("settings") == false)
    }

    @Test func `authors and messages are for keys that may publish, and not for shared caches`() async throws {
        let harness = Harness.current
        let editor = try await harness.makeKey(.publish, named: "Secret Name")
        try await harness.push(EditedVenue().archive(), query: "?message=Secret%20Reason", key: editor)
        let patch = try await harness.patch(
            EditedVenue.cafe, ["hours": "24/7"], "?message=Secret%20Reason", key: editor)
        #expect(patch.status == .created)
        let history = "/features/\(Handmade.id(EditedVenue.cafe))/history"
        let paths = ["/revisions", "/revisions/1", "/revisions/2", "/diff?from=1&to=2", history].map {
            "/venues/mall\($0)"
        }
        let (reader, elsewhere) = (
            try await harness.makeKey(.read, for: ["mall"]), try await harness.makeKey(.publish, for: ["office"])
        )
        for isPublic in [false, true] {
            try await harness.set("public", to: .bool(isPublic))
            for path in paths {
                let told = try await harness.send(.get, path, key: editor)
                #expect(told.text.contains("Secret Name") && told.text.contains("Secret Reason"), "\(path)")
                #expect(told.parts(of: .cacheControl).contains("private"), "\(path)")
                #expect(told.parts(of: .vary).contains("authorization"), "\(path)")
                for key in isPublic ? [nil, "wrong", reader, elsewhere] : [reader] {
                    let response = try await harness.send(.get, path, key: key)
                    #expect(response.status == .ok && !response.text.contains("Secret"), "\(path)")
                    #expect(response.parts(of: .cacheControl).contains("public") == isPublic, "\(path)")
                }
            }
        }
        // A key that is revoked is a stranger's.
        let keys = try await harness.send(.get, "/keys").json["keys"]?.array ?? []
        let id = try #require(keys.first { $0["name"] == "Secret Name" }?["id"]?.string)
        #expect(try await harness.send(.delete, "/keys/\(id)").status == .noContent)
        for path in paths {
            #expect(try await harness.send(.get, path, key: editor).text.contains("Secret") == false, "\(path)")
        }
    }

    @Test func `response with members for one key only is not marked for shared caches`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        let response = try await harness.send(.get, "/venues/mall")
        #expect(try response.json.keys.contains("settings"))
        #expect(!response.parts(of: .cacheControl).contains("public"))
    }

    @Test func `public venue: writing to it is refused to keys without the right`() async throws {
        let harness = Harness.current
        let zip = try SampleVenue.tiny.archive()
        let upload = try await harness.push(zip)
        try await harness.set("public", to: true)
        let elsewhere = try await harness.makeKey(.admin, for: ["office"])
        try await harness.upload(zip, key: nil).problem(401)
        try await harness.upload(zip, key: elsewhere).problem(403)
        try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1], key: elsewhere).problem(403)
        try await harness.send(.patch, "/venues/mall", json: ["public": false], key: elsewhere).problem(403)
        try await harness.send(.get, "/uploads/\(upload.id)", key: nil).problem(401)
    }

    @Test func `public venue that is made private is hidden again`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        try await harness.set("public", to: false)
        try await harness.send(.get, "/venues/mall/sync", key: nil).problem(401)
    }

    @Test func `public venue: clients without a key are informed that it was deleted`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        let cursor = try await harness.sync(key: nil).cursor
        _ = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(cursor)", key: nil)
        #expect(try response.problem(410).type == "/problems/venue-gone")
    }

    @Test func `venue list has public venues and those the key may read`() async throws {
        let harness = Harness.current
        for venue in ["mall", "office", "station"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        try await harness.set("public", to: true, of: "station")
        let key = try await harness.makeKey(.read, for: ["office"])
        let names = try await harness.send(.get, "/venues", key: key).json["venues"]?.array?.map {
            $0["venue"]?.string
        }
        #expect(names == ["office", "station"])
    }
}
