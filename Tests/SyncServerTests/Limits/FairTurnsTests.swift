import IMDF
import Synchronization
import Testing

@testable import SyncServer

/// Work that takes turns with that of other keys.
@Suite struct FairTurnsTests {
    private final class Counts: Sendable {
        let isOtherDone = Atomic(false)
        let running = Atomic(0)
        let most = Atomic(0)
        let pauses = Atomic(0)
    }

    private let semaphore = FairSemaphore<String>(permits: 1)

    @Test func `work of another key is done while long work goes on`() async throws {
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let started = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                try await self.semaphore.inTurns(for: "long", limit: .seconds(240)) { shouldStop in
                    started.continuation.yield()
                    while !counts.isOtherDone.load(ordering: .acquiring), !shouldStop() {}
                }
            }
            for await _ in started.stream { break }
            try await self.semaphore.inTurns(for: "short", limit: .seconds(240)) { _ in
                counts.isOtherDone.store(true, ordering: .releasing)
            }
            try await group.waitForAll()
        }
    }

    @Test func `work beyond its limit is stopped, and its permit is free again`() async throws {
        await #expect(throws: WorkLimitReached.self) {
            try await self.semaphore.inTurns(for: "endless", limit: .milliseconds(1)) { shouldStop in
                while !shouldStop() {}
            }
        }
        #expect(try await self.semaphore.inTurns(for: "next", limit: .seconds(240)) { _ in 1 } == 1)
    }

    @Test func `work whose task is cancelled is stopped, and its permit is free again`() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await self.semaphore.inTurns(for: "endless", limit: .seconds(240)) { shouldStop in
                started.continuation.yield()
                while !shouldStop() {}
            }
        }
        for await _ in started.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await self.semaphore.inTurns(for: "next", limit: .seconds(240)) { _ in 1 } == 1)
    }

    /// More keys than there are threads for paused work, which must not wait for each other for ever.
    @Test(arguments: [(1, 1), (1, 40), (2, 40), (3, 7)])
    func `at any time as much work goes on as there are permits, and all of it ends`(permits: Int, keys: Int)
        async throws
    {
        let semaphore = FairSemaphore<Int>(permits: permits)
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 * keys {
                group.addTask {
                    try await semaphore.inTurns(for: number % keys, limit: .seconds(240)) { _ in
                        for _ in 0..<50 {
                            let now = counts.running.add(1, ordering: .sequentiallyConsistent).newValue
                            _ = counts.most.max(now, ordering: .sequentiallyConsistent)
                            counts.running.subtract(1, ordering: .sequentiallyConsistent)
                            semaphore.giveTurn(of: number % keys)
                            counts.pauses.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.most.load(ordering: .relaxed) <= permits)
        #expect(counts.pauses.load(ordering: .relaxed) == 150 * keys)
        #expect(semaphore.waiting == 0)
    }
}
