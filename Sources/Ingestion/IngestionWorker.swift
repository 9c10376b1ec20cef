package import IMDFArchive
package import Logging
package import RevisionStore
import ServiceLifecycle
import SyncModel

/// Processes uploads: reads, compares and publishes several at a time, and runs the rules beside. Any number of workers may run
/// beside each other.
package struct IngestionWorker: Service {
    package struct Settings: Sendable {
        /// How long a silent worker keeps its job.
        package var lease: Duration
        /// How often the queue is looked at when nobody said that there is something in it.
        package var patience: Duration
        package var limits: ArchiveLimits
        /// How long uploads under way may take to finish when the worker stops.
        package var grace = Duration.seconds(5)

        package init(lease: Duration = .seconds(30), patience: Duration = .seconds(1), limits: ArchiveLimits = .init())
        {
            self.lease = lease
            self.patience = patience
            self.limits = limits
        }
    }

    let store: RevisionStore
    let settings: Settings
    let logger: Logger
    /// Held while the worker runs as a service.
    private let session = WorkerSession()

    package init(store: RevisionStore, settings: Settings = Settings(), logger: Logger) {
        self.store = store
        self.settings = settings
        self.logger = logger
    }

    /// Works until the service is shut down. Uploads under way may finish within ``Settings/grace``; what takes longer is given
    /// back to the queue.
    package func run() async throws {
        let lanes = WorkLanes()
        let jobs = RunningJobs(store: self.store, logger: self.logger)
        let bell = Bell()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { for await _ in self.store.uploadNotifications(holding: self.session) { bell.ring() } }
            tasks.addTask { while (try? await Task.sleep(for: self.settings.patience)) != nil { bell.ring() } }
            for slot in lanes.slots {
                tasks.addTask {
                    await self.work(at: bell.rings()) { try await self.fill(slot, jobs, lanes, bell) }
                }
            }
            tasks.addTask { await self.work(at: bell.rings()) { try await self.validate(jobs, lanes, bell) } }
            tasks.addTask {
                var sweep = Sweep(store: self.store)
                await self.work(at: bell.rings()) { try await sweep.sweepSome() }
            }
            try? await gracefulShutdown()
            await jobs.stop(grace: Task.isCancelled ? .zero : self.settings.grace)
            tasks.cancelAll()
        }
        lanes.close()
    }

    /// Does at each ring what there is to do, until there is nothing.
    private func work(at rings: AsyncStream<Void>, _ step: () async throws -> Bool) async {
        for await _ in rings {
            do {
                while try await step(), !Task.isCancelled {}
            } catch is CancellationError {
                return
            } catch {
                self.logger.error("Queue cannot be read", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Claims an upload for a slot and waits until the slot is free again; false when there was none.
    private func fill(
        _ slot: WorkLanes.Slot, _ jobs: RunningJobs, _ lanes: WorkLanes, _ bell: Bell
    ) async throws -> Bool {
        guard jobs.isOpen else { return false }
        let lease = self.settings.lease.inSeconds
        guard
            let job = try await self.uncancelled({
                try await self.store.claim(leaseFor: lease, session: self.session, scope: slot.scope)
            })
        else { return false }
        return try await self.process(job, on: slot.threads, jobs, lanes, bell)
    }

    /// Runs the rules over an upload that is published; false when there was none, or the lane is taken.
    private func validate(_ jobs: RunningJobs, _ lanes: WorkLanes, _ bell: Bell) async throws -> Bool {
        guard jobs.isOpen, lanes.enterFollowing() else { return false }
        defer { lanes.leaveFollowing() }
        let lease = self.settings.lease.inSeconds
        guard
            let job = try await self.uncancelled({
                try await self.store.claimValidation(leaseFor: lease, session: self.session)
            })
        else { return false }
        return try await self.process(job, on: lanes.rereading, jobs, lanes, bell)
    }

    /// Starts a job and waits until its place is free again; false when the worker is stopping.
    private func process(
        _ job: Job, on threads: WorkThreads, _ jobs: RunningJobs, _ lanes: WorkLanes, _ bell: Bell
    ) async throws -> Bool {
        let (occupied, occupation) = AsyncStream.makeStream(of: Never.self)
        let rules = RuleRunner(lanes: lanes) {
            occupation.finish()
            bell.ring()
        }
        let isStarted = jobs.start(job, on: threads) { progress in
            await self.run(job, progress, rules)
            rules.freeSlot()
        }
        guard isStarted else {
            try await self.uncancelled { try await self.store.giveBack(job) }
            return false
        }
        for await _ in occupied {}
        return true
    }

    /// A claim that is cancelled halfway would leave a job to nobody.
    private func uncancelled<Answer: Sendable>(
        _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await Task { try await work() }.value
    }

    /// Sweeps until there is nothing to sweep.
    package func sweep() async throws {
        var sweep = Sweep(store: self.store)
        while try await sweep.sweepSome() {}
    }

    /// Claims one job and does it; false when there was none.
    ///
    /// - Parameter session: Nil when nobody holds it: then only the lease tells others that the job is being worked on.
    package func workOnce(in session: WorkerSession? = nil) async throws -> Bool {
        let lease = self.settings.lease.inSeconds
        var next = try await self.store.claim(leaseFor: lease, session: session)
        if next == nil { next = try await self.store.claimValidation(leaseFor: lease, session: session) }
        guard let job = next else { return false }
        await self.run(job, ProgressMeter(), .inPlace)
        return true
    }

    private func run(_ job: Job, _ progress: ProgressMeter, _ rules: RuleRunner) async {
        var logger = self.logger
        logger[metadataKey: "upload.id"] = "\(job.upload)"
        logger[metadataKey: "venue"] = "\(job.venue)"
        logger[metadataKey: "attempt"] = "\(job.attempt)"
        await JobRun(job: job, store: self.store, settings: self.settings, rules: rules, logger: logger).run(progress)
    }
}

extension Duration {
    var inSeconds: Double {
        Double(self.components.seconds) + Double(self.components.attoseconds) * 1e-18
    }
}
