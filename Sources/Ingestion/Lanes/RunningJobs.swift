import Logging
import RevisionStore
import SyncModel
import Synchronization

/// The jobs of one worker process, which can stop in bounded time whatever they do.
final class RunningJobs: Sendable {
    private struct Running {
        let job: Job
        let progress: ProgressMeter
        let task: Task<Void, Never>
    }

    private struct State {
        var jobs: [Int: Running] = [:]
        var next = 0
        var isClosed = false
    }

    private let store: RevisionStore
    private let logger: Logger
    private let state = Mutex(State())

    init(store: RevisionStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Whether new jobs may be claimed.
    var isOpen: Bool { self.state.withLock { !$0.isClosed } }

    /// Starts a job; false when the worker is stopping.
    func start(
        _ job: Job, on threads: WorkThreads, _ run: @escaping @Sendable (ProgressMeter) async -> Void
    ) -> Bool {
        self.state.withLock { state in
            guard !state.isClosed else { return false }
            let id = state.next
            state.next += 1
            let progress = ProgressMeter()
            let task = Task(executorPreference: threads) {
                await run(progress)
                self.state.withLock { _ = $0.jobs.removeValue(forKey: id) }
            }
            state.jobs[id] = Running(job: job, progress: progress, task: task)
            return true
        }
    }

    /// Cancels jobs that run the rules at once and the others after the grace period, and gives back those that have not ended by
    /// then. They may go on computing for a moment, but without a lease they can store nothing.
    func stop(grace: Duration) async {
        self.state.withLock { $0.isClosed = true }
        for running in self.running where running.progress.reading.phase == .validating { running.task.cancel() }
        if await !self.areDone(within: grace) {
            for running in self.running { running.task.cancel() }
            _ = await self.areDone(within: .seconds(2))
        }
        for running in self.running {
            self.logger.notice(
                "Giving back a job that does not end", metadata: ["upload.id": "\(running.job.upload)"])
            try? await self.store.giveBack(running.job)
        }
    }

    private var running: [Running] { self.state.withLock { Array($0.jobs.values) } }

    private func areDone(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !self.running.isEmpty {
            guard ContinuousClock.now < deadline else { return false }
            await Task { try? await Task.sleep(for: .milliseconds(20)) }.value  // also when this task is cancelled
        }
        return true
    }
}
