import IMDF
import IMDFArchive
import Logging
import RevisionStore
import SyncModel

/// One job under a lease that is kept up beside the work. When the lease is lost the work stops: somebody else does it then.
struct JobRun {
    let job: Job
    let store: RevisionStore
    let settings: IngestionWorker.Settings
    let logger: Logger

    /// Ends the job one way or the other. Whatever fails here, the lease runs out and the job is taken over.
    func run() async {
        let progress = ProgressMeter()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.keepLease(progress) }
                group.addTask { try await self.work(progress) }
                // Whichever ends first decides: the work by being done, the lease by being lost.
                try await group.next()
                group.cancelAll()
            }
        } catch StoreError.leaseLost {
            self.logger.warning("Job was taken over or finished elsewhere")
        } catch is CancellationError {
            self.logger.warning("Job was cancelled")
        } catch {
            self.logger.error("Job failed", metadata: ["error": "\(error)"])
            do {
                try await self.store.release(self.job, after: "\(error)")
            } catch {
                self.logger.error("Job cannot be given back", metadata: ["error": "\(error)"])
            }
        }
    }

    private func keepLease(_ progress: ProgressMeter) async throws {
        let pulse = min(self.settings.lease / 4, .seconds(1))
        while true {
            try await Task.sleep(for: pulse)
            do {
                try await self.store.renew(self.job, for: self.settings.lease.inSeconds, progress: progress.reading)
            } catch  where RevisionStore.isOutage(error) {
                self.logger.warning("Lease could not be renewed", metadata: ["error": "\(error)"])
            }
        }
    }

    private func work(_ progress: ProgressMeter) async throws {
        do {
            let reading = try await self.read(progress)
            let import_ = ArchiveImport(job: self.job, store: self.store, progress: progress, logger: self.logger)
            try await import_.publish(reading)
        } catch let rejection as ArchiveRejection {
            try await self.store.finish(
                self.job, as: .rejected, findings: rejection.findings, base: nil, identity: nil, changes: nil)
            self.logger.info("Rejected archive", metadata: ["findings": "\(rejection.findings.count)"])
        }
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
