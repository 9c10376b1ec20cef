import Foundation
import IMDF
import Postgres
import RevisionStore
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct StagingTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    private static func change(_ number: UInt64, _ text: String) -> Staging.Change {
        Staging.Change(
            feature: FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 | number), kind: .added, type: .unit,
            levelBefore: nil, levelAfter: nil, classes: [], body: Array("\"\(text)\"".utf8))
    }

    private func shown(of upload: UploadID) async throws -> [String] {
        var bodies: [String] = []
        try await self.store.stagedChanges(
            of: upload, showing: self.store.stagedDifference(of: upload), levels: nil, after: nil,
            page: .everything, withBodies: true
        ) { bodies.append(String(decoding: $0.after ?? [], as: UTF8.self)) }
        return bodies
    }

    @Test func `staging an upload again replaces its changes, reasons and time`() async throws {
        var job = try #require(try await self.workshop.job("zip"))
        #expect(job.shownDifference == nil && job.publishRequest == nil)
        var staging = Staging.empty
        staging.items = [Self.change(1, "one"), Self.change(2, "two")]
        try await self.store.stage(staging, of: job, findings: [])
        #expect(try await self.shown(of: job.upload) == [#""one""#, #""two""#])
        let request = Job.PublishRequest(base: 3, confirmed: ["removal", "other_origin"])
        try await self.store.requestPublication(of: job.upload, request, by: .ops)
        job = try #require(try await self.store.claim(leaseFor: 3_600))
        #expect(
            job.publishRequest == request && job.shownDifference?.base == 0
                && job.shownDifference?.digest == staging.digest && job.attempt == 1)
        staging.items = [Self.change(2, "three")]
        staging.reasons = [.removal, .headMoved]
        staging.digest = Digest(of: [1])
        staging.base = 7
        try await self.store.stage(staging, of: job, findings: [])
        #expect(try await self.shown(of: job.upload) == [#""three""#])
        let upload = try await self.store.upload(job.upload)
        #expect(upload.reasons == ["removal", "head_moved"] && upload.base == 7 && upload.publishedBy == nil)
        #expect(try await self.store.claim(leaseFor: 3_600) == nil)
    }

    @Test func `staged changes of an outdated difference are empty`() async throws {
        let job = try #require(try await self.workshop.job("zip"))
        var staging = Staging.empty
        staging.items = [Self.change(1, "one")]
        try await self.store.stage(staging, of: job, findings: [])
        let before = try await self.store.stagedDifference(of: job.upload)
        try await self.store.requestPublication(of: job.upload, .init(base: nil, confirmed: []), by: .ops)
        let again = try #require(try await self.store.claim(leaseFor: 3_600))
        staging.digest = Digest(of: [1])
        try await self.store.stage(staging, of: again, findings: [])
        try await self.store.stagedChanges(
            of: job.upload, showing: before, levels: nil, after: nil, page: .everything, withBodies: true
        ) { _ in Issue.record("a change of another difference") }
    }

    @Test func `staging without the lease is refused`() async throws {
        let silent = try #require(try await self.workshop.job("zip", lease: 0))
        let other = try #require(try await self.store.claim(leaseFor: 3_600))
        var staging = Staging.empty
        staging.items = [Self.change(1, "late")]
        await #expect(throws: StoreError.leaseLost) { try await self.store.stage(staging, of: silent, findings: []) }
        await #expect(throws: StoreError.leaseLost) { try await self.store.reject(staging, of: silent, findings: []) }
        staging.items = [Self.change(1, "in time")]
        try await self.store.stage(staging, of: other, findings: [])
        #expect(try await self.shown(of: other.upload) == [#""in time""#])
    }

    @Test func `publish and discard are refused in every other state, with the state`() async throws {
        let id = try await self.workshop.enqueue("zip").id
        let request = Job.PublishRequest(base: nil, confirmed: [])
        await #expect(throws: StoreError.wrongState(.received)) {
            try await self.store.requestPublication(of: id, request, by: .ops)
        }
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        await #expect(throws: StoreError.wrongState(.processing)) {
            try await self.store.requestPublication(of: id, request, by: .ops)
        }
        await #expect(throws: StoreError.wrongState(.processing)) { try await self.store.discard(id, by: .ops) }
        await #expect(throws: StoreError.wrongState(.processing)) { try await self.store.stagedDifference(of: id) }
        try await self.store.stage(.empty, of: job, findings: [])
        try await self.store.discard(id, by: .ops)
        await #expect(throws: StoreError.wrongState(.discarded)) { try await self.store.discard(id, by: .ops) }
        await #expect(throws: StoreError.unknownUpload) { try await self.store.discard(.random(), by: .ops) }
        await #expect(throws: StoreError.unknownUpload) { try await self.store.stagedDifference(of: .random()) }
    }

    @Test func `upload options without publish decode as now`() throws {
        let old = try WireJSON.value(UploadOptions.self, from: Data(#"{"strict":false}"#.utf8))
        #expect(old == UploadOptions() && old == UploadOptions(publish: .now) && old.time == nil)
        #expect(try WireJSON.data(UploadOptions(publish: .now)) == Data(#"{"strict":false}"#.utf8))
        let timed = UploadOptions(publish: Publishing("2031-04-01T18:00:00+09:00"))
        #expect(try WireJSON.value(UploadOptions.self, from: WireJSON.data(timed)) == timed && timed.time != nil)
    }
}
