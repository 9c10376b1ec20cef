import Synchronization
import Testing

@testable import SyncServer

/// Work that several tasks share.
@Suite struct SingleFlightTests {
    /// Work that ends when it is permitted, and counts how often it began and was cancelled.
    private final class Work: Sendable {
        let begun = Signal()
        let permission = Signal()
        private let counts = Mutex((begun: 0, cancelled: 0))

        var beginnings: Int { self.counts.withLock(\.begun) }
        var cancellations: Int { self.counts.withLock(\.cancelled) }

        func run() async throws -> Int {
            let number = self.counts.withLock { counts in
                counts.begun += 1
                return counts.begun
            }
            self.begun.send()
            await withTaskCancellationHandler {
                await self.permission.wait()
            } onCancel: {
                self.counts.withLock { $0.cancelled += 1 }
                self.permission.send()
            }
            try Task.checkCancellation()
            return number
        }
    }

    /// A signal that stays.
    private final class Signal: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (self.stream, self.continuation) = AsyncStream.makeStream() }

        func send() { self.continuation.finish() }

        func wait() async { for await _ in self.stream {} }
    }

    @Test func `tasks that need the same value at the same time share its computation`() async throws {
        let (flights, work) = (SingleFlight<String, Int>(joinTimeout: .seconds(3_600)), Work())
        async let first = flights.value(for: "a") { try await work.run() }
        await work.begun.wait()
        async let second = flights.value(for: "a") { try await work.run() }
        while flights.waiting < 2 { await Task.yield() }
        work.permission.send()
        #expect(try await (first, second) == (1, 1))
        #expect(work.beginnings == 1 && flights.waiting == 0)
    }

    @Test func `work that has reached its limit is not started again, unlike other work`() async throws {
        let flights = SingleFlight<String, Int>()
        let starts = Mutex(0)
        for _ in 0..<3 {
            await #expect(throws: WorkLimitReached.self) {
                try await flights.value(for: "a") {
                    starts.withLock { $0 += 1 }
                    throw WorkLimitReached()
                }
            }
        }
        #expect(starts.withLock { $0 } == 1)
        #expect(try await flights.value(for: "b") { 7 } == 7)
    }

    @Test func `work that a later task did not join is cancelled when its own client leaves`() async throws {
        let flights = SingleFlight<String, Int>(joinTimeout: .zero)
        let (slow, next) = (Work(), Work())
        let first = Task { try await flights.value(for: "a") { try await slow.run() } }
        await slow.begun.wait()
        let second = Task { try await flights.value(for: "a") { try await next.run() } }
        await next.begun.wait()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(slow.cancellations == 1 && next.cancellations == 0 && flights.waiting == 1)
        next.permission.send()
        #expect(try await second.value == 1)
        #expect(flights.waiting == 0)
    }
}
