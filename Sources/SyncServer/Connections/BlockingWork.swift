import Dispatch
import Synchronization

/// Runs work that keeps a thread busy for seconds away from the threads that all tasks share, so that other requests go on.
///
/// - Parameter work: Is told, when it asks, whether the task was cancelled.
func offSharedThreads<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
) async throws -> Value {
    let isCancelled = CancellationFlag()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try work { isCancelled.value } })
            }
        }
    } onCancel: {
        isCancelled.set()
    }
}

private final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var value: Bool { self.flag.load(ordering: .relaxed) }

    func set() { self.flag.store(true, ordering: .relaxed) }
}
