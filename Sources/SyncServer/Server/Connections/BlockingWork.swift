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
            blockingThreads.submit { _ in
                continuation.resume(with: Result { try work { isCancelled.value } })
            }
        }
    } onCancel: {
        isCancelled.set()
    }
}

/// Work beyond that waits; the long kinds have permits of their own, which are fewer.
private let blockingThreads: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 32 + 2 * ProcessInfo.processInfo.activeProcessorCount)
    pool.start()
    return pool
}()

private final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var value: Bool { self.flag.load(ordering: .relaxed) }

    func set() { self.flag.store(true, ordering: .relaxed) }
}
