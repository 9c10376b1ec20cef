import SyncServer
import Synchronization
import Testing

struct FairSemaphoreTests {
    private final class Meter: Sendable {
        let state = Mutex((now: 0, most: 0, passed: 0))

        func visit() async {
            self.state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<3 { await Task.yield() }
            self.state.withLock {
                $0.now -= 1
                $0.passed += 1
            }
        }
    }

    private final class Order: Sendable {
        let names = Mutex<[String]>([])
    }

    /// Work that continues until the test ends it.
    private struct Work {
        let hasBegun = AsyncStream.makeStream(of: Void.self)
        let mayEnd = AsyncStream.makeStream(of: Void.self)

        func run() async {
            self.hasBegun.continuation.yield()
            for await _ in self.mayEnd.stream { break }
        }

        func begun() async { for await _ in self.hasBegun.stream { break } }
        func end() { self.mayEnd.continuation.yield() }
    }

    private func until(_ isTrue: () -> Bool) async {
        while !isTrue() { await Task.yield() }
    }

    @Test(arguments: [1, 2, 5])
    func `semaphore admits as many tasks as it has permits, and finally all of them`(permits: Int) async throws {
        let semaphore = FairSemaphore<Int>(permits: permits)
        let meter = Meter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { try await semaphore.withPermit(for: number % 3) { await meter.visit() } }
            }
            try await group.waitForAll()
        }
        let (now, most, passed) = meter.state.withLock { $0 }
        #expect(now == 0 && passed == 200 && semaphore.waiting == 0)
        #expect(most <= permits && most > 0)
    }

    @Test func `semaphore never gives all permits to one key`() async throws {
        let semaphore = FairSemaphore<String>(permits: 2)
        let work = Work()
        let first = Task { try await semaphore.withPermit(for: "mall") { await work.run() } }
        await work.begun()
        let second = Task { try await semaphore.withPermit(for: "mall") {} }
        await self.until { semaphore.waiting == 1 }
        // Another key does not wait, although this one came earlier.
        #expect(try await semaphore.withPermit(for: "office") { 7 } == 7)
        #expect(semaphore.waiting == 1)
        work.end()
        try await first.value
        try await second.value
    }

    @Test func `semaphore serves keys in turn, and tasks of one key in order`() async throws {
        let semaphore = FairSemaphore<String>(permits: 1)
        let work = Work()
        let order = Order()
        let first = Task { try await semaphore.withPermit(for: "mall") { await work.run() } }
        await work.begun()
        var tasks: [Task<Void, any Error>] = []
        for (index, (key, name)) in [("mall", "m1"), ("mall", "m2"), ("mall", "m3"), ("office", "o1"), ("zoo", "z1")]
            .enumerated()
        {
            tasks.append(Task { try await semaphore.withPermit(for: key) { order.names.withLock { $0.append(name) } } })
            await self.until { semaphore.waiting == index + 1 }
        }
        work.end()
        try await first.value
        for task in tasks { try await task.value }
        #expect(order.names.withLock { $0 } == ["m1", "o1", "z1", "m2", "m3"])
    }

    @Test func `semaphore bounds its queue in total and per key`() async throws {
        let semaphore = FairSemaphore<String>(permits: 1, queueLimit: 3, queueLimitPerKey: 2)
        let work = Work()
        let first = Task { try await semaphore.withPermit(for: "mall") { await work.run() } }
        await work.begun()
        var tasks: [Task<Void, any Error>] = []
        for _ in 0..<2 { tasks.append(Task { try await semaphore.withPermit(for: "mall") {} }) }
        await self.until { semaphore.waiting == 2 }
        await #expect(throws: SemaphoreQueueFull()) { try await semaphore.withPermit(for: "mall") {} }
        tasks.append(Task { try await semaphore.withPermit(for: "office") {} })
        await self.until { semaphore.waiting == 3 }
        await #expect(throws: SemaphoreQueueFull()) { try await semaphore.withPermit(for: "zoo") {} }
        // A response that has begun waits in any case.
        tasks.append(Task { try await semaphore.withPermit(for: "mall", mayBeRefused: false) {} })
        await self.until { semaphore.waiting == 4 }
        work.end()
        try await first.value
        for task in tasks { try await task.value }
    }

    @Test func `semaphore ignores cancelled waiters and takes back the permit of failed work`() async throws {
        struct Trouble: Error {}
        let semaphore = FairSemaphore<Int>(permits: 1)
        let work = Work()
        let first = Task {
            try await semaphore.withPermit(for: 1) {
                await work.run()
                throw Trouble()
            }
        }
        await work.begun()
        let second = Task { try await semaphore.withPermit(for: 1) { Issue.record("it was cancelled") } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(semaphore.waiting == 0)
        work.end()
        await #expect(throws: Trouble.self) { try await first.value }
        #expect(try await semaphore.withPermit(for: 2) { 7 } == 7)
    }
}
