import Foundation
import HTTPTypes
import IMDF
import Ingestion
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Concurrent decisions, and workers that are lost while they work.
@Suite(.server)
struct StagingRaceTests {
    private static let next = SampleVenue.tiny.edited(Edit(.rename, 2), seed: 3)

    private static func stage(_ harness: Harness, at time: String = "hold") async throws -> Upload {
        try await harness.push(SampleVenue.tiny.archive())
        return try await harness.push(Self.next.archive(), query: "?publish=\(time)")
    }

    @Test func `decision to publish: concurrent decisions on one upload make one revision`() async throws {
        let harness = Harness.current
        let held = try await Self.stage(harness)
        let statuses = try await harness.working {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await harness.ask(held, ["base": 1]).status.code } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
        }
        #expect(statuses.contains(200) && statuses.allSatisfy { $0 == 200 || $0 == 409 }, "\(statuses)")
        #expect(try await harness.head() == 2)
        #expect(try await harness.count("revision") == 2)
    }

    @Test func `decision and rollback at the same time are serialised`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.edited(Edit(.hours, 2), seed: 4).archive())
        var head: Int64 = 2
        for round in 0..<6 as Range<UInt64> {
            let zip = try SampleVenue.tiny.edited(Edit(.rename, 1), seed: 40 + round).archive()
            let held = try await harness.push(zip, query: "?publish=hold")
            let (base, target) = (head, head - 1)
            async let decision = harness.decide(held, ["base": .number(Double(base))])
            async let rollback = harness.rollBack(to: target)
            let (decided, rolledBack) = try await (decision, rollback)
            try #require(rolledBack.status == .created, "\(rolledBack.text)")
            let upload = try await harness.upload(held.id)
            if decided.status == .ok {
                // The decision came first, and the rollback followed it.
                #expect(upload.revision == head + 1)
                head += 2
            } else {
                #expect(try decided.problem(409).type == "/problems/head-moved")
                #expect(upload.state == .staged && upload.base == head + 1)
                head += 1
                #expect(try await harness.send(.delete, "/uploads/\(held.id)").status == .noContent)
            }
            #expect(try await harness.head() == head)
        }
    }

    @Test func `timed upload that is due is published by one of many workers`() async throws {
        let harness = Harness.current
        let timed = try await Self.stage(harness, at: Upload.tomorrow)
        try await harness.makeDue(timed)
        let worked = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { try await harness.worker.workOnce() } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(worked == 1)
        #expect(try await harness.upload(timed.id).revision == 2)
        #expect(try await harness.count("revision") == 2)
    }

    @Test func `timed upload that is due is published once when its worker is lost halfway`() async throws {
        let harness = Harness.current
        let timed = try await Self.stage(harness, at: Upload.tomorrow)
        try await harness.makeDue(timed)
        let lost = try #require(try await harness.store.claim(leaseFor: 0))
        #expect(lost.upload.description == timed.id && lost.shownDifference?.base == 1 && lost.publishRequest == nil)
        #expect(try await harness.upload(timed.id).state == .processing)
        #expect(try await harness.worker.workOnce())
        #expect(try await harness.upload(timed.id).revision == 2)
        // The lost worker returns and finds that its lease was taken.
        let staging = Staging(
            base: 1, reasons: [], digest: Digest(of: []),
            identity: ArchiveIdentity(counts: try #require(timed.identity), matches: []),
            changes: ChangeSummary(added: 0, changed: 0, removed: 0), facts: [], items: [])
        await #expect(throws: StoreError.leaseLost) {
            try await harness.store.stage(staging, of: lost, findings: [])
        }
        try await harness.store.release(lost, after: "too late")
        #expect(try await harness.upload(timed.id).state == .published)
        #expect(try await !harness.worker.workOnce())
    }

    @Test func `decision survives the loss of its worker`() async throws {
        let harness = Harness.current
        let held = try await Self.stage(harness)
        try await harness.push(SampleVenue.tiny.edited(Edit(.hours, 1), seed: 2).archive())
        #expect(try await harness.ask(held, ["base": 1], wait: 0).status == .accepted)
        let lost = try #require(try await harness.store.claim(leaseFor: 0))
        #expect(lost.publishRequest == Job.PublishRequest(base: 1, confirmed: []) && lost.shownDifference?.base == 1)
        try await harness.work()
        let upload = try await harness.upload(held.id)
        #expect(upload.state == .staged && upload.reasons == ["head_moved"] && upload.base == 2)
        #expect(upload.publishedBy == nil)
    }

    @Test func `timed upload fails when its worker is lost three times, and its staged changes are deleted`()
        async throws
    {
        let harness = Harness.current
        let timed = try await Self.stage(harness, at: Upload.tomorrow)
        try await harness.makeDue(timed)
        for attempt in 1...3 {
            #expect(try await harness.store.claim(leaseFor: 0)?.attempt == attempt)
        }
        #expect(try await harness.store.claim(leaseFor: 0) == nil)
        #expect(try await harness.upload(timed.id).state == .failed)
        #expect(try await harness.count("staged_change") == 0)
    }

    @Test func `decided upload that fails three times loses its staged changes`() async throws {
        let harness = Harness.current
        let held = try await Self.stage(harness)
        #expect(try await harness.ask(held, wait: 0).status == .accepted)
        for _ in 1...3 {
            let job = try #require(try await harness.store.claim(leaseFor: 3_600))
            #expect(job.publishRequest != nil)
            try await harness.store.release(job, after: "no luck")
        }
        #expect(try await harness.upload(held.id).state == .failed)
        #expect(try await harness.count("staged_change") == 0)
    }

    @Test func `discarding and publishing exclude each other`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for round in 0..<12 as Range<UInt64> {
            let zip = try SampleVenue.tiny.edited(Edit(.rename, 1), seed: 20 + round).archive()
            let timed = try await harness.push(zip, query: "?publish=\(Upload.tomorrow)")
            let before = try await harness.head()
            try await harness.makeDue(timed)
            async let discarded = harness.send(.delete, "/uploads/\(timed.id)").status
            async let worked = harness.worker.workOnce()
            let (status, _) = try await (discarded, worked)
            try await harness.work()
            let upload = try await harness.upload(timed.id)
            switch status {
            case .noContent: #expect(upload.state == .discarded && upload.revision == nil)
            case .conflict: #expect(upload.state == .published || upload.state == .staged)
            default: Issue.record("\(status)")
            }
            #expect(try await harness.head() == before + (upload.state == .published ? 1 : 0))
        }
    }

    @Test func `uploads of a venue are processed in order, except for those that are held`() async throws {
        let harness = Harness.current
        let timed = try await Self.stage(harness, at: Upload.tomorrow)
        let later = try await harness.upload(SampleVenue.tiny.edited(Edit(.hours, 1), seed: 2).archive())
            .decoded(Upload.self)
        // An upload that is not due yet does not block later ones.
        let job = try #require(try await harness.store.claim(leaseFor: 3_600))
        #expect(job.upload.description == later.id)
        // Once it is due, it waits for the job in progress, while other venues do not wait for it.
        try await harness.makeDue(timed)
        #expect(try await harness.store.claim(leaseFor: 3_600) == nil)
        let elsewhere = try await harness.upload(SampleVenue.tiny.archive(), to: "airport").decoded(Upload.self)
        #expect(try await harness.store.claim(leaseFor: 3_600)?.upload.description == elsewhere.id)
        try await harness.store.release(job, after: "given back")
        // Now both wait, and the earlier upload comes first.
        #expect(try await harness.store.claim(leaseFor: 3_600)?.upload.description == timed.id)
        #expect(try await harness.store.claim(leaseFor: 3_600) == nil)
    }
}
