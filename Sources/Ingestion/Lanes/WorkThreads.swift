import Foundation

/// Threads for work that computes for long. The threads that all tasks share stay free for what must not wait: leases, signals
/// and connections.
final class WorkThreads: TaskExecutor, @unchecked Sendable {  // everything that changes is under the lock
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isClosed = false

    /// - Parameter niceness: how far behind others the threads stand for the processor's time; 0 to 19.
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

    /// Ends the threads when nothing is left to do. What is enqueued later runs on the shared threads.
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
