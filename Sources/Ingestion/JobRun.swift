import ArchiveStore
import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import Logging
import RevisionStore
import SyncModel

/// One job and its lease, which is renewed while the job is done. When the lease is lost the work stops, because another worker has
/// taken the job over. It also stops when the primary is lost, because another worker may do so.
struct JobRun {
    let job: Job
    let store: RevisionStore
    let settings: IngestionWorker.Settings
    let rules: RuleRunner
    let logger: Logger

    /// Does the job and stores its outcome. If that fails too, the lease expires and another worker takes the job over.
    ///
    /// - Returns: The error if the database could not be used. The job is in the queue again, and none of its attempts is used up.
    func run(_ progress: ProgressMeter) async -> (any Error)? {
        // Memory that the rules have freed would otherwise be resident while the next large archive is read.
        defer { if self.isLarge { WorkerHeap.releaseFreed(above: Self.idleMemory) } }
        do {
            try await withThrowingTaskGroup(of: Ending.self) { group in
                // The job's own threads are busy with computing.
                group.addTask(executorPreference: globalConcurrentExecutor) { try await self.keepLease(progress) }
                group.addTask {
                    try await self.work(progress)
                    return .workDone
                }
                // A lost lease throws and ends the work; a lease that is not needed any more does not.
                while let ending = try await group.next(), ending != .workDone {}
                group.cancelAll()
            }
        } catch StoreError.leaseLost {
            self.logger.warning("Job was taken over or finished elsewhere")
        } catch  where Task.isCancelled {
            await self.giveBack()
        } catch let error where RevisionStore.isBusy(error) {
            // Another transaction holds the venue's row for too long, which says nothing about the archive.
            self.logger.warning("Job waits for another change of the venue", metadata: ["error": "\(error)"])
            await self.release(after: "\(error)", .uncounted)
        } catch let error where RevisionStore.isOutage(error) {
            // If the outcome was committed and only the response was lost, nothing is given back.
            self.logger.info("Job waits for the database", metadata: ["error": "\(error)"])
            await self.giveBack(after: error)
            return error
        } catch StoreError.notSignable(let reason) {
            self.logger.error("Job cannot be signed", metadata: ["reason": "\(reason)"])
            await self.release(after: reason.description, .none)
        } catch {
            self.logger.error("Job failed", metadata: ["error": "\(error)"])
            await self.release(after: "\(error)")
        }
        return nil
    }

    /// Gives the job back as soon as the database responds. Until then its slot stays occupied; there is nothing to claim either.
    private func giveBack(after error: any Error) async {
        let failure =
            if error is ArchiveStoreError {
                "\(error); the upload is tried again when it can"
            } else if RevisionStore.isDiskFull(error) {
                "the database is out of disk space; the upload is tried again when there is some"
            } else {
                "the database cannot be used at the moment (\(error)); the upload is tried again when it can"
            }
        var pause = Duration.milliseconds(250)
        while !Task.isCancelled {
            do {
                return try await self.store.giveBack(self.job, because: failure)
            } catch let error where RevisionStore.isOutage(error) || RevisionStore.isBusy(error) {
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            } catch {
                return self.logger.error("Job could not be given back", metadata: ["error": "\(error)"])
            }
        }
        await self.giveBack()
    }

    private func release(after failure: String, _ next: RevisionStore.NextAttempt = .counted) async {
        do {
            try await self.store.release(self.job, after: failure, next)
        } catch {
            self.logger.error("Job could not be given back", metadata: ["error": "\(error)"])
        }
    }

    /// Gives the job back because the worker stops.
    private func giveBack() async {
        do {
            try await Task { try await self.store.giveBack(self.job) }.value  // because this task is cancelled
            self.logger.notice("Job was interrupted and given back")
        } catch {
            self.logger.error("Job could not be given back", metadata: ["error": "\(error)"])
        }
    }

    private enum Ending {
        case workDone
        case leaseNotNeeded
    }

