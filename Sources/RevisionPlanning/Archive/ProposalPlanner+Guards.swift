import IMDF
package import IMDFArchive
package import RevisionStore
package import SyncModel

extension ProposalPlanner {
    /// The reasons to stage a proposal instead of publishing it, without those that the job's requester has confirmed.
    package func reasons(
        toStage proposal: Proposal, of archive: Archive, for job: Job
    ) async throws -> [Upload.Reason] {
        var reasons = Guards.reasons(against: proposal)
        if try await self.hasHeadMoved(for: proposal, of: archive, job) { reasons.append(.headMoved) }
        reasons.removeAll { job.publishRequest?.confirmed.contains($0.rawValue) == true }
        // A revoked key cannot be confirmed: the publication has to be requested with another one.
        if try await !self.store.isAuthorized(job) { reasons.append(.keyRevoked) }
        return reasons
    }

    /// Whether the requester expects another head than the newest revision, and another difference than there is now.
    private func hasHeadMoved(for proposal: Proposal, of archive: Archive, _ job: Job) async throws -> Bool {
        let head = proposal.base.number
        if let shown = job.shownDifference {
            let expected = job.publishRequest.map(\.base) ?? shown.base
            guard let expected else { return false }  // the request replaces whatever is published
            // An expected revision that is neither the shown base nor the head belongs to a difference that nobody was shown.
            guard expected == shown.base || expected == head else { return true }
            return shown.base != head && shown.digest != proposal.digest
        }
        guard let expected = job.options.base, expected != head else { return false }
        guard expected > 0 else { return true }
        do {
            let base = try await self.store.comparisonBase(of: job.venue, at: expected)
            return try await self.proposal(of: archive, over: base).digest != proposal.digest
        } catch StoreError.revisionPruned {
            return true
        }
    }
}
