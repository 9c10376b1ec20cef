import Foundation
import HTTPTypes
import IMDF
import Ingestion
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Uploads with a publication time, and uploads that name their base.
@Suite(.server)
struct StagingTimeTests {
    private static let next = SampleVenue.tiny.edited(Edit(.rename, 2), seed: 3)
    private static let other = SampleVenue.tiny.edited(Edit(.hours, 2), seed: 4)

    @Test func `timed upload waits for its time and is then published automatically`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let timed = try await harness.push(Self.next.archive(), query: "?publish=\(Upload.tomorrow)")
        #expect(timed.state == .staged && timed.reasons.isEmpty)
        #expect(timed.publishAt.map(Timestamp.text(of:)) == Upload.tomorrow)
        #expect(try await !harness.worker.workOnce())
        try await harness.makeDue(timed)
        #expect(try await harness.worker.workOnce())
        let upload = try await harness.upload(timed.id)
        #expect(upload.state == .published && upload.revision == 2 && upload.attempts == 1)
        #expect(try await harness.count("staged_change") == 0)
    }

    @Test(arguments: [
        "2020-01-01T00:00:00Z", "2020-01-01T09:00:00%2B09:00", "2020-01-01T09:00:00+09:00",
        "2020-01-01T09:00:00.5-03:00",
    ])
    func `timed upload with a time in the past is due at once`(time: String) async throws {
        let harness = Harness.current
        let upload = try await harness.push(SampleVenue.tiny.archive(), query: "?publish=\(time)")
        #expect(upload.state == .published && upload.revision == 1)
    }

    @Test func `timed upload with a malformed time is refused`() async throws {
        let harness = Harness.current
        for time in ["tomorrow", "2031-04-01", "2031-04-01T09:00", "12", "hold,now", "Now", "%00"] as [String] {
            try await harness.upload(SampleVenue.tiny.archive(), query: "?publish=\(time)").problem(400, "\(time)")
            #expect(try await harness.count("venue") == 0)
        }
    }

    @Test func `timed upload is held when another revision was published before its time`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let timed = try await harness.push(Self.next.archive(), query: "?publish=\(Upload.tomorrow)")
        try await harness.push(Self.other.archive())
        try await harness.makeDue(timed)
        try await harness.work()
        let upload = try await harness.upload(timed.id)
        #expect(upload.state == .staged && upload.reasons == ["head_moved"] && upload.publishAt == nil)
        #expect(upload.base == 2 && upload.changes?.changed == 4)
        #expect(try await !harness.worker.workOnce())
        #expect(try await harness.head() == 2)
        #expect(try await harness.decide(timed, ["base": 2]).status == .ok)
    }

    @Test func `timed upload is published when intermediate revisions were rolled back before its time`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let timed = try await harness.push(Self.next.archive(), query: "?publish=\(Upload.tomorrow)")
        try await harness.push(Self.other.archive())
        try await harness.rollBack(to: 1)
        try await harness.makeDue(timed)
        try await harness.work()
        #expect(try await harness.upload(timed.id).revision == 4)
    }

    @Test func `timed upload that a guard stops loses its time`() async throws {
        let harness = Harness.current
        try await harness.push(PlainVenue(units: [17]).archive())
        let stopped = try await harness.push(
            PlainVenue(units: [2]).archive(), query: "?publish=2020-01-01T00:00:00Z")
        #expect(stopped.state == .staged && stopped.reasons == ["removal"] && stopped.publishAt == nil)
        #expect(try await harness.decide(stopped, ["confirm": ["removal"]]).status == .ok)
    }

    @Test func `timed upload can be published early and discarded`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let early = try await harness.push(Self.next.archive(), query: "?publish=\(Upload.tomorrow)")
        let never = try await harness.push(Self.other.archive(), query: "?publish=\(Upload.tomorrow)")
        #expect(try await harness.decide(early, ["base": 1]).status == .ok)
        #expect(try await harness.send(.delete, "/uploads/\(never.id)").status == .noContent)
        for upload in [early, never] { try await harness.makeDue(upload) }
        #expect(try await !harness.worker.workOnce())
        #expect(try await harness.head() == 2)
    }

    @Test func `upload whose base is the head is published`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        #expect(try await harness.push(Self.next.archive(), query: "?base=1").revision == 2)
    }

    @Test func `upload with an older base is held, unless the difference is the same`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(Self.other.archive())
        for base in [0, 1] {
            let stopped = try await harness.push(Self.next.archive(), query: "?base=\(base)")
            #expect(stopped.state == .staged && stopped.reasons == ["head_moved"] && stopped.base == 2)
        }
        try await harness.rollBack(to: 1)
        let third = SampleVenue.tiny.edited(Edit(.rename, 1), seed: 9)
        #expect(try await harness.push(third.archive(), query: "?base=1").revision == 4)
    }

    @Test func `upload with a base beyond the head is refused and stores nothing`() async throws {
        let harness = Harness.current
        let zip = try SampleVenue.tiny.archive()
        let problem = try await harness.upload(zip, query: "?base=1").problem(404)
        #expect(problem.type == "/problems/revision-not-found")
        #expect(try await harness.count("venue") == 0)
        #expect(try await harness.count("archive") == 0)
        try await harness.push(zip)
        try await harness.upload(Self.next.archive(), query: "?base=2&create=false").problem(404)
        #expect(try await harness.count("upload") == 1)
    }
}
