import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct UploadTests {
    /// The members of an upload in every state.
    private static let members: Set = [
        "id", "venue", "created_venue", "state", "reasons", "message", "file_name", "author", "archive", "bytes",
        "base", "revision",
        "publish_at", "attempts", "progress", "findings", "identity", "changes", "received_at", "finished_at",
    ]

    @Test func `upload is accepted at once, with every member present, if only as null`() async throws {
        let harness = Harness.current
        let zip = try SampleVenue.tiny.archive()
        let response = try await harness.upload(zip)
        #expect(response.status == .accepted)
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true)
        let upload = try response.json
        let id = try #require(upload["id"]?.string)
        #expect(response.headers[.location] == "/uploads/\(id)")
        #expect(upload.keys.isSuperset(of: Self.members), "\(Self.members.subtracting(upload.keys))")
        for member in [
            "message", "file_name", "base", "revision", "publish_at", "identity", "changes", "finished_at",
        ] {
            #expect(upload[member]?.isNull == true, "\(member)")
        }
        #expect(upload["venue"] == "mall" && upload["created_venue"] == true && upload["state"] == "received")
        #expect(upload["archive"]?.string == Digest(of: zip).description)
        #expect(upload["bytes"]?.number == Double(zip.count) && upload["attempts"] == 0)
        #expect(upload["progress"]?.keys.isSuperset(of: ["phase", "done", "total"]) == true)
        #expect(upload["findings"]?["complete"] == false && upload["findings"]?["error"] == 0)
        #expect(upload["reasons"] == [])
        let received = try #require(upload["received_at"]?.string)
        #expect(Timestamp.date(of: received) != nil && received.hasSuffix("Z"))
        #expect(try await harness.send(.get, "/uploads/\(id.uppercased())").json == upload)
    }

    @Test func `published upload reports what it changed`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        let first = try await harness.push(venue.archive())
        let path = "/uploads/\(first.id)"
        let made = try await harness.send(.get, path).json
        #expect(made.keys.isSuperset(of: Self.members))
        #expect(made["state"] == "published" && made["revision"] == 1 && made["attempts"] == 1)
        #expect(
            made["identity"]?.keys.isSuperset(of: ["kept", "aliased", "matched", "near", "new", "gone"]) == true)
        #expect(made["identity"]?["new"]?.number == Double(venue.features.count) && made["identity"]?["kept"] == 0)
        #expect(made["changes"]?["added"]?.number == Double(venue.features.count))
        #expect(made["changes"]?.keys.isSuperset(of: ["added", "changed", "removed", "levels", "words"]) == true)
        #expect(made["changes"]?["words"]?.array?.isEmpty == false)
        let levels = try #require(made["changes"]?["levels"]?.array)
        #expect(levels[0]["level_id"]?.isNull == true && levels[0]["ordinal"]?.isNull == true)
        #expect(
            levels.allSatisfy { $0.keys.isSuperset(of: ["level_id", "ordinal", "added", "changed", "removed"]) })
        #expect(made["finished_at"]?.string.flatMap { Timestamp.date(of: $0) } != nil)

        let next = venue.edited(Edit(.rename, 2), Edit(.add, 1))
        let second = try await harness.push(next.archive())
        #expect(second.state == .published && second.base == 1 && second.revision == 2 && !second.createdVenue)
        #expect(second.changes?.changed == 2 && second.changes?.added == 2 && second.changes?.removed == 0)
        #expect(second.identity?.kept == venue.features.count && second.identity?.new == 2)
        #expect(second.findings.complete)
    }

    @Test func `upload equal to the head makes no revision`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let cursor = try await harness.sync().cursor
        let again = try await harness.push(venue.archive())
        let respelt = try venue.edited(Edit(.noise)).archive()
        let other = try await harness.push(respelt)
        #expect(try respelt != venue.archive())
        #expect(again.state == .unchanged && other.state == .unchanged && again.id != other.id)
        #expect(again.revision == nil && again.finishedAt != nil)
        #expect(try await harness.get(Venue.self, "/venues/mall").head == 1)
        #expect(try await harness.sync().cursor == cursor)
    }

    @Test func `upload of the same bytes is the same upload until it is finished`() async throws {
        let harness = Harness.current
        let zip = try SampleVenue.tiny.archive()
        let first = try await harness.upload(zip).decoded(Upload.self)
        let second = try await harness.upload(zip)
        #expect(second.status == .accepted && second.headers[.location] == "/uploads/\(first.id)")
        let elsewhere = try await harness.upload(zip, to: "office").decoded(Upload.self)
        let otherwise = try await harness.upload(zip, query: "?identity=trust").decoded(Upload.self)
        #expect(Set([first.id, elsewhere.id, otherwise.id]).count == 3)
        try await harness.work()
        let later = try await harness.upload(zip).decoded(Upload.self)
        #expect(later.id != first.id)
        #expect(try await harness.count("archive") == 1)
    }

    @Test func `uploads of a venue are published in the order of arrival`() async throws {
        let harness = Harness.current
        var venue = SampleVenue.tiny
        for number in 1...3 {
            if number > 1 { venue = venue.edited(Edit(.rename, 1), seed: UInt64(number)) }
            let response = try await harness.upload(venue.archive(), query: "?message=\(number)")
            #expect(response.status == .accepted)
        }
        try await harness.work()
        let log = try await harness.send(.get, "/venues/mall/revisions").json["revisions"]?.array
        #expect(log?.map { $0["message"]?.string } == ["3", "2", "1"])
    }

    @Test func `upload message and the name of the key are in the revision log`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.publish, named: "ops key", for: ["mall"])
        let query = "?message=Spring%20tenants%20%E6%98%A5&publish=now"
        let upload = try await harness.push(SampleVenue.tiny.archive(), query: query, key: key)
        #expect(upload.message == "Spring tenants 春" && upload.author == "ops key")
        let revision = try await harness.get(Revision.self, "/venues/mall/revisions/1", key: key)
        #expect(revision.message == "Spring tenants 春" && revision.author == "ops key")
    }

    @Test func `upload has the name of the file, if the client says it and it is not too long`() async throws {
        let harness = Harness.current
        let archive = try SampleVenue.tiny.archive()
        let upload = try await harness.push(archive, query: "?file_name=Spring%20%E6%98%A5.zip")
        #expect(upload.fileName == "Spring 春.zip" && upload.message == nil)
        let list = try await harness.send(.get, "/venues/mall/uploads").json["uploads"]?.array
        #expect(list?.map { $0["file_name"]?.string } == ["Spring 春.zip"])
        for name in [String(repeating: "n", count: 2_001), "a%00.zip"] {
            let refused = try await harness.upload(archive, query: "?file_name=\(name)")
            #expect(try refused.problem(400).title == "The parameter “file_name” is invalid")
        }
    }

    @Test func `upload can be waited for`() async throws {
        let harness = Harness.current
        let upload = try await harness.upload(SampleVenue.tiny.archive()).decoded(Upload.self)
        #expect(try await harness.get(Upload.self, "/uploads/\(upload.id)?wait=0").state == .received)
        async let waiting = harness.get(Upload.self, "/uploads/\(upload.id)?wait=30")
        try await harness.work()
        let finished = try await waiting
        #expect(finished.state == .published)
        // The state is final, so the request returns at once.
        #expect(try await harness.get(Upload.self, "/uploads/\(upload.id)?wait=30").state == .published)
        for wait in ["-1", "ten", "1.5"] {
            try await harness.send(.get, "/uploads/\(upload.id)?wait=\(wait)").problem(400)
        }
    }

    @Test func `uploads are listed with the newest first`() async throws {
        let harness = Harness.current
        let made = try await harness.push(SampleVenue.tiny.archive())
        let again = try await harness.push(SampleVenue.tiny.archive())
        let broken = try await harness.push([80, 75])
        try await harness.push(SampleVenue.tiny.archive(), to: "office")
        func list(_ query: String) async throws -> [String?] {
            let response = try await harness.send(.get, "/venues/mall/uploads\(query)")
            return try #require(response.json["uploads"]?.array).map { $0["id"]?.string }
        }
        #expect(try await list("") == [broken.id, again.id, made.id])
        #expect(try await list("?state=published") == [made.id])
        #expect(try await list("?state=rejected&limit=5") == [broken.id])
        #expect(try await list("?state=failed") == [])
        #expect(try await list("?limit=2") == [broken.id, again.id])
        for query in ["state=lost", "limit=0", "limit=ten", "limit=-1"] {
            try await harness.send(.get, "/venues/mall/uploads?\(query)").problem(400)
        }
    }

    @Test func `unknown upload is answered 404`() async throws {
        let harness = Harness.current
        for id in ["\(Handmade.id(1))", "mall", "%00"] {
            try await harness.send(.get, "/uploads/\(id)").problem(404)
            try await harness.send(.get, "/uploads/\(id)/findings").problem(404)
        }
    }
}
