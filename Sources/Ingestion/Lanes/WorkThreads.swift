import Foundation

/// Threads for long computations, so that the shared threads stay available for leases, signals and connections.
final class WorkThreads: TaskExecutor, @unchecked Sendable {  // all mutable state is under the lock
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isClosed = false

    /// - Parameter niceness: from 0, the normal priority, to 19, the lowest one.
    init(count: Int, niceness: Int32 = 0) {
        for _ in 0..<count {
            let thread = Thread { self.work(niceness: niceness) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.condition.lock()
        defer { self.condition.unlock() }
        guard !self.isClosed else { return globalConcurrentExecutor.enqueue(job) }
        self.jobs.append(job)
        self.condition.signal()
    }

    /// Ends the threads once all jobs are done. Later jobs run on the shared threads.
    func close() {
        self.condition.lock()
        self.isClosed = true
        self.condition.broadcast()
        self.condition.unlock()
    }

    private func work(niceness: Int32) {
        #if os(Linux)
            // On Linux this sets the priority of the calling thread.
            if niceness > 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
        #endif
        while let job = self.next() { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        self.condition.lock()
        defer { self.condition.unlock() }
        while self.jobs.isEmpty {
            if self.isClosed { return nil }
            self.condition.wait()
        }
        return self.jobs.removeFirst()
    }
}