    private func keepLease(_ progress: ProgressMeter) async throws -> Ending {
        let interval = min(self.settings.lease / 4, .seconds(1))
        var isFailing = false
        while true {
            try await Task.sleep(for: interval)
            do {
                try await self.renew(progress)
                if isFailing { self.logger.info("Lease is renewed again") }
                isFailing = false
            } catch StoreError.leaseLost where progress.isClosing {
                // The job's last statement gave the lease up; without the lease it would have failed.
                return .leaseNotNeeded
            } catch let error where RevisionStore.isPrimaryLost(error) && !progress.isWriting {
                throw error
            } catch let error where RevisionStore.isOutage(error) || RevisionStore.isBusy(error) {
                if !isFailing { self.logger.info("Lease cannot be renewed", metadata: ["error": "\(error)"]) }
                isFailing = true
            }
        }
    }

    /// Renews the lease, if necessary on a second connection: that one connection was closed says nothing about the primary.
    private func renew(_ progress: ProgressMeter) async throws {
        let seconds = self.settings.lease.inSeconds
        do {
            try await self.store.renew(self.job, for: seconds, progress: progress.reading)
        } catch let error where RevisionStore.isPrimaryLost(error) && !progress.isWriting {
            try await self.store.renew(self.job, for: seconds, progress: progress.reading)
        }
    }

    private func work(_ progress: ProgressMeter) async throws {
        if let outcome = self.job.outcome { return try await self.resume(outcome, progress) }
        do {
            // The newest revision is fetched while the archive is read. If it is superseded by then, the import fetches it again.
            async let base = self.store.comparisonBase(of: self.job.venue)
            let archive = try await self.read(progress)
            try await self.archiveImport(progress).run(archive, over: base)
        } catch let rejection as ArchiveRejection {
            try await self.reject(rejection, progress)
        }
    }

    /// Ends an upload whose archive cannot be versioned, with what the rules find in the part of it that could be read.
    private func reject(_ rejection: ArchiveRejection, _ progress: ProgressMeter) async throws {
        let now = Date()
        let report = try await self.report(on: rejection, at: now, progress)
        progress.close()
        try await self.store.finish(
            self.job, as: .rejected, findings: report, base: nil, identity: nil, changes: nil)
        self.logger.info("Rejected archive", metadata: ["findings": "\(rejection.findings.count)"])
    }

    private func report(
        on rejection: ArchiveRejection, at now: Date, _ progress: ProgressMeter
    ) async throws -> FindingReport {
        let unread = FindingReport(rejectedWith: rejection.findings)
        guard rejection.readable != nil else { return unread }
        progress.enter(.validating, total: RuleBook.all.count)
        return try await self.rules.beforePublishing(self.job.archiveBytes) { interruption in
            guard let context = ValidationContext(of: rejection, now: now) else { return unread }
            return try RuleBook.report(on: context, interruption: interruption) { done in
                if interruption.isRequested { throw CancellationError() }
                progress.reach(done)
            }
        }
    }

    /// Runs the rule book over an upload that is published already, because the worker that did so was killed.
    private func resume(_ outcome: Job.Outcome, _ progress: ProgressMeter) async throws {
        let archive = try await self.read(progress)
        try await self.archiveImport(progress).resume(archive, after: outcome)
    }

    private func archiveImport(_ progress: ProgressMeter) -> ArchiveImport {
        ArchiveImport(
            job: self.job, store: self.store, progress: progress, rules: self.rules, timeZones: self.settings.timeZones,
            logger: self.logger)
    }

    /// How much memory a worker keeps between large archives. If it returned all of it, the next one would take a tenth of a second longer.
    private static let idleMemory = 350 << 20

    /// Whether the features of the archive take some ten megabytes or more.
    private var isLarge: Bool { self.job.archiveBytes >= 1 << 20 }

    /// Reads the archive from a temporary file, because a zip is read from its end.
    private func read(_ progress: ProgressMeter) async throws -> Archive {
        progress.enter(.reading, total: Int(clamping: self.job.archiveBytes))
        if self.isLarge { WorkerHeap.useLargePages() }
        let file = try TemporaryFile()
        try await self.store.readArchive(of: self.job.upload) { chunk in
            try file.append(chunk)
            progress.advance(by: chunk.count)
        }
        defer { withExtendedLifetime(file) {} }
        return try await ArchiveReader(limits: self.settings.limits, repairsIDs: self.job.options.ids != .strict)
            .readOnTwoCores(fileDescriptor: file.descriptor)
    }
}
