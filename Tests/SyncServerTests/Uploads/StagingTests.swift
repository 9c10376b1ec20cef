import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Uploads that are held until somebody decides.
@Suite(.server)
struct StagingTests {
    private static let next = SampleVenue.tiny.edited(Edit(.rename, 2), Edit(.add, 1), Edit(.remove, 1), seed: 3)
    private static let other = SampleVenue.tiny.edited(Edit(.hours, 2), seed: 4)

    @Test func `held upload is staged, reports its changes and publishes nothing`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let before = try await harness.send(.get, "/venues/mall/sync").text
        let upload = try await harness.push(Self.next.archive(), query: "?publish=hold")
        #expect(upload.state == .staged && upload.reasons.isEmpty && upload.base == 1 && upload.revision == nil)
        #expect(upload.publishAt == nil && upload.finishedAt == nil && upload.identity != nil)
        let changes = try #require(upload.changes)
        #expect(changes.added == 2 && changes.changed == 2 && !changes.words.isEmpty)
        #expect(upload.findings.complete)
        #expect(try await harness.send(.get, "/venues/mall/sync").text == before)
    }

    @Test func `held upload is published as it was shown when somebody decides so`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold&message=Spring")
        let shown = try await harness.send(.get, "/uploads/\(held.id)/changes").json
        #expect(shown["to"]?.isNull == true && shown["from"] == 1)
        let response = try await harness.decide(held, ["base": 1])
        #expect(response.status == .ok, "\(response.text)")
        let upload = try response.decoded(Upload.self)
        #expect(upload.state == .published && upload.revision == 2 && upload.publishedBy == "admin")
        let diff = try await harness.send(.get, "/venues/mall/diff?from=1&to=2").json
        #expect(diff["changes"] == shown["changes"] && diff["words"] == shown["words"])
        #expect(try await harness.send(.get, "/uploads/\(held.id)/changes").json == diff)
        #expect(try await harness.features(at: 2).count == Self.next.features.count)
        #expect(try await harness.count("staged_change") == 0)
    }

    @Test func `held upload may be the first of a venue`() async throws {
        let harness = Harness.current
        let held = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold&base=0")
        #expect(held.state == .staged && held.base == 0 && held.reasons.isEmpty && held.createdVenue)
        try await harness.send(.get, "/venues/mall").problem(404)
        let shown = try await harness.changes(of: held)
        #expect(shown.from == 0 && shown.changes.count == SampleVenue.tiny.features.count)
        #expect(shown.changes.allSatisfy { $0.kind == .added && $0.before == .none && $0.after != .none })
        #expect(try await harness.decide(held, ["base": 0]).status == .ok)
        let after = try await harness.changes(of: held)
        #expect(after.from == 0 && after.to == 1 && after.words == shown.words)
        #expect(after.changes.map(\.id) == shown.changes.map(\.id))
    }

    @Test func `upload without changes is unchanged, held or not`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        #expect(try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold").state == .unchanged)
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        #expect(try await harness.push(Self.next.archive()).state == .published)
        let response = try await harness.decide(held)
        #expect(try response.status == .ok && response.decoded(Upload.self).state == .unchanged)
        #expect(try await harness.head() == 2)
    }

    @Test func `publishing after a rollback is refused with the changes against the new base, which then publishes`()
        async throws
    {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(Self.other.archive())
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        let shown = try await harness.changes(of: held)
        try await harness.rollBack(to: 1)
        let response = try await harness.decide(held, ["base": 2])
        let problem = try response.problem(409)
        #expect(problem.type == "/problems/head-moved")
        let json = try response.json
        #expect(json["base"] == 3 && json["href"]?.string == "/uploads/\(held.id)/changes")
        #expect(json["changes"]?["words"]?.array?.isEmpty == false)
        let again = try await harness.upload(held.id)
        #expect(again.state == .staged && again.reasons == ["head_moved"] && again.base == 3)
        #expect(again.changes?.changed == json["changes"]?["changed"]?.number.map { Int($0) })
        let renewed = try await harness.changes(of: held)
        #expect(renewed.from == 3 && renewed.changes.count < shown.changes.count)
        // The same request is refused again, so that nobody publishes on the basis of an outdated difference.
        #expect(try await harness.decide(held, ["base": 2]).problem(409).type == "/problems/head-moved")
        #expect(try await harness.head() == 3)
        #expect(try await harness.decide(held, ["base": 3]).status == .ok)
        let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=3&to=4")
        #expect(diff.changes.map(\.id) == renewed.changes.map(\.id))
        #expect(diff.changes.map(\.after) == renewed.changes.map(\.after))
        #expect(diff.changes.map(\.before) == renewed.changes.map(\.before))
    }

    @Test func `publishing with the newest base is refused when another base was shown`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        try await harness.push(Self.other.archive())
        try await harness.decide(held, ["base": 2]).problem(409)
        #expect(try await harness.upload(held.id).base == 2)
        #expect(try await harness.decide(held, ["base": 2]).status == .ok)
    }

    @Test func `publishing succeeds after other revisions when the difference is the same`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        try await harness.push(Self.other.archive())
        try await harness.rollBack(to: 1)
        let response = try await harness.decide(held, ["base": 1])
        #expect(try response.status == .ok && response.decoded(Upload.self).revision == 4)
    }

    @Test func `publishing never undoes a change that was not shown, even if the result were the same`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let renamed = try #require(Self.next.features(otherThanIn: .tiny).first { $0.type == .occupant })
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        // Another upload renames the same shop, so the same feature would change to the same body.
        var between = SampleVenue.tiny
        let index = try #require(between.features.firstIndex { $0.id == renamed.id })
        between.features[index]["name"] = ["en": "In Between"]
        #expect(try await harness.push(between.archive()).state == .published)
        #expect(try await harness.decide(held, ["base": 1]).problem(409).type == "/problems/head-moved")
    }

    @Test func `publishing without a base replaces whatever is there`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        try await harness.push(Self.other.archive())
        let response = try await harness.decide(held)
        #expect(try response.status == .ok && response.decoded(Upload.self).base == 2)
        #expect(try await harness.head() == 3)
    }

    @Test func `decisions: only staged uploads can be published, and only waiting ones discarded`() async throws {
        let harness = Harness.current
        let done = try await harness.push(SampleVenue.tiny.archive())
        try await harness.ask(done).problem(409)
        #expect(try await harness.send(.delete, "/uploads/\(done.id)").problem(409).type == "/problems/wrong-state")
        let waiting = try await harness.upload(Self.other.archive()).decoded(Upload.self)
        try await harness.ask(waiting).problem(409)
        try await harness.send(.get, "/uploads/\(waiting.id)/changes").problem(409)
        #expect(try await harness.send(.delete, "/uploads/\(waiting.id)").status == .noContent)
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        #expect(try await harness.send(.delete, "/uploads/\(held.id)").status == .noContent)
        for id in [waiting.id, held.id] {
            let upload = try await harness.upload(id)
            #expect(upload.state == .discarded && upload.finishedAt != nil)
            try await harness.ask(upload).problem(409)
            try await harness.send(.delete, "/uploads/\(id)").problem(409)
            try await harness.send(.get, "/uploads/\(id)/changes").problem(409)
        }
        #expect(try await harness.count("staged_change") == 0)
        #expect(try await harness.head() == 1)
    }

    @Test func `publishing without a worker is accepted and answered with the waiting upload`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
        let response = try await harness.ask(held, wait: 0)
        #expect(response.status == .accepted && response.headers[.location] == "/uploads/\(held.id)")
        #expect(try response.decoded(Upload.self).state == .received)
        try await harness.ask(held, wait: 0).problem(409)
        try await harness.work()
        #expect(try await harness.upload(held.id).state == .published)
    }

    @Test func `decision that is malformed is refused, and the upload stays staged`() async throws {
        let harness = Harness.current
        let held = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold")
        for body in [
            #"{"base":-1}"#, #"{"base":1.5}"#, #"{"base":"one"}"#, #"{"confirm":"removal"}"#,
            #"{"confirm":["remove"]}"#,
            #"{"confirm":["removal","a\u0000"]}"#, "[]", "no JSON",
        ] as [String] {
            try await harness.send(.post, "/uploads/\(held.id)/publish", body: Array(body.utf8)).problem(400, "\(body)")
            #expect(try await harness.upload(held.id).state == .staged)
        }
    }

    @Test func `decision with a base beyond the head is answered 404`() async throws {
        let harness = Harness.current
        let held = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold")
        #expect(try await harness.ask(held, ["base": 1]).problem(404).type == "/problems/revision-not-found")
        #expect(try await harness.upload(held.id).state == .staged)
    }

    @Test func `decision needs the role to publish on the venue`() async throws {
        let harness = Harness.current
        let held = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold")
        let reader = try await harness.makeKey(.read)
        let foreign = try await harness.makeKey(.publish, for: ["airport"])
        let publisher = try await harness.makeKey(.publish, named: "ops", for: ["mall"])
        for (key, status) in [(nil, 401), ("wrong", 401), (reader, 403), (foreign, 404)] as [(String?, Int)] {
            try await harness.ask(held, key: key).problem(status)
            try await harness.send(.delete, "/uploads/\(held.id)", key: key).problem(status)
            try await harness.send(.get, "/uploads/\(held.id)/changes", key: key).problem(status)
        }
        let response = try await harness.decide(held, key: publisher)
        #expect(try response.status == .ok && response.decoded(Upload.self).publishedBy == "ops")
    }

    @Test func `upload options: the same archive held, timed and published at once makes different uploads`()
        async throws
    {
        let harness = Harness.current
        let zip = try SampleVenue.tiny.archive()
        var ids: Set<String> = []
        for query in [
            "", "?publish=now", "?publish=hold", "?publish=\(Upload.tomorrow)", "?base=0", "?publish=hold",
        ] {
            ids.insert(try await harness.upload(zip, query: query).decoded(Upload.self).id)
        }
        #expect(ids.count == 4)
    }

    @Test func `staged changes are deleted with their venue`() async throws {
        let harness = Harness.current
        let held = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=hold")
        _ = try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"])
        #expect(try await harness.upload(held.id).state == .discarded)
        #expect(try await harness.count("staged_change") == 0)
    }
}
