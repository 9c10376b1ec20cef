import Dispatch

/// Runs its jobs serially outside of the shared thread pool.
private final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "computation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Runs work that computes for seconds without blocking concurrent tests.
package func onThread<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await work() }
}
