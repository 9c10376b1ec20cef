import Dispatch
import SampleVenue
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

/// How many turns new work waits while other works, which never end, are paused. The test decides what each turn does, so nothing depends
/// on time. One after the other, because all semaphores of a process share the threads.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct BoundedTurnsTests {
    /// Work that gives its turn away or ends when the test says so.
    private final class Work: Sendable {
        let key: Int
        /// How many turns it takes.
        let length: Int
        /// The number of turns before it was queued, and how many keys waited then.
        let queuedAt: Int
        let ahead: Int
        private let isOver = Mutex(false)
        private let decision = DispatchSemaphore(value: 0)

        init(key: Int, length: Int, queuedAt: Int, ahead: Int) {
            self.key = key
            self.length = length
            self.queuedAt = queuedAt
            self.ahead = ahead
        }

        /// Blocks its thread, as work in turns does.
        func run(in semaphore: FairSemaphore<Int>, _ turns: Turns) {
            turns.append(self)
            while true {
                self.decision.wait()
                if self.isOver.withLock({ $0 }) { return }
                semaphore.giveTurn(of: self.key)
                turns.append(self)
            }
        }

        func decide(isOver: Bool) {
            self.isOver.withLock { $0 = isOver }
            self.decision.signal()
        }
    }

    /// The works in the order of their turns: the last one has the permit.
    private final class Turns: Sendable {
        private let works = Mutex<[Work]>([])

        func append(_ work: Work) { self.works.withLock { $0.append(work) } }

        var count: Int { self.works.withLock(\.count) }
        var last: Work? { self.works.withLock(\.last) }
    }

    private struct Simulation {
        let semaphore: FairSemaphore<Int>
        let turns = Turns()
        private var tasks: [Task<Void, any Error>] = []
        /// Works that have not begun, by their keys.
        private(set) var queued: [Int: Work] = [:]
        /// How many turns the works that have begun and not ended have had, by their keys.
        private(set) var begun: [Int: Int] = [:]
        private(set) var mostBegun = 0
        /// Works that began later than after one turn of each key that waited before them.
        private(set) var late: [Int] = []

        init(maximumPaused: Int) {
            self.semaphore = FairSemaphore(permits: 1, permitsPerKey: 1, maximumPaused: maximumPaused)
        }

        var unfinished: Int { self.queued.count + self.begun.count }

        /// Starts work of a key that has none, and returns when it has the permit or waits.
        mutating func start(_ key: Int, length: Int) async {
            let (semaphore, turns, waiting) = (self.semaphore, self.turns, self.semaphore.waiting)
            let work = Work(key: key, length: length, queuedAt: turns.count, ahead: waiting)
            let isFirst = self.unfinished == 0
            self.tasks.append(
                Task {
                    try await semaphore.inTurns(for: key, limit: .seconds(1_700)) { _ in
                        work.run(in: semaphore, turns)
                    }
                })
            self.queued[key] = work
            if isFirst {
                await self.nextTurn(after: work.queuedAt)
            } else {
                await self.until { semaphore.waiting == waiting + 1 }
            }
        }

        /// Ends the turn of the work that has the permit, and the work with its last turn.
        mutating func step(endsAll: Bool = false) async {
            guard let work = self.turns.last, let had = self.begun[work.key] else { return }
            let (count, isOver) = (self.turns.count, endsAll || had >= work.length)
            if isOver { self.begun[work.key] = nil }
            work.decide(isOver: isOver)
            if self.unfinished > 0 { await self.nextTurn(after: count) }
        }

        /// Ends all work.
        mutating func end() async throws {
            while self.unfinished > 0 { await self.step(endsAll: true) }
            for task in self.tasks { try await task.value }
        }

        private mutating func nextTurn(after count: Int) async {
            let turns = self.turns
            await self.until { turns.count == count + 1 }
            guard let work = turns.last else { return }
            if self.queued.removeValue(forKey: work.key) != nil, count - work.queuedAt > work.ahead {
                self.late.append(work.key)
            }
            self.begun[work.key, default: 0] += 1
            self.mostBegun = max(self.mostBegun, self.begun.count)
            // Those that still wait although it was their turn.
            for waiting in self.queued.values where turns.count - waiting.queuedAt > waiting.ahead {
                self.late.append(waiting.key)
            }
        }

        private func until(_ isTrue: () -> Bool) async {
            while !isTrue() { await Task.yield() }
        }
    }

    /// An archive, a comparison, glyphs and a level of each of three venues.
    private static let endlessWorks = 12

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `new work begins after one turn of each waiting key, while twelve works are paused that never end`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        var simulation = Simulation(maximumPaused: TileDrawing.maximumPaused)
        for key in 0..<Self.endlessWorks { await simulation.start(key, length: .max) }
        for _ in 0..<Self.endlessWorks { await simulation.step() }
        #expect(simulation.begun.count == Self.endlessWorks)
        for key in Self.endlessWorks..<100 {
            await simulation.start(key, length: .random(in: 1...3, using: &random))
            // Not more works than there is space for.
            repeat {
                for _ in 0..<Int.random(in: 0...20, using: &random) { await simulation.step() }
            } while simulation.unfinished >= TileDrawing.maximumPaused && simulation.late.isEmpty
            if !simulation.late.isEmpty { break }
        }
        #expect(simulation.late.isEmpty)
        try await simulation.end()
        #expect(simulation.semaphore.waiting == 0)
    }

    @Test(arguments: 0..<4 as Range<UInt64>, [1, 3, 10])
    func `no more work has begun than there are threads for, and all of it ends`(
        seed: UInt64, maximumPaused: Int
    ) async throws {
        var random = SplitMix64(seed: seed)
        var simulation = Simulation(maximumPaused: maximumPaused)
        for key in 0..<60 {
            await simulation.start(key, length: .random(in: 1...9, using: &random))
            for _ in 0..<Int.random(in: 0...3, using: &random) { await simulation.step() }
        }
        try await simulation.end()
        // The bound is reached, so it is tested.
        #expect(simulation.mostBegun == simulation.semaphore.maximumThreads)
        #expect(simulation.semaphore.waiting == 0)
    }

    @Test(.server) func `work in turns leaves threads for what takes milliseconds`() {
        let server = Harness.current.server
        let occupied =
            server.tiles.drawing.permits.maximumThreads + server.searchIndexes.permits.maximumThreads
            + server.wayfindingMaps.permits.maximumThreads + server.featureTables.parsingPermits.maximumThreads
            + server.featurePermits.maximumThreads
        #expect(occupied + 16 <= BlockingThreads.count)
    }
}
