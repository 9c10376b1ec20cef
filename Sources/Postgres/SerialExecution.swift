internal import Dispatch

/// Runs tasks that prefer it one after another, on a thread that computations on the shared threads do not delay.
final class SerialExecution: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        self.queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
