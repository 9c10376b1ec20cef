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
    let logger: Logger

    /// Rollbacks that come in between make the import compare again, so often at most.
    private static let tries = 10

    /// Bodies that are fetched for comparison at a time.
    private static let batch = 2_000

    /// - Parameter base: The newest revision when the import began.
    func settle(_ archive: Archive, over base: ComparisonBase) async throws {
        var base = base
        for attempt in 1... {
            do {
                return try await self.settleOnce(archive, over: base)
            } catch StoreError.headMoved where attempt < Self.tries {
                self.logger.info("Head moved, comparing again")
                base = try await self.store.comparisonBase(of: self.job.venue)
            }
        }
    }

    private func settleOnce(_ archive: Archive, over base: ComparisonBase) async throws {
        let proposal = try await self.proposal(of: archive, over: base)
        if proposal.isUnchanged { return try await self.finish(archive, as: proposal) }
        let reasons = try await self.reasons(against: proposal, of: archive)
        if reasons.isEmpty, !self.job.isHeld {
            try await self.publish(archive, as: proposal)
        } else {
            try await self.stage(archive, as: proposal, because: reasons)
        }
    }

    private func finish(_ archive: Archive, as proposal: Proposal) async throws {
        self.progress.close()
        try await self.store.finish(
            self.job, as: .unchanged, findings: archive.findings, base: proposal.base.number,
            identity: proposal.identity, changes: proposal.changes(), in: proposal.base.venue)
        self.logger.info(
            "Archive says what the venue says already", metadata: ["revision": "\(proposal.base.number)"])
    }

    private func publish(_ archive: Archive, as proposal: Proposal) async throws {
        self.progress.enter(.publishing, total: proposal.difference.versions.count)
        let publication = try proposal.publication(of: archive)
        self.progress.close()
        let number = try await self.store.publish(publication, of: self.job, findings: archive.findings)
        self.logger.info(
            "Published archive",
            metadata: [
                "revision": "\(number)", "features": "\(publication.features)",
                "changes": "\(proposal.difference.changes.count)",
            ])
    }

    private func stage(_ archive: Archive, as proposal: Proposal, because reasons: [Upload.Reason]) async throws {
        let staging = try proposal.staging(because: reasons)
        self.progress.close()
        try await self.store.stage(staging, of: self.job, findings: archive.findings)
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
        return reasons.filter { self.job.wish?.confirmed.contains($0.rawValue) != true }
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
        } catch StoreError.unknownRevision {
            return true  // it was pruned
        }
    }

    private func proposal(of archive: Archive, over base: ComparisonBase) async throws -> Proposal {
        self.progress.enter(.identifying, total: archive.features.count)
        let state = try await self.state(of: archive, over: base)
        self.progress.enter(.diffing, total: archive.features.count)
        let difference = try await self.compare(state, with: base)
        return Proposal(
            base: base, state: state, difference: difference, identity: Self.identity(of: state, in: difference),
            kept: try await self.keptBodies(difference, state: state, base: base))
    }

    /// The archive in the store's own ids, as far as it is to be asked who is who.
    private func state(of archive: Archive, over base: ComparisonBase) async throws -> VenueState {
        let mode = self.job.options.identity ?? base.venue.settings.identity
        let stored = base.stored
        return try await VenueState(of: archive, over: stored) { arrivals in
            guard mode != "trust", !stored.isEmpty else { return .asTheyCame }
            let aliases = try await self.aliases(of: arrivals.features, over: base)
            let identification = Identification(stored: stored, aliases: aliases) { ids, body in
                // Of most features the bodies are read in one go; those that nobody asked for are passed over.
                try await self.store.bodies(
                    of: 2 * ids.count > stored.count ? nil : ids, in: base.venue, at: base.number
                ) {
                    try body(StoredBody(id: $0, body: $1))
                }
            }
            return try await identification.identities(of: arrivals)
        }
    }

    /// What ids of the archive stand for.
    private func aliases(of features: [Feature], over base: ComparisonBase) async throws -> [FeatureID: FeatureID] {
        let stored = base.stored
        var aliases = try await self.store.aliases(of: Self.unknown(features, to: stored), in: base.venue)
        guard !aliases.isEmpty else { return aliases }
        // What an id stands for may have gone, come again under another id and been recognised: it stands for that then.
        let known = stored.map(\.id)
        let lost = Set(aliases.values.filter { known.place(of: $0) == nil })
        let found = try await self.store.aliases(of: lost.sorted(), in: base.venue)
        for (alias, target) in aliases { if let found = found[target] { aliases[alias] = found } }
        return aliases
    }

    /// Ids of the archive that are none of the store's; both are sorted.
    private static func unknown(_ features: [Feature], to stored: [StoredFeature]) -> [FeatureID] {
        var known = stored[...]
        return features.compactMap { feature in
            known = known.drop { $0.id < feature.id }
            return known.first?.id == feature.id ? nil : feature.id
        }
    }

    /// Features whose bytes differ are judged by their stored bodies, a batch at a time.
    private func compare(_ state: VenueState, with base: ComparisonBase) async throws -> Difference {
        var comparison = Comparison(stored: base.stored, candidates: state.candidates)
        let reader = JSONReader()
        for batch in comparison.needBodies.batches(of: Self.batch) {
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

    private static func identity(of state: VenueState, in difference: Difference) -> ArchiveIdentity {
        var identity = Upload.Identity(kept: 0, aliased: 0, matched: 0, near: 0, new: 0, gone: 0)
        var revived = 0
        let added = difference.changes.lazy.filter { $0.kind == .added }.map(\.id)
        let addedIDs = Set(added)
        for match in state.identities.matches {
            switch match.kind {
            case .alias: identity.aliased += 1
            case .exact: identity.matched += 1
            case .near: identity.near += 1
            }
            if addedIDs.contains(match.stored) { revived += 1 }
        }
        identity.new = addedIDs.count - revived
        identity.gone = difference.changes.count { $0.kind == .removed }
        identity.kept = state.candidates.count - identity.new - state.identities.matches.count
        return ArchiveIdentity(counts: identity, matches: state.identities.matches.map(IdentityMatch.init))
    }
}

extension IdentityMatch {
    init(_ match: Match) {
        let kind: Kind =
            switch match.kind {
            case .alias: .alias
            case .exact: .exact
            case .near: .near
            }
        self.init(
            id: match.stored, archiveID: match.arrived, type: match.type, kind: kind, reason: match.reason.rawValue,
            score: match.score)
    }
}

extension Job {
    /// Whether the upload is to be shown before it is published, and was not yet.
    fileprivate var isHeld: Bool {
        self.shown == nil && self.options.publish != nil
    }
}

extension [FeatureID] {
    func batches(of size: Int) -> [[FeatureID]] {
        stride(from: 0, to: self.count, by: size).map { Array(self[$0..<Swift.min($0 + size, self.count)]) }
    }
}
