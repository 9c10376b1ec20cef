import CThreadTime
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

extension FairSemaphore {
    /// How long work has its permit while requests of other keys wait.
    private static var turnLength: Duration { .milliseconds(20) }

    /// Runs work that takes a core, in turns with that of other keys, on a thread outside of the cooperative pool.
    ///
    /// - Parameters:
    ///   - limit: The processor time that the work may take.
    ///   - work: Calls the function that it receives often and without holding a lock: it waits there while others have their turns, and
    ///     learns whether to stop, because the task was cancelled or the limit is reached. The result is not used then.
    /// - Throws: ``WorkLimitReached``, besides what ``withPermit(for:_:)`` and the work throw.
    package func inTurns<Value: Sendable>(
        for key: Key, limit: Duration,
        _ work: @escaping @Sendable (_ shouldStop: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        try await self.withPermit(for: key) {
            try await offSharedThreads { isCancelled in
                let clock = WorkClock(limit: limit)
                let result = Result {
                    try work {
                        if clock.hasTurnLasted(Self.turnLength) {
                            self.giveTurn(of: key)
                            clock.beginTurn()
                        }
                        return clock.isOver || isCancelled()
                    }
                }
                if isCancelled() { throw CancellationError() }
                if clock.isOver { throw WorkLimitReached() }
                return try result.get()
            }
        }
    }
}

/// Work took more time than one request may cause.
package struct WorkLimitReached: Error, Hashable, Sendable {
    /// How long the same work is not tried again.
    static let retryInterval = Duration.seconds(3_600)

    package init() {}
}

/// The time that work has taken. It is used by the thread of the work alone.
private final class WorkClock: Sendable {
    private struct State {
        var turnStart = ContinuousClock.now
        var isOver = false
    }

    private let state = Mutex(State())
    /// In nanoseconds of the processor time of the thread.
    private let end: UInt64

    init(limit: Duration) {
        self.end = thread_processor_time() + UInt64(limit / .nanoseconds(1))
    }

    var isOver: Bool { self.state.withLock(\.isOver) }

    func hasTurnLasted(_ length: Duration) -> Bool {
        self.state.withLock { state in
            guard .now - state.turnStart >= length else { return false }
            state.isOver = thread_processor_time() > self.end
            return true
        }
    }

    func beginTurn() { self.state.withLock { $0.turnStart = .now } }
}
