import Dispatch

/// Runs its jobs one after the other on a thread beside those that tests share.
private final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "computation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Does work that computes for seconds, so that tests that run at the same time get on meanwhile.
package func onThread<Answer: Sendable>(
    _ work: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await work() }
}
