import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Uploads, rollbacks and readers running concurrently.
@Suite(.database)
struct RaceTests {
    private static let venues = ["airport", "mall"]

    @Test(.timeLimit(.minutes(30)), arguments: Seeds.upTo(4))
    func `replicas equal a fresh snapshot after concurrent uploads, rollbacks and reads`(
        seed: UInt64
    ) async throws {
        // The workers have their own connections, as in separate processes.
        let pool = ConnectionPool(TestDatabase.current.configuration, size: 9)
        try await Harness.withChangeNotifier { harness in
            for venue in Self.venues {
                try await harness.push(SampleVenue.tiny.archive(), to: venue)
                let guardOff = CanonicalJSON.data(["removal_guard": false])
                let response = try await harness.send(
                    .patch, "/venues/\(venue)", type: "application/json", body: guardOff)
                try #require(response.status == .ok)
            }
            var followers = try await Race(harness: harness, venues: Self.venues, seed: seed).run(
                workers: (0..<3).map { _ in
                    IngestionWorker(
                        store: RevisionStore(pool: pool),
                        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                })
            var revisions: Set<Int64> = []
            for index in followers.indices {
                try await followers[index].verifyFinalState { try await harness.bytes($0) }
                revisions.insert(followers[index].revision)
            }
            // Otherwise nothing ran concurrently.
            #expect(revisions.allSatisfy { $0 > 4 }, "\(revisions)")
        }
        await pool.close()
    }
}

/// Concurrent writers, workers and clients.
private struct Race: Sendable {
    let harness: Harness
    let venues: [String]
    let seed: UInt64

    func run(workers: [IngestionWorker]) async throws -> [Follower] {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: [Follower].self) { group in
            for worker in workers {
                group.addTask {
                    while !isOver.isSet {
                        if try await !worker.workOnce() { try await Task.sleep(for: .milliseconds(5)) }
                    }
                    return []
                }
            }
            for number in 0..<6 as Range<UInt64> {
                group.addTask { [try await self.follow(number, until: isOver)] }
            }
            for number in 6..<8 as Range<UInt64> {
                group.addTask {
                    try await self.followAll(number, until: isOver)
                    return []
                }
            }
            group.addTask {
                defer { isOver.set() }
                try await self.write()
                return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Runs all writers and waits until the workers have finished their uploads.
    private func write() async throws {
        let uploads = try await withThrowingTaskGroup(of: [String].self) { group in
            for (number, venue) in self.venues.enumerated() {
                let seed = self.seed << 16 | UInt64(number) << 8
                for tool in 1...2 as ClosedRange<UInt64> {
                    group.addTask { try await self.upload(to: venue, seed: seed | tool) }
                }
                group.addTask { try await self.rollBack(venue, byLevel: false, seed: seed | 3) }
                group.addTask { try await self.rollBack(venue, byLevel: true, seed: seed | 4) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for upload in uploads {
            try await eventually("the end of an upload") {
                let state = try await self.harness.get(Upload.self, "/uploads/\(upload)").state
                return state.isFinal || state == .staged
            }
            #expect(
                try await [.published, .unchanged].contains(self.harness.get(Upload.self, "/uploads/\(upload)").state))
        }
    }

    /// Uploads exports of a tool that knows nothing of the others.
    private func upload(to venue: String, seed: UInt64) async throws -> [String] {
        var random = SplitMix64(seed: seed)
        var (state, receipts): (SampleVenue, [String]) = (.tiny, [])
        for _ in 0..<4 {
            state.editRandomly(using: &random)
            let response = try await self.harness.send(
                .post, "/venues/\(venue)/uploads?identity=trust", type: "application/zip", body: state.archive())
            try #require(response.status == .accepted, "\(response.text)")
            receipts.append(try WireJSON.value(Upload.self, from: response.data).id)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
        }
        return receipts
    }

    private func rollBack(_ venue: String, byLevel: Bool, seed: UInt64) async throws -> [String] {
        var random = SplitMix64(seed: seed)
        for _ in 0..<6 {
            let now = try await self.harness.get(Venue.self, "/venues/\(venue)")
            var request: JSONObject = ["to": .number(Double(Int64.random(in: 1...now.head, using: &random)))]
            if byLevel {
                let levels = now.levels.compactMap(\.level).filter { _ in Bool.random(using: &random) }
                request["levels"] = .array(levels.prefix(2).map { .string($0.description) })
                if levels.isEmpty { continue }
            }
            let response = try await self.harness.send(
                .post, "/venues/\(venue)/rollback", type: "application/json", body: CanonicalJSON.data(.object(request))
            )
            // A level that was added and removed between the two revisions belongs to neither.
            let isUnknownLevel = response.status == .badRequest && response.text.contains("is not a level of")
            #expect(response.status == .created || response.status == .conflict || isUnknownLevel, "\(response.text)")
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...80, using: &random)))
        }
        return []
    }

    /// Follows all venues until the writers are done, and then equals a fresh client.
    private func followAll(_ number: UInt64, until isOver: Flag) async throws {
        var random = SplitMix64(seed: self.seed << 16 | 0x8000 | number)
        var follower = CatalogueFollower()
        while !isOver.isSet {
            try await follower.pull(using: &random) { try await self.harness.bytes($0) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
        }
        try await follower.verifyFinalState { try await self.harness.bytes($0) }
    }

    private func follow(_ number: UInt64, until isOver: Flag) async throws -> Follower {
        var random = SplitMix64(seed: self.seed << 16 | 0x8000 | number)
        var follower = Follower(venue: self.venues[Int(number) % self.venues.count])
        while !isOver.isSet {
            let wait = Int.random(in: 0..<4, using: &random) == 0 ? "&wait=1" : ""
            try await follower.pull(using: &random) { try await self.harness.bytes($0 + wait) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
        }
        return follower
    }
}

extension Harness {
    /// The body of a response that has to succeed.
    func bytes(_ path: String) async throws -> [UInt8] {
        let response = try await self.send(.get, path)
        guard response.status == .ok else { throw Refusal(status: response.status.code, body: response.text) }
        return Array(response.data)
    }
}
