import HTTPTypes
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

/// Venues that do not fit into the cache of what they are prepared to, requested in turns. The tests move the clock.
@Suite(.server, .timeLimit(.minutes(30)))
struct RemakeLimitTests {
    private final class ManualClock: Sendable {
        private let state = Mutex((now: ContinuousClock.now, worked: Duration.zero))

        var now: ContinuousClock.Instant { self.state.withLock { $0.now } }
        /// The time that work has taken.
        var worked: Duration { self.state.withLock { $0.worked } }

        func wait(_ duration: Duration) { self.state.withLock { $0.now += duration } }

        func work(_ duration: Duration) {
            self.state.withLock {
                $0.now += duration
                $0.worked += duration
            }
        }
    }

    private let clock = ManualClock()

    private struct Request {
        let venue: VenueRecord
        let revision: RevisionRecord

        /// Publishes a venue.
        init(for name: String, in readModel: ReadModel) async throws {
            let harness = Harness.current
            try await harness.push(SampleVenue.tiny.archive(), to: name)
            self.venue = try await harness.store.venue(#require(VenueKey(name)))
            self.revision = try await readModel.revisions(of: self.venue, at: 1).revision(1, of: self.venue)
        }

        func content(from venues: PreparedVenues<Int>) async throws -> Int {
            try await venues.content(of: self.venue, at: self.revision, generation: 0)
        }
    }

    /// Venues whose preparation takes five seconds, and of which none fits into the cache.
    private static func largeVenues(_ readModel: ReadModel, _ clock: ManualClock) -> PreparedVenues<Int> {
        PreparedVenues(
            readModel: readModel, bytes: 2, contentLimit: .seconds(600), clock: { clock.now }, cost: { _ in 100 }
        ) { _, _, _, _ in
            clock.work(.seconds(5))
            return 7
        }
    }

    @Test func `two large venues in turns are prepared again during a third of the time each, and served meanwhile`()
        async throws
    {
        let (clock, readModel) = (ManualClock(), ReadModel(store: Harness.current.store))
        let venues = Self.largeVenues(readModel, clock)
        let requests = [
            try await Request(for: "mall", in: readModel), try await Request(for: "office", in: readModel),
        ]
        let start = clock.now
        var (served, refused) = (0, 0)
        for number in 0..<1_200 {
            do {
                #expect(try await requests[number % 2].content(from: venues) == 7)
                served += 1
            } catch is RemakeRefused {
                refused += 1
            }
            clock.wait(.milliseconds(500))
        }
        let elapsed = clock.now - start
        // For each, the work of a minute is allowed at once, and the last one may exceed it.
        #expect(clock.worked <= elapsed / 3 * 2 + .seconds(130))
        #expect(clock.worked >= elapsed / 3)
        #expect(served > 600 && refused > 0)
    }

    @Test func `refused venue is prepared after the stated time, and neither a new one nor a kept one is refused`()
        async throws
    {
        let (clock, readModel) = (ManualClock(), ReadModel(store: Harness.current.store))
        let venues = Self.largeVenues(readModel, clock)
        let mall = try await Request(for: "mall", in: readModel)
        let office = try await Request(for: "office", in: readModel)
        var kept = mall
        var refusal: RemakeRefused?
        for number in 0..<100 where refusal == nil {
            let next = number % 2 == 0 ? mall : office
            do {
                _ = try await next.content(from: venues)
                kept = next
            } catch let error as RemakeRefused {
                refusal = error
            }
        }
        let interval = try #require(refusal?.retryInterval)
        // A preparation takes five seconds, for which fifteen have to pass.
        #expect(interval > .zero && interval <= .seconds(15))
        let refused = kept.venue.id == mall.venue.id ? office : mall
        let worked = clock.worked
        _ = try await kept.content(from: venues)
        await #expect(throws: RemakeRefused.self) { try await refused.content(from: venues) }
        #expect(clock.worked == worked)
        clock.wait(interval)
        _ = try await refused.content(from: venues)
        #expect(clock.worked == worked + .seconds(5))
        _ = try await Request(for: "zoo", in: readModel).content(from: venues)
        #expect(clock.worked == worked + .seconds(10))
    }

    @Test func `earlier revisions are prepared during a third of the time, and do not delay the newest one`()
        async throws
    {
        let limit = RemakeLimit<Bool, Int>(now: { [clock = self.clock] in clock.now })
        func make(_ revision: Int, isNewest: Bool) async throws {
            try await limit.make(revision, for: isNewest, isNew: isNewest, isLarge: { _ in true }) {
                self.clock.work(.seconds(5))
            }
        }
        var refused = 0
        for revision in 1...100 {
            do { try await make(revision, isNewest: false) } catch is RemakeRefused { refused += 1 }
        }
        #expect(refused > 80)
        try await make(200, isNewest: true)
        try await make(200, isNewest: true)
        // A new one is not refused, whatever others have cost.
        for revision in 201...300 { try await make(revision, isNewest: true) }
    }

    @Test func `search in a large venue is refused with Retry-After, when preparing others has just taken long`()
        async throws
    {
        var settings = ServerSettings(adminKey: KeyHash(of: Harness.adminKey))
        settings.searchIndexBytes = 1_024
        // Work takes 100 seconds. The clock is read before and after it, and before it a first time if it may be refused.
        let clock = ManualClock()
        let readings = Mutex(0)
        settings.preparationClock = {
            let number = readings.withLock { readings in
                readings += 1
                return readings
            }
            if number == 2 || (number >= 4 && (number - 4) % 3 == 0) { clock.wait(.seconds(100)) }
            return clock.now
        }
        try await Harness.run(settings: settings) { harness in
            for venue in ["mall", "office"] {
                try await harness.push(SampleVenue.tiny.archive(), to: venue)
                #expect(try await harness.send(.get, "/venues/\(venue)/search?q=a").status == .ok)
            }
            let response = try await harness.send(.get, "/venues/mall/search?q=b")
            #expect(try response.problem(503).type == "/problems/busy")
            // 300 seconds for the work of 100, of which 100 have passed since then; nobody waits for the last 180.
            #expect(response.headers[.retryAfter] == "21")
            #expect(try await harness.send(.get, "/venues/office/search?q=b").status == .ok)
        }
    }
}
