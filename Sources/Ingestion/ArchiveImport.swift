import IMDF
import IMDFArchive
import IMDFDiff
import Logging
import RevisionStore
import SyncModel

/// An archive on its way to being a revision: compared with the newest one, then published on top of it or held back.
struct ArchiveImport {
    let job: Job
    let store: RevisionStore
    let progress: ProgressMeter
    let rules: RuleRunner
    let logger: Logger

    /// Rollbacks and prunes that come in between make the import compare again, so often at most.
    private static let tries = 10

    /// Bodies that are fetched for comparison at a time.
    private static let batch = 2_000

    /// - Parameter base: The newest revision when the import began.
    func settle(_ archive: Archive, over base: ComparisonBase) async throws {
        // Nothing that goes wrong from here on leads back to publishing.
        guard let proposal = try await self.decide(archive, over: base) else { return }
        let isValidated = try await self.rules.afterPublishing { try await self.validate(archive, in: proposal) }
        guard !isValidated else { return }
        // Another upload is being validated. Nothing of this one is kept in memory until its turn comes.
        self.progress.close()
        try await self.store.giveBack(self.job)
    }

    /// - Returns: What was published, or found to be there already, before the rule book was run through.
    private func decide(_ archive: Archive, over base: ComparisonBase) async throws -> Proposal? {
        var base = base
        for attempt in 1... {
            do {
                return try await self.decideOnce(archive, over: base)
            } catch let error as StoreError
                where (error == .headMoved || error == .keyRevoked || error.saysGone(base.venue))
                && attempt < Self.tries
            {
                self.logger.info("Head moved, or a key was revoked: comparing again")
                base = try await self.store.comparisonBase(of: self.job.venue)
            }
        }
        return nil  // not reached: the last try returns or throws
    }

    private func decideOnce(_ archive: Archive, over base: ComparisonBase) async throws -> Proposal? {
        let proposal = try await self.proposal(of: archive, over: base)
        // Only who asked for it waits for the rule book.
        let isStrict = self.job.options.strict || base.venue.settings.validation == "strict"
        let findings = isStrict ? try await self.findings(of: archive, in: proposal) : nil
        if let findings, findings.errors > 0 {
            try await self.reject(findings, over: base)
            return nil
        }
        if proposal.isUnchanged { return try await self.finish(archive, as: proposal, findings) }
        let reasons = try await self.reasons(against: proposal, of: archive)
        if reasons.isEmpty, !self.job.isHeld {
            return try await self.publish(archive, as: proposal, findings)
        }
        try await self.stage(archive, as: proposal, because: reasons, findings)
        return nil
    }

    /// Ends an upload that was to be published only if no rule makes an error of it.
    private func reject(_ findings: FindingReport, over base: ComparisonBase) async throws {
        self.progress.close()
        try await self.store.finish(
            self.job, as: .rejected, findings: findings, base: base.revision?.number, identity: nil, changes: nil)
        self.logger.info("Rejected archive", metadata: ["errors": "\(findings.errors)"])
    }

    private func finish(
        _ archive: Archive, as proposal: Proposal, _ findings: FindingReport?
    ) async throws -> Proposal? {
        let findings = findings ?? FindingReport(atTheDoor: archive.findings, isComplete: false)
        if findings.isComplete { self.progress.close() }
        try await self.store.finish(
            self.job, as: .unchanged, findings: findings, base: proposal.base.number,
            identity: proposal.identity, changes: proposal.changes(), in: proposal.base.venue)
        self.logger.info(
            "Archive says what the venue says already", metadata: ["revision": "\(proposal.base.number)"])
        return findings.isComplete ? nil : proposal
    }

    private func publish(
        _ archive: Archive, as proposal: Proposal, _ findings: FindingReport?
    ) async throws -> Proposal? {
        self.progress.enter(.publishing, total: proposal.difference.versions.count)
        let publication = try proposal.publication(of: archive)
        // What was found when it was staged stays.
        let isValidated = findings != nil || self.job.isValidated
        let door = isValidated ? nil : FindingReport(atTheDoor: archive.findings, isComplete: false)
        if isValidated { self.progress.close() }
        let number = try await self.store.publish(publication, of: self.job, findings: findings ?? door)
        self.logger.info(
            "Published archive",
            metadata: [
                "revision": "\(number)", "features": "\(publication.features)",
                "changes": "\(proposal.difference.changes.count)",
            ])
        await self.analyze(after: publication)
        return isValidated ? nil : proposal
    }

