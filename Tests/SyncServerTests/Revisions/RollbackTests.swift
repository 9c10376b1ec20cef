import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct RollbackTests {
    private static let path = "/venues/mall/rollback"

    private static func prepare(_ harness: Harness) async throws {
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 2), Edit(.relevel, 1), Edit(.remove, 1)).archive())
    }

    @Test func `rollback makes a new revision equal to an earlier one`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let key = try await harness.makeKey(.publish, named: "night shift", for: ["mall"])
        let response = try await harness.send(.post, Self.path, json: ["to": 1, "message": "Oh no"], key: key)
        #expect(response.status == .created)
        let location = try #require(response.headers[.location])
        #expect(location == "/venues/mall/revisions/3")
        let revision = try await harness.get(Revision.self, location)
        #expect(revision.number == 3 && revision.kind == .rollback && revision.restores == 1)
        #expect(revision.author == "night shift" && revision.message == "Oh no")
        let first = try await harness.get(Revision.self, "/venues/mall/revisions/1")
        #expect(revision.digest == first.digest && revision.features == first.features)
        #expect(Set(try await harness.features(at: 3)) == Set(SampleVenue.tiny.bodies.values))
        let diff = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=1&to=3")
        #expect(diff.changes.isEmpty)
        let change = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=2&to=3")
        let counts = revision.changes
        #expect(counts.added + counts.changed + counts.removed == change.changes.count && !counts.words.isEmpty)
    }

    @Test func `rollback based on a dry run is refused when the head has moved since`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let plan = try await harness.send(.post, Self.path, json: ["to": 1, "dry_run": true]).json
        let seen = try #require(plan["from"]?.number)
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 4), seed: 5).archive())
        for isDry in [true, false] {
            let problem = try await harness.send(
                .post, Self.path, json: ["to": 1, "base": .number(seen), "dry_run": .bool(isDry)]
            ).problem(409)
            #expect(problem.type == "/problems/head-moved")
        }
        #expect(try await harness.get(Venue.self, "/venues/mall").head == 3)
        let response = try await harness.send(.post, Self.path, json: ["to": 1, "base": 3])
        #expect(response.status == .created)
    }

    @Test func `rollback can be undone by another one`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        for target in [1, 2, 1] {
            let response = try await harness.send(.post, Self.path, json: ["to": .number(Double(target))])
            #expect(response.status == .created)
            let then = try await harness.get(Revision.self, "/venues/mall/revisions/\(target)")
            #expect(try await harness.get(Venue.self, "/venues/mall").digest == then.digest)
        }
        #expect(try await harness.get(Venue.self, "/venues/mall").head == 5)
    }

    @Test func `rollback: a dry run reports the changes and makes none`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        let before = try await harness.send(.get, "/venues/mall").data
        let response = try await harness.send(.post, Self.path, json: ["to": 1, "dry_run": true])
        #expect(response.status.kind == .successful && response.status != .created)
        let back = try await harness.get(RevisionDiff.self, "/venues/mall/diff?from=2&to=1")
        let changes = try #require(response.json["changes"])
        let count = ["added", "changed", "removed"].compactMap { changes[$0]?.number }.reduce(0, +)
        #expect(count == Double(back.changes.count) && count > 0)
        #expect(try await harness.send(.get, "/venues/mall").data == before)
        #expect(try await harness.count("revision") == 2)
        #expect(try await harness.send(.post, Self.path, json: ["to": 1, "dry_run": false]).status == .created)
    }

    @Test func `rollback to an unknown revision, or to an equal state, is refused`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        try await harness.send(.post, Self.path, json: ["to": 9]).problem(404)
        try await harness.send(.post, Self.path, json: ["to": 2]).problem(409)
        try await harness.send(.post, Self.path, json: ["to": 2, "dry_run": true]).problem(409)
        #expect(try await harness.send(.post, Self.path, json: ["to": 1]).status == .created)
        // Another revision with the same state.
        try await harness.send(.post, Self.path, json: ["to": 1]).problem(409)
        try await harness.send(.post, "/venues/nowhere/rollback", json: ["to": 1]).problem(404)
        #expect(try await harness.count("revision") == 3)
    }

    @Test func `rollback: a malformed request is refused`() async throws {
        let harness = Harness.current
        try await Self.prepare(harness)
        for body in [
            "", "{}", "[]", "{", "null", "1", #"{"to":"one"}"#, #"{"to":1.5}"#, #"{"to":null}"#,
            #"{"to":1,"dry_run":"yes"}"#,
            #"{"to":1,"message":7}"#, #"{"to":1,"message":"a\u0000"}"#,
        ] as [String] {
            let response = try await harness.send(.post, Self.path, type: "application/json", body: Array(body.utf8))
            try response.problem(400, "\(body)")
            #expect(try await harness.count("revision") == 2)
        }
    }
}
