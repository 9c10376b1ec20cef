package import Foundation
package import IMDFArchive
package import Logging
package import RevisionPlanning
package import RevisionStore
import ServiceLifecycle
import SyncModel

/// Processes uploads: reads, compares and publishes several at a time, and runs the rules concurrently. Any number of workers may
/// run at the same time.
package struct IngestionWorker: Service {
    package struct Settings: Sendable {
        /// The time after which a job is taken from a worker that does not renew its lease.
        package var lease: Duration
        /// The time between two polls of the queue when no upload is signalled.
        package var pollInterval: Duration
        package var limits: ArchiveLimits
        /// How long uploads in process may take to finish when the worker stops.
        package var grace = Duration.seconds(5)
        /// From which a time zone is proposed for a venue without one; nil: none is proposed.
        package var timeZones: TimeZoneTable?

        package init(
            lease: Duration = .seconds(30), pollInterval: Duration = .seconds(1), limits: ArchiveLimits = .init(),
            timeZones: TimeZoneTable? = nil
        ) {
            self.lease = lease
            self.pollInterval = pollInterval
            self.limits = limits
            self.timeZones = timeZones
        }
    }

    let store: RevisionStore
    let settings: Settings
    let logger: Logger
    /// Held while the worker runs as a service.
    private let session = WorkerSession()
    /// Whether the queue can be read.
    private let connection: DatabaseCondition
    /// Whether jobs can be done: a database whose disk is full, for example, can still be read.
    private let capacity: DatabaseCondition

    package init(store: RevisionStore, settings: Settings = Settings(), logger: Logger) {
        self.store = store
        self.settings = settings
        self.logger = logger
        self.connection = DatabaseCondition(
            ("The queue cannot be read", "The queue can be read again"), longestPause: .seconds(1), logger: logger)
        self.capacity = DatabaseCondition(
            ("Uploads wait until the database can process them", "Uploads are processed again"),
            longestPause: .seconds(10), logger: logger)
    }

    /// Works until the service is shut down. Uploads in process may finish within ``Settings/grace``; the others go back to the
    /// queue.
    package func run() async throws {
        let lanes = WorkLanes()
        let jobs = RunningJobs(store: self.store, logger: self.logger)
        let signal = WorkSignal()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { for await _ in self.store.uploadNotifications(holding: self.session) { signal.send() } }
            tasks.addTask { while (try? await Task.sleep(for: self.settings.pollInterval)) != nil { signal.send() } }
            for slot in lanes.slots {
                tasks.addTask {
                    await self.work(at: signal.stream()) { try await self.fill(slot, jobs, lanes, signal) }
                }
            }
            tasks.addTask { await self.work(at: signal.stream()) { try await self.validate(jobs, lanes, signal) } }
            tasks.addTask {
                var sweep = Sweep(store: self.store, logger: self.logger)
                await self.work(at: signal.stream()) { try await sweep.deleteBatch() }
            }
            tasks.addTask {
                let expiry = OverrideExpiry(store: self.store, logger: self.logger)
                await self.work(at: signal.stream()) {
                    try await expiry.endAll()
                    return false
                }
            }
            try? await gracefulShutdown()
            await jobs.stop(grace: Task.isCancelled ? .zero : self.settings.grace)
            tasks.cancelAll()
        }
        lanes.close()
    }

    /// Repeats a step after every signal until there is nothing more to do.
    private func work(at signals: AsyncStream<Void>, _ step: () async throws -> Bool) async {
        for await _ in signals where !self.connection.isPausing {
            do {
                while try await step(), !Task.isCancelled {}
            } catch is CancellationError {
                return
            } catch let error where RevisionStore.isOutage(error) {
                // A claim reports it: this one did, or the next one does.
            } catch {
                self.logger.error("Queue could not be read", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Claims an upload for a slot and waits until the slot is free again; false when there was none.
    private func fill(
        _ slot: WorkLanes.Slot, _ jobs: RunningJobs, _ lanes: WorkLanes, _ signal: WorkSignal
    ) async throws -> Bool {
        guard jobs.isOpen, !self.capacity.isPausing else { return false }
        let lease = self.settings.lease.inSeconds
        let claimed = try await self.claim {
            try await self.store.claim(leaseFor: lease, session: self.session, scope: slot.scope)
        }
        guard let job = claimed else { return false }
        return try await self.process(job, on: slot.threads, jobs, lanes, signal)
    }

    /// Runs the rules over a published upload; false when there was none, or the lane is taken.
    private func validate(_ jobs: RunningJobs, _ lanes: WorkLanes, _ signal: WorkSignal) async throws -> Bool {
        guard jobs.isOpen, !self.capacity.isPausing, lanes.enterPublishedLane() else { return false }
        defer { lanes.leavePublishedLane() }
        let lease = self.settings.lease.inSeconds
        let claimed = try await self.claim {
            try await self.store.claimValidation(leaseFor: lease, session: self.session)
        }
        guard let job = claimed else { return false }
        return try await self.process(job, on: lanes.publishedArchives, jobs, lanes, signal)
    }

    /// Claims a job, and records whether the queue could be read.
    private func claim(_ next: @escaping @Sendable () async throws -> Job?) async throws -> Job? {
        let start = ContinuousClock.now
        do {
            let job = try await self.uncancelled(next)
            self.connection.succeeded(since: start)
            return job
        } catch let error where RevisionStore.isOutage(error) {
            self.connection.failed(error, since: start)
            throw error
        }
    }

    /// Starts a job and waits until its slot is free again; false when the worker is stopping.
    private func process(
        _ job: Job, on threads: WorkThreads, _ jobs: RunningJobs, _ lanes: WorkLanes, _ signal: WorkSignal
    ) async throws -> Bool {
        let (slot, occupation) = AsyncStream.makeStream(of: Never.self)
        let rules = RuleRunner(lanes: lanes) {
            occupation.finish()
            signal.send()
        }
        let isStarted = jobs.start(job, on: threads) { progress in
            await self.run(job, progress, rules)
            rules.freeSlot()
        }
        guard isStarted else {
            try await self.uncancelled { try await self.store.giveBack(job) }
            return false
        }
        for await _ in slot {}  // ends when the slot is free
        return true
    }

    /// Runs work that a cancellation must not interrupt: a half-done claim would leave a job without a worker.
    private func uncancelled<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Task { try await work() }.value
    }

    /// Deletes everything that is not needed any more.
    package func sweep() async throws {
        var sweep = Sweep(store: self.store, logger: self.logger)
        while try await sweep.deleteBatch() {}
    }

    /// Ends all overrides whose time is over.
    ///
    /// - Parameter time: Another time than that of the database's clock.
    package func endExpiredOverrides(at time: Date? = nil) async throws {
        try await OverrideExpiry(store: self.store, logger: self.logger).endAll(at: time)
    }

    /// Claims one job and does it; false when there was none.
    ///
    /// - Parameter session: Nil for none: then only the lease shows other workers that the job is taken.
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
        let start = ContinuousClock.now
        let run = JobRun(job: job, store: self.store, settings: self.settings, rules: rules, logger: logger)
        guard let error = await run.run(progress) else { return self.capacity.succeeded(since: start) }
        self.capacity.failed(error)
    }
}

extension Duration {
    var inSeconds: Double {
        Double(self.components.seconds) + Double(self.components.attoseconds) * 1e-18
    }
}
