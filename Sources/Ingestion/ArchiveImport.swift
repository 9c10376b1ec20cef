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

    private var planner: ProposalPlanner {
        ProposalPlanner(store: self.store, identityMode: self.job.options.identity) { [progress = self.progress] in
            progress.update($0)
        }
    }

    /// - Parameter base: The newest revision when the import began.
    func run(_ archive: Archive, over base: ComparisonBase) async throws {
        guard let comparison = try await self.decide(archive, over: base).map(ValidatedComparison.init) else { return }
        // The outcome is stored. An error from here on concerns only the rule book.
        WorkerHeap.releaseFreed()
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
                // A second attempt finds the reasons to stage the upload, such as a revoked key.
                return try await attempt == 1 && self.isPublishedDirectly(over: base)
                    ? self.publishFirstRevision(archive, over: base) : self.decideOnce(archive, over: base)
            } catch let error as StoreError
                where
                (error == .headMoved || error == .keyRevoked || error == .notPermitted
                || error.invalidatesHead(of: base.venue))
                && attempt < PublicationAttempts.limit
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
        let findings = self.isStrict(over: base) ? try await self.findings(of: archive, in: proposal) : nil
        if let findings, findings.count(of: .error) > 0 {
            try await self.reject(proposal, findings)
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

    private func isStrict(over base: ComparisonBase) -> Bool {
        self.job.options.strict || base.venue.settings.validation == .strict
    }

    /// Ends a strict upload in which the rule book found errors.
    private func reject(_ proposal: Proposal, _ findings: FindingReport) async throws {
        var staging = try proposal.staging(because: [])
        // There is nothing to decide about edits.
        staging.overrides = nil
        staging.contested = []
        self.progress.close()
        try await self.store.reject(staging, of: self.job, findings: findings)
        self.logger.info("Rejected archive", metadata: ["errors": "\(findings.count(of: .error))"])
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
        await self.planner.keepContents(of: proposal, as: proposal.base.features)
        self.logger.info(
            "Archive changes nothing", metadata: ["revision": "\(proposal.base.number)"])
        return findings.isComplete ? nil : proposal
    }

    private func publish(
        _ archive: Archive, as proposal: Proposal, _ findings: FindingReport?
    ) async throws -> Proposal? {
        let versions = proposal.versions
        return try await self.publish(archive, writing: versions, over: proposal.base, findings) { timeZones in
            (proposal, proposal.publication(of: archive, writing: versions, timeZones: timeZones))
        }
    }

    /// Whether the archive becomes the first revision whatever it contains, because neither the rule book nor anybody decides about it
    /// before.
    private func isPublishedDirectly(over base: ComparisonBase) -> Bool {
        base.revision == nil && !self.isStrict(over: base) && !self.job.isHeld && self.job.shownDifference == nil
            && self.job.options.base ?? 0 == 0
    }

    /// Publishes the first revision of a venue. All features are its versions, so the comparison is made while they are written.
    private func publishFirstRevision(_ archive: Archive, over base: ComparisonBase) async throws -> Proposal? {
        let planner = self.planner
        let state = try await planner.state(of: archive, over: base)
        try Task.checkCancellation()
        return try await self.publish(archive, writing: state.firstVersions, over: base, nil) { timeZones in
            let proposal = try await planner.proposal(of: state, over: base)
            return (proposal, proposal.publication(of: archive, writing: [], timeZones: timeZones))
        }
    }

    /// Publishes an archive whose versions are known, while the rest of the publication is computed.
    private func publish(
        _ archive: Archive, writing versions: some Sequence<Publication.Version> & Sendable, over base: ComparisonBase,
        _ findings: FindingReport?,
        _ plan: @escaping @Sendable (TimeZoneTable?) async throws -> (Proposal, Publication)
    ) async throws -> Proposal? {
        self.progress.enter(.publishing, total: versions.underestimatedCount)
        // The findings of a staged upload are stored already.
        let isValidated = findings != nil || self.job.isValidated
        let readerFindings = isValidated ? nil : FindingReport(onReading: archive.findings, isComplete: false)
        if isValidated { self.progress.close() }
        let (number, proposal) = try await self.store.publish(
            versions, over: base.number, of: base.venue, self.job, findings ?? readerFindings
        ) { [timeZones = self.timeZones] in try await plan(timeZones) }
        let features = proposal.features
        self.store.keep(features, of: base.venue, at: number)
        await self.planner.keepContents(of: proposal, as: features)
        self.logger.info(
            "Published archive",
            metadata: [
                "revision": "\(number)", "features": "\(features.count)",
                "changes": "\(proposal.difference.changes.count)",
            ])
        await self.analyze(afterWriting: proposal.difference.versions.count)
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
        let report = if let findings { findings } else { try await self.findings(of: archive, in: proposal) }
        self.progress.close()
        try await self.store.stage(staging, of: self.job, findings: report)
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
