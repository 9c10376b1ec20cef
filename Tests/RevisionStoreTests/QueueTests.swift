import IMDF
import RevisionStore
import SyncModel
import TestSupport
import Testing

@Suite(.database)
struct QueueTests {
    private let workshop = Workshop(store: TestDatabase.current.store)
    private var store: RevisionStore { self.workshop.store }

    private func state(of id: UploadID) async throws -> Upload.State { try await self.store.upload(id).state }

    @Test func `claim returns the uploads of one venue in order, one at a time`() async throws {
        let first = try await self.workshop.enqueue("one").id
        let second = try await self.workshop.enqueue("two").id
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        #expect(job.upload == first)
        #expect(try await self.store.claim(leaseFor: 3_600) == nil)
        try await self.store.finish(job, as: .rejected, findings: [], base: nil, identity: nil, changes: nil)
        #expect(try await self.store.claim(leaseFor: 3_600)?.upload == second)
    }

    @Test func `claim returns uploads of two venues at the same time`() async throws {
        try await self.workshop.enqueue("one")
        try await self.workshop.enqueue("one", to: VenueKey("airport"))
        let jobs = try await [self.store.claim(leaseFor: 3_600), self.store.claim(leaseFor: 3_600)]
        #expect(Set(jobs.compactMap { $0?.venue.description }) == ["mall", "airport"])
    }

    @Test func `claim never returns the same job to concurrent workers`() async throws {
        for number in 0..<12 { try await self.workshop.enqueue("zip", to: VenueKey("venue-\(number)")) }
        let store = self.store
        let claimed = try await withThrowingTaskGroup(of: UploadID?.self) { group in
            for _ in 0..<24 { group.addTask { try await store.claim(leaseFor: 3_600)?.upload } }
            return try await group.reduce(into: [UploadID?]()) { $0.append($1) }.compactMap { $0 }
        }
        #expect(Set(claimed).count == claimed.count)
        var rest = 0
        while try await store.claim(leaseFor: 3_600) != nil { rest += 1 }
        #expect(claimed.count + rest == 12)
    }

    @Test func `enqueue returns the unfinished upload of the same bytes`() async throws {
        let first = try await self.workshop.enqueue("zip")
        let again = try await self.workshop.enqueue("zip")
        #expect(first.isNew && !again.isNew && first.id == again.id)
        let job = try #require(try await self.store.claim(leaseFor: 3_600))
        #expect(try await self.workshop.enqueue("zip").id == first.id)
        try await self.store.finish(job, as: .rejected, findings: [], base: nil, identity: nil, changes: nil)
        #expect(try await self.workshop.enqueue("zip").isNew)
    }

    @Test func `enqueue: concurrent requests with the same bytes create one upload`() async throws {
        let workshop = self.workshop
        let ids = try await withThrowingTaskGroup(of: UploadID.self) { group in
            for _ in 0..<10 { group.addTask { try await workshop.enqueue("zip").id } }
            return try await group.reduce(into: Set<UploadID>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func `expired lease: the job is claimed again, and the first worker is refused`() async throws {
        let silent = try #require(try await self.workshop.job("zip", lease: 0))
        let other = try #require(try await self.store.claim(leaseFor: 3_600))
        #expect(other.upload == silent.upload && other.attempt == 2)
        await #expect(throws: StoreError.leaseLost) {
            try await self.store.renew(silent, for: 60, progress: .init(phase: .reading, done: 0, total: 0))
        }
        await #expect(throws: StoreError.leaseLost) {
            try await self.store.finish(silent, as: .rejected, findings: [], base: nil, identity: nil, changes: nil)
        }
        try await self.store.release(silent, after: "too late")
        #expect(try await self.state(of: silent.upload) == .processing)
    }

    @Test func `upload fails after three lost workers, and the next one is claimed`() async throws {
        let lost = try await self.workshop.enqueue("zip").id
        let next = try await self.workshop.enqueue("next").id
        for _ in 0..<3 { #expect(try await self.store.claim(leaseFor: 0)?.upload == lost) }
        #expect(try await self.store.claim(leaseFor: 3_600)?.upload == next)
        let upload = try await self.store.upload(lost)
        #expect(upload.state == .failed && upload.attempts == 3 && upload.failure != nil)
    }

    @Test func `job that fails with an internal error is attempted three times`() async throws {
        let id = try await self.workshop.enqueue("zip").id
        for attempt in 1...3 {
            let job = try #require(try await self.store.claim(leaseFor: 3_600))
            #expect(job.attempt == attempt)
            try await self.store.release(job, after: "no luck")
        }
        #expect(try await self.state(of: id) == .failed)
        #expect(try await self.store.claim(leaseFor: 3_600) == nil)
    }

    @Test func `job that runs twice publishes once`() async throws {
        let first = try #require(try await self.workshop.job("zip", lease: 0))
        let second = try #require(try await self.store.claim(leaseFor: 3_600))
        let venue = try await self.store.venue(self.workshop.key)
        var model = VenueModel()
        model.entries[.random()] = .init(type: .venue, text: "mall")
        let publication = model.publication(over: VenueModel(), of: venue)
        #expect(try await self.store.publish(publication, of: second, findings: []) == 1)
        await #expect(throws: StoreError.self) { try await self.store.publish(publication, of: first, findings: []) }
        #expect(try await self.store.venue(self.workshop.key).head == 1)
    }

    @Test func `enqueue refuses an unknown venue without permission to create it, and stores nothing`() async throws {
        await #expect(throws: StoreError.unknownVenue) { try await self.workshop.enqueue("zip", creates: false) }
        await #expect(throws: StoreError.unknownVenue) { try await self.store.venue(self.workshop.key) }
    }
}
