import Foundation
import NIOPosix
import Synchronization

/// Runs work that occupies a thread for milliseconds or seconds on a thread outside of the cooperative pool, so that other requests are
/// not delayed.
///
/// - Parameter work: Can check whether the task was cancelled.
func offSharedThreads<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
) async throws -> Value {
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            BlockingThreads.pool.submit { _ in
                continuation.resume(with: Result { try work { isCancelled.value } })
            }
        }
    } onCancel: {
        isCancelled.set()
    }
}

/// The threads for work that occupies one; more work waits.
///
/// Work in turns keeps its thread while it is paused, and goes on when other work has ended that may need a thread first. So there must be
/// as many threads as the semaphores for tiles, searches, routes, tables and features can occupy together, see ``FairSemaphore/maximumThreads``,
/// and some for work of milliseconds, which holds no permit. A thread that was never used takes some kilobytes.
enum BlockingThreads {
    static let count = 112 + 3 * ProcessInfo.processInfo.activeProcessorCount

    fileprivate static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: BlockingThreads.count)
        pool.start()
        return pool
    }()
}

private final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var value: Bool { self.flag.load(ordering: .relaxed) }

    func set() { self.flag.store(true, ordering: .relaxed) }
}