    /// The server would do so by itself, some minutes later. What goes wrong with it is no fault of the upload's.
    private func analyze(after publication: Publication) async {
        guard publication.versions.count >= RevisionStore.largeImport else { return }
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
            staging, of: self.job, findings: report ?? FindingReport(atTheDoor: archive.findings, isComplete: true))
        self.logger.info(
            "Staged archive",
            metadata: [
                "base": "\(staging.base)", "reasons": "\(reasons.map(\.rawValue).joined(separator: " "))",
                "changes": "\(staging.items.count)",
            ])
    }
}

extension ArchiveImport {
    /// What speaks against publishing, as far as nobody has said that it does not.
    private func reasons(against proposal: Proposal, of archive: Archive) async throws -> [Upload.Reason] {
        var reasons = Guards.reasons(against: proposal)
        if try await self.hasMoved(proposal, of: archive) { reasons.append(.headMoved) }
        reasons.removeAll { self.job.wish?.confirmed.contains($0.rawValue) == true }
        // Nobody can confirm this: another key has to ask.
        if try await !self.store.isAuthorized(self.job) { reasons.append(.keyRevoked) }
        return reasons
    }

    /// Whether the caller counted on another revision than the newest, and on another difference than the one there is now.
    private func hasMoved(_ proposal: Proposal, of archive: Archive) async throws -> Bool {
        let head = proposal.base.number
        if let shown = self.job.shown {
            let expected = self.job.wish.map(\.base) ?? shown.base
            guard let expected else { return false }  // whoever asked takes whatever is there
            // Somebody who names another revision than the one it was shown against, and than the newest, saw something else.
            guard expected == shown.base || expected == head else { return true }
            return shown.base != head && shown.digest != proposal.digest
        }
        guard let expected = self.job.options.base, expected != head else { return false }
        guard expected > 0 else { return true }
        do {
            let base = try await self.store.comparisonBase(of: self.job.venue, at: expected)
            return try await self.proposal(of: archive, over: base).digest != proposal.digest
        } catch StoreError.revisionPruned {
            return true
        }
    }

    private func proposal(of archive: Archive, over base: ComparisonBase) async throws -> Proposal {
        self.progress.enter(.identifying, total: archive.features.count)
        let stored = base.stored
        let state = try await self.state(of: archive, over: base, stored)
        self.progress.enter(.diffing, total: archive.features.count)
        let difference = try await self.compare(state, with: base, stored)
        return Proposal(
            base: base, stored: stored, state: state, difference: difference,
            identity: Self.identity(of: state, in: difference),
            kept: try await self.keptBodies(difference, state: state, base: base))
    }

    /// Features whose bytes differ are judged by their stored bodies, a batch at a time.
    private func compare(
        _ state: VenueState, with base: ComparisonBase, _ stored: [StoredFeature]
    ) async throws -> Difference {
        var comparison = Comparison(stored: stored, candidates: state.candidates)
        let reader = JSONReader()
        for batch in comparison.neededBodies.batches(of: Self.batch) {
            var bodies: [StoredBody] = []
            try await self.store.bodies(of: batch, in: base.venue, at: base.number) { id, body in
                bodies.append(StoredBody(id: id, body: body))
            }
            try comparison.resolve(bodies) { try reader.value(of: $0) }
            self.progress.advance(by: batch.count)
        }
        return try comparison.difference()
    }

    /// The stored bodies that stay, as far as they are needed: for versions that only move, and for the digests of touched levels.
    private func keptBodies(
        _ difference: Difference, state: VenueState, base: ComparisonBase
    ) async throws -> [FeatureID: [UInt8]] {
        var kept: [FeatureID: [UInt8]] = [:]
        for batch in state.kept(neededFor: difference, over: base).batches(of: Self.batch) {
            try await self.store.bodies(of: batch, in: base.venue, at: base.number) { kept[$0] = $1 }
        }
        return kept
    }
}

extension [FeatureID] {
    func batches(of size: Int) -> [[FeatureID]] {
        stride(from: 0, to: self.count, by: size).map { Array(self[$0..<Swift.min($0 + size, self.count)]) }
    }
}

extension Job {
    /// Whether the upload is to be shown before it is published, and was not yet.
    fileprivate var isHeld: Bool {
        self.shown == nil && self.options.publish != nil
    }
}
