import IMDF
import IMDFArchive
import IMDFDiff
import Logging
import RevisionPlanning
import RevisionStore
import SyncModel

/// The import of an archive: compares it with the newest revision, then publishes or stages it.
struct ArchiveImport {
    let job: Job
    let store: RevisionStore
    let progress: ProgressMeter
    let rules: RuleRunner
    let timeZones: TimeZoneTable?
    let logger: Logger

    /// Comparisons before an import gives up because others roll back or prune meanwhile.
    private static let attempts = 10

    private var planner: ProposalPlanner {
        ProposalPlanner(store: self.store, identityMode: self.job.options.identity) { [progress = self.progress] in
            progress.update($0)
        }
    }

    /// - Parameter base: The newest revision when the import began.
    func run(_ archive: Archive, over base: ComparisonBase) async throws {
        guard let comparison = try await self.decide(archive, over: base).map(ValidatedComparison.init) else { return }
        // The outcome is stored. An error from here on concerns only the rule book.
        releaseFreedMemory()
        let isValidated = try await self.rules.afterPublishing { try await self.validate(archive, after: comparison) }
        guard !isValidated else { return }
        // Another upload is being validated. The job goes back to the queue, so that the archive does not stay in memory.
        self.progress.close()
        try await self.store.giveBack(self.job)
    }

    /// - Returns: What was published or is unchanged, and has not been validated yet.
    private func decide(_ archive: Archive, over base: ComparisonBase) async throws -> Proposal? {
        var base = base
        for attempt in 1... {
            do {
                return try await self.decideOnce(archive, over: base)
            } catch let error as StoreError
                where
                (error == .headMoved || error == .keyRevoked || error == .notPermitted
                || error.invalidatesHead(of: base.venue))
                && attempt < Self.attempts
            {
                self.logger.info("Head moved, or a key was revoked: comparing again")
                base = try await self.store.comparisonBase(of: self.job.venue)
            }
        }
        return nil  // not reached: the last attempt returns or throws
    }

    private func decideOnce(_ archive: Archive, over base: ComparisonBase) async throws -> Proposal? {
        let planner = self.planner
        let proposal = try await planner.proposal(of: archive, over: base)
        // Only a strict upload waits for the rule book.
        let isStrict = self.job.options.strict || base.venue.settings.validation == .strict
        let findings = isStrict ? try await self.findings(of: archive, in: proposal) : nil
        if let findings, findings.errors > 0 {
            try await self.reject(findings, over: base)
            return nil
        }
        let changesOverrides = proposal.overrides.map { !$0.changes.isEmpty } ?? false
        if proposal.isUnchanged, !changesOverrides, !proposal.asksAboutOverrides {
            return try await self.finish(archive, as: proposal, findings)
        }
        let reasons = try await planner.reasons(toStage: proposal, of: archive, for: self.job)
        if proposal.isUnchanged, !reasons.contains(.overrides), !reasons.contains(.keyRevoked) || !changesOverrides {
            return try await self.finish(archive, as: proposal, findings)
        }
        if reasons.isEmpty, !self.job.isHeld {
            return try await self.publish(archive, as: proposal, findings)
        }
        try await self.stage(archive, as: proposal, because: reasons, findings)
        return nil
    }

    /// Ends a strict upload in which the rule book found errors.
    private func reject(_ findings: FindingReport, over base: ComparisonBase) async throws {
        self.progress.close()
        try await self.store.finish(
            self.job, as: .rejected, findings: findings, base: base.revision?.number, identity: nil, changes: nil)
        self.logger.info("Rejected archive", metadata: ["errors": "\(findings.errors)"])
    }

    private func finish(
        _ archive: Archive, as proposal: Proposal, _ findings: FindingReport?
    ) async throws -> Proposal? {
        let findings = findings ?? FindingReport(onReading: archive.findings, isComplete: false)
        if findings.isComplete { self.progress.close() }
        try await self.store.finish(
            self.job, as: .unchanged, findings: findings, base: proposal.base.number,
            identity: proposal.identity, changes: proposal.changes, overrides: proposal.overrides,
            in: proposal.base.venue)
        self.logger.info(
            "Archive changes nothing", metadata: ["revision": "\(proposal.base.number)"])
        return findings.isComplete ? nil : proposal
    }

    private func publish(
        _ archive: Archive, as proposal: Proposal, _ findings: FindingReport?
    ) async throws -> Proposal? {
        self.progress.enter(.publishing, total: proposal.difference.versions.count)
        let versions = proposal.versions
        // The findings of a staged upload are stored already.
        let isValidated = findings != nil || self.job.isValidated
        let readerFindings = isValidated ? nil : FindingReport(onReading: archive.findings, isComplete: false)
        if isValidated { self.progress.close() }
        let number = try await self.store.publish(
            versions, over: proposal.base.number, of: proposal.base.venue, self.job, findings ?? readerFindings
        ) { [timeZones = self.timeZones] in
            proposal.publication(of: archive, writing: versions, timeZones: timeZones)
        }
        let features = proposal.features
        self.store.keep(features, of: proposal.base.venue, at: number)
        self.logger.info(
            "Published archive",
            metadata: [
                "revision": "\(number)", "features": "\(features.count)",
                "changes": "\(proposal.difference.changes.count)",
            ])
        await self.analyze(afterWriting: versions.count)
        return isValidated ? nil : proposal
    }

    /// Updates the planner statistics at once, because autovacuum does so only minutes later. A failure does not fail the upload.
    private func analyze(afterWriting versions: Int) async {
        guard versions >= RevisionStore.largeImport else { return }
        do {
            try await self.store.analyze()
        } catch {
            self.logger.warning("Tables could not be analyzed", metadata: ["error": "\(error)"])
        }
    }

    private func stage(
        _ archive: Archive, as proposal: Proposal, because reasons: [Upload.Reason], _ findings: FindingReport?
    ) async throws {
        let staging = try proposal.staging(because: reasons)
        var report = findings
        if report == nil { report = try await self.findings(of: archive, in: proposal) }
        self.progress.close()
        try await self.store.stage(
            staging, of: self.job, findings: report ?? FindingReport(onReading: archive.findings, isComplete: true))
        self.logger.info(
            "Staged archive",
            metadata: [
                "base": "\(staging.base)", "reasons": "\(reasons.map(\.rawValue).joined(separator: " "))",
                "changes": "\(staging.items.count)",
            ])
    }
}

extension Job {
    /// Whether the upload is staged before it is published, and was not staged yet.
    fileprivate var isHeld: Bool {
        self.shownDifference == nil && self.options.publish != nil
    }
}
