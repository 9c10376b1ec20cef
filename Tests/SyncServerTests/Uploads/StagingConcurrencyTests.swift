import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Concurrent uploads of every kind, decisions and rollbacks on one venue with two workers.
@Suite(.server)
struct StagingConcurrencyTests {
    private static let venues: [SampleVenue] =
        [.tiny]
        + (1...5 as ClosedRange<UInt64>).map { seed in
            SampleVenue.tiny.edited(Edit(.rename, Int(seed)), Edit(.remove, 1), seed: seed)
        } + [SampleVenue.tiny.edited(Edit(.removeFloor))]

    private static let archives: [Digest: (zip: [UInt8], bodies: Set<[UInt8]>)] = Dictionary(
        uniqueKeysWithValues: venues.map { venue in
            let zip = (try? venue.archive()) ?? []
            return (Digest(of: zip), (zip, Set(venue.bodies.values)))
        })

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `staging: concurrent uploads, decisions and rollbacks leave no gap, and every upload ends once`(
        seed: UInt64
    ) async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.working(workers: 2) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for actor in 0..<4 as Range<UInt64> {
                    group.addTask {
                        var random = SplitMix64(seed: seed &* 31 &+ actor)
                        for _ in 0..<10 { try await Self.act(on: harness, using: &random) }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await Self.drain(harness)
        try await Self.check(harness)
    }

    private static func act(on harness: Harness, using random: inout SplitMix64) async throws {
        let choice = Int.random(in: 0..<10, using: &random)
        let digest = try #require(self.archives.keys.sorted { $0.hex < $1.hex }.randomElement(using: &random))
        let archive = self.archives[digest]?.zip ?? []
        let base = Int64.random(in: 1...4, using: &random)
        switch choice {
        case 0..<5:
            let publish = ["now", "hold", "2020-01-01T00:00:00Z", Upload.tomorrow].randomElement(using: &random) ?? ""
            let isBased = Bool.random(using: &random)
            let response = try await harness.upload(
                archive, query: "?publish=\(publish)\(isBased ? "&base=\(base)" : "")")
            // The venue may not have that revision yet.
            #expect(response.status == .accepted || isBased && response.status == .notFound, "\(response.text)")
        case 5..<8:
            guard let upload = try await harness.uploads().filter({ $0.state == .staged }).randomElement(using: &random)
            else { return }
            if choice == 7 {
                let status = try await harness.send(.delete, "/uploads/\(upload.id)").status.code
                #expect([204, 409].contains(status))
            } else {
                var request: JSONValue = ["confirm": ["removal"]]
                if Bool.random(using: &random) { request = ["base": .number(Double(upload.base ?? 0)), "confirm": []] }
                let status = try await harness.ask(upload, request, wait: Int.random(in: 0...1, using: &random)).status
                    .code
                #expect([200, 202, 409].contains(status))
            }
        case 8:
            let status = try await harness.rollBack(to: base).status.code
            #expect([201, 404, 409].contains(status))
        default:
            guard let upload = try await harness.uploads().filter({ $0.publishAt != nil }).randomElement(using: &random)
            else { return }
            try await harness.makeDue(upload)
        }
    }

    /// Finishes all waiting and staged uploads.
    private static func drain(_ harness: Harness) async throws {
        try await harness.work()
        for upload in try await harness.uploads() where upload.state == .staged {
            let reasons = Upload.Reason.allCases.map { JSONValue.string($0.rawValue) }
            #expect(try await harness.decide(upload, ["confirm": .array(reasons)]).status == .ok)
        }
        #expect(try await !harness.worker.workOnce())
    }

    private static func check(_ harness: Harness) async throws {
        let head = try await harness.head()
        let rows = try await harness.store.pool.query(
            "SELECT number, upload_id FROM revision ORDER BY number"
        ).decode((Int64, FeatureID?).self)
        #expect(rows.map(\.0) == Array(1...head))
        let uploads = try await harness.uploads()
        #expect(uploads.allSatisfy { $0.state.isFinal && $0.finishedAt != nil })
        #expect(uploads.allSatisfy { $0.state != .failed && $0.state != .rejected })
        #expect(uploads.allSatisfy { ($0.state == .published) == ($0.revision != nil) })
        let published = uploads.filter { $0.state == .published }
        let made = rows.filter { $0.1 != nil }
        #expect(Set(published.compactMap(\.revision)).count == published.count && made.count == published.count)
        for (number, id) in made {
            let upload = try #require(published.first { $0.revision == number })
            #expect(upload.id == id?.description && upload.base == number - 1)
            // The revision has exactly the features of the archive.
            #expect(try await Set(harness.features(at: number)) == Self.archives[upload.archive]?.bodies)
        }
        #expect(try await harness.count("staged_change") == 0)
    }
}
