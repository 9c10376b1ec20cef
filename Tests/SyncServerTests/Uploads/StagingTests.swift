import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import Ingestion
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Uploads that are held until somebody decides.
@Suite(.database)
struct StagingTests {
    private static let next = SampleVenue.tiny.edited(Edit(.rename, 2), Edit(.add, 1), Edit(.remove, 1), seed: 3)

    @Test func `a held upload is staged, says what would change, and changes nothing`() async throws {
        try await Harness.run { harness in
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
    }

    @Test func `what was held is published as it was shown, once somebody says so`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue.tiny.archive())
            let held = try await harness.push(Self.next.archive(), query: "?publish=hold")
            let shown = try await harness.send(.get, "/uploads/\(held.id)/changes").json
            #expect(shown["to"]?.isNull == true && shown["from"] == 1)
            let answer = try await harness.decide(held, ["base": 1])
            #expect(answer.status == .ok, "\(answer.text)")
            let upload = try answer.decoded(Upload.self)
            #expect(upload.state == .published && upload.revision == 2 && upload.publishedBy == "admin")
            let diff = try await harness.send(.get, "/venues/mall/diff?from=1&to=2").json
            #expect(diff["changes"] == shown["changes"] && diff["words"] == shown["words"])
            let after = try await harness.send(.get, "/uploads/\(held.id)/changes").json
            #expect(after == diff)
            #expect(try await harness.count("staged_change") == 0)
        }
    }
}

extension Harness {
    /// Asks for a staged upload to be published, with a worker at work until there is an answer.
    func decide(_ upload: Upload, _ wish: JSONValue = [:], key: String? = Self.adminKey) async throws -> TestResponse {
        try await withThrowingTaskGroup(of: TestResponse?.self) { group in
            group.addTask { try await self.send(.post, "/uploads/\(upload.id)/publish", json: wish, key: key) }
            group.addTask {
                while !Task.isCancelled {
                    if try await !self.worker.workOnce() { try? await Task.sleep(for: .milliseconds(10)) }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() {
                if let answer { return answer }
            }
            throw CancellationError()
        }
    }
}
