import Foundation
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// The read side behind a real caching proxy.
@Suite(
    .database, .serialized,
    .enabled(
        if: CachingProxy.program != nil || CachingProxy.isRequired, "nginx is not installed: apt-get install nginx"))
struct CachingProxyTests {
    /// For so long an answer without news may be kept.
    private static let freshness = 2.0

    @Test(.timeLimit(.minutes(10)))
    func `a caching proxy reduces a thousand clients to a few requests and delivers changes soon`() async throws {
        try await CachedService.run { service in
            let crowd = service.cache.with(key: nil)
            try await service.publish(.tiny)
            try await service.node.set("public", to: true)
            // The newcomers share one snapshot.
            let first = try await service.requestsToNode {
                let answers = try await crowd.ask("/venues/mall/sync", times: 1_000)
                #expect(answers.allSatisfy { $0.status == 200 } && Set(answers.map(\.body)).count == 1)
            }
            #expect(first.count == 1, "\(first)")

            // Nothing happens for a while, and everybody asks all the time.
            let cursor = try #require(try await crowd.pages().last?.cursor)
            var start = ContinuousClock.now
            let idle = try await service.requestsToNode {
                for _ in 0..<4 {
                    let answers = try await crowd.ask("/venues/mall/sync?since=\(cursor)", times: 1_000)
                    for answer in answers { #expect(answer.status == 200) }
                    #expect(Set(answers.map(\.body)).count == 1)
                    #expect(try answers[0].changeSet.blocks.isEmpty)
                }
            }
            #expect(idle.count <= Self.allowed(since: start), "\(idle)")

            // Then there is news.
            try await service.publish(SampleVenue.tiny.edited(Edit(.rename, 2)))
            start = .now
            var waiting = 1_000
            let news = try await service.requestsToNode {
                while waiting > 0 {
                    let answers = try await crowd.ask("/venues/mall/sync?since=\(cursor)", times: waiting)
                    waiting = try answers.filter { try $0.changeSet.to == 1 }.count
                    try #require(start.duration(to: .now) < .seconds(15), "\(waiting) still wait")
                }
            }
            #expect(news.count <= Self.allowed(since: start), "\(news)")
        }
    }

    /// One request to begin with, one each time an answer got old, and one that was on its way.
    private static func allowed(since start: ContinuousClock.Instant) -> Int {
        2 + Int(start.duration(to: .now) / .seconds(Self.freshness))
    }

    @Test(.timeLimit(.minutes(10)))
    func `clients that follow cursors through stale replies arrive at the newest revision`() async throws {
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
                // Some entries say that there is no news when there already is.
                if seed.isMultiple(of: 2) { _ = try await Self.walk(newest, through: anyone) }
            }
            // By now the oldest cursor leads to an answer that was news once.
            let oldest = try #require(starts[0].replica.cursor)
            let stale = try await anyone.send("GET", "/venues/mall/sync?since=\(oldest)")
            #expect(stale.cacheStatus == "HIT")
            #expect(try stale.changeSet.to == 2)
            for (index, start) in starts.enumerated() {
                var (follower, steps) = (start, 0)
                try await eventually("the newest revision from revision \(index + 1)", within: .seconds(20)) {
                    let before = follower.revision
                    follower = try await Self.walk(follower, through: anyone)
                    // An answer either leads on or says that there is no news: nobody is sent in a circle.
                    steps += follower.revision > before ? 1 : 0
                    return follower.revision == 6
                }
                #expect(steps <= 5 - index)
                try await follower.settle { try await service.node.answer("GET", $0).body }
            }
        }
    }

    private static func walk(_ follower: Follower, through service: RemoteService) async throws -> Follower {
        var follower = follower
        try await follower.pull { try await service.answer("GET", $0).body }
        return follower
    }
}
