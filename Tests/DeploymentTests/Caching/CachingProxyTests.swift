import Foundation
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Reads through a real caching proxy.
@Suite(.database, .serialized, .requires(program: "nginx"))
struct CachingProxyTests {
    /// The seconds for which a response without changes may be cached.
    private static let freshness = 2.0

    @Test(.timeLimit(.minutes(30)))
    func `caching proxy reduces a thousand clients to a few requests and delivers changes soon`() async throws {
        try await CachedService.run { service in
            let clients = service.cache.with(key: nil)
            try await service.publish(.tiny)
            try await service.node.set("public", to: true)
            // New clients share one snapshot.
            let first = try await service.requestsToNode {
                let responses = try await clients.ask("/venues/mall/sync", times: 1_000)
                #expect(responses.allSatisfy { $0.status == 200 } && Set(responses.map(\.body)).count == 1)
            }
            #expect(first.count == 1, "\(first)")

            // Without changes, all clients poll continuously.
            let cursor = try #require(try await clients.pages().last?.cursor)
            var start = ContinuousClock.now
            let idle = try await service.requestsToNode {
                for _ in 0..<4 {
                    let responses = try await clients.ask("/venues/mall/sync?since=\(cursor)", times: 1_000)
                    for response in responses { #expect(response.status == 200) }
                    #expect(Set(responses.map(\.body)).count == 1)
                    #expect(try responses[0].changeSet.blocks.isEmpty)
                }
            }
            #expect(idle.count <= Self.allowed(since: start), "\(idle)")

            // Then there is a change.
            try await service.publish(SampleVenue.tiny.edited(Edit(.rename, 2)))
            start = .now
            var behind = 1_000
            let changes = try await service.requestsToNode {
                while behind > 0 {
                    let responses = try await clients.ask("/venues/mall/sync?since=\(cursor)", times: behind)
                    behind = try responses.filter { try $0.changeSet.to == 1 }.count
                    try #require(start.duration(to: .now) < .seconds(120), "\(behind) still behind")
                }
            }
            #expect(changes.count <= Self.allowed(since: start), "\(changes)")
        }
    }

    /// One initial request, one for each expiry of the response, and one in progress.
    private static func allowed(since start: ContinuousClock.Instant) -> Int {
        2 + Int(start.duration(to: .now) / .seconds(Self.freshness))
    }

    @Test(.timeLimit(.minutes(30)))
    func `caching proxy: clients that follow cursors through stale responses arrive at the newest revision`()
        async throws
    {
        try await CachedService.run { service in
            let anyone = service.cache.with(key: nil)
            var venue = SampleVenue.tiny
            try await service.publish(venue)
            try await service.node.set("public", to: true)
            var starts = [try await Self.walk(Follower(), through: anyone)]
            for seed in 2...6 as ClosedRange<UInt64> {
                venue = venue.edited(Edit(.rename, 1), Edit(.add, 1), seed: seed)
                try await service.publish(venue)
                var newest = starts[starts.count - 1]
                try await eventually("revision \(seed)") {
                    newest = try await Self.walk(newest, through: anyone)
                    return newest.revision == Int64(seed)
                }
                starts.append(newest)
                // Some cached responses have no changes although there are some.
                if seed.isMultiple(of: 2) { _ = try await Self.walk(newest, through: anyone) }
            }
            // By now the response for the oldest cursor is outdated.
            let oldest = try #require(starts[0].replica.cursor)
            let stale = try await anyone.send("GET", "/venues/mall/sync?since=\(oldest)")
            #expect(stale.cacheStatus == "HIT")
            #expect(try stale.changeSet.to == 2)
            for (index, start) in starts.enumerated() {
                var (follower, steps) = (start, 0)
                try await eventually("the newest revision from revision \(index + 1)", within: .seconds(20)) {
                    let before = follower.revision
                    follower = try await Self.walk(follower, through: anyone)
                    // A response either leads to a newer revision or has no changes, so clients do not loop.
                    steps += follower.revision > before ? 1 : 0
                    return follower.revision == 6
                }
                #expect(steps <= 5 - index)
                try await follower.verifyFinalState { try await service.node.request("GET", $0).body }
            }
        }
    }

    private static func walk(_ follower: Follower, through service: RemoteService) async throws -> Follower {
        var follower = follower
        try await follower.pull { try await service.request("GET", $0).body }
        return follower
    }
}
