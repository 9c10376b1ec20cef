import IMDF
import IMDFArchive
import IMDFValidation
import Logging
import RevisionStore
import SyncModel

/// One job under a lease that is kept up beside the work. When the lease is lost the work stops: somebody else does it then.
struct JobRun {
    let job: Job
    let store: RevisionStore
    let settings: IngestionWorker.Settings
    let rules: RuleRunner
    let logger: Logger

    /// Ends the job one way or the other. Whatever fails here, the lease runs out and the job is taken over.
    func run(_ progress: ProgressMeter) async {
        do {
            try await withThrowingTaskGroup(of: Ending.self) { group in
                // Not on the job's own threads, which compute.
                group.addTask(executorPreference: globalConcurrentExecutor) { try await self.keepLease(progress) }
                group.addTask {
                    try await self.work(progress)
                    return .workDone
                }
                // A lease that is lost ends the work; one that nobody needs any more does not.
                while let ending = try await group.next(), ending != .workDone {}
                group.cancelAll()
            }
        } catch StoreError.leaseLost {
            self.logger.warning("Job was taken over or finished elsewhere")
        } catch  where Task.isCancelled {
            await self.giveBack()
        } catch let error where RevisionStore.isBusy(error) {
            // Another transaction holds the venue for too long. That is not the archive's fault.
            self.logger.warning("Job waits for others that change the venue", metadata: ["error": "\(error)"])
            await self.release(after: error, countsAttempt: false)
        } catch {
            self.logger.error("Job failed", metadata: ["error": "\(error)"])
            await self.release(after: error)
        }
    }

    private func release(after error: any Error, countsAttempt: Bool = true) async {
        do {
            try await self.store.release(self.job, after: "\(error)", countsAttempt: countsAttempt)
        } catch {
            self.logger.error("Job cannot be given back", metadata: ["error": "\(error)"])
        }
    }

    /// Gives the job back because the worker stops.
    private func giveBack() async {
        do {
            try await Task { try await self.store.giveBack(self.job) }.value  // this task is cancelled
            self.logger.notice("Job was interrupted and given back")
        } catch {
            self.logger.error("Job cannot be given back", metadata: ["error": "\(error)"])
        }
    }

    private enum Ending {
        case workDone
        case leaseNotNeeded
    }

    private func keepLease(_ progress: ProgressMeter) async throws -> Ending {
        let pulse = min(self.settings.lease / 4, .seconds(1))
        while true {
            try await Task.sleep(for: pulse)
            do {
                try await self.store.renew(self.job, for: self.settings.lease.inSeconds, progress: progress.reading)
            } catch StoreError.leaseLost where progress.isClosing {
                // Given up with the job's last statement, which would have failed without it.
                return .leaseNotNeeded
            } catch let error where RevisionStore.isOutage(error) || RevisionStore.isBusy(error) {
                self.logger.warning("Lease could not be renewed", metadata: ["error": "\(error)"])
            }
        }
    }

    private func work(_ progress: ProgressMeter) async throws {
        if let settled = self.job.outcome { return try await self.resume(settled, progress) }
        do {
            // What the venue says is fetched beside the reading; if it says something else by then, it is fetched again.
            async let base = self.store.comparisonBase(of: self.job.venue)
            let archive = try await self.read(progress)
            let arrival = ArchiveImport(
                job: self.job, store: self.store, progress: progress, rules: self.rules, logger: self.logger)
            try await arrival.settle(archive, over: base)
        } catch let rejection as ArchiveRejection {
            progress.close()
            try await self.store.finish(
                self.job, as: .rejected,
                findings: FindingReport(Report(rejectedWith: rejection.findings), checkedAt: nil),
                base: nil, identity: nil, changes: nil)
            self.logger.info("Rejected archive", metadata: ["findings": "\(rejection.findings.count)"])
        }
    }

    /// Runs the rule book over an upload whose worker was killed over it. It is published already, and stays so.
    private func resume(_ settled: Job.Outcome, _ progress: ProgressMeter) async throws {
        let archive = try await self.read(progress)
        let arrival = ArchiveImport(
            job: self.job, store: self.store, progress: progress, rules: self.rules, logger: self.logger)
        try await arrival.resume(archive, after: settled)
    }

    /// Fetches the archive into a file without a name, because a zip is read from its end, and reads it there.
    private func read(_ progress: ProgressMeter) async throws -> Archive {
        progress.enter(.reading, total: Int(clamping: self.job.archiveBytes))
        let file = try SpoolFile()
        try await self.store.readArchive(of: self.job.upload) { chunk in
            try file.append(chunk)
            progress.advance(by: chunk.count)
        }
        return try ArchiveReader(limits: self.settings.limits).read(fileDescriptor: file.descriptor)
    }
}
