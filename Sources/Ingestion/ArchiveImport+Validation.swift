import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import IMDFValidation
import Logging
import RevisionPlanning
import RevisionStore
import SyncModel

/// The rule book, before or after the publish.
extension ArchiveImport {
    /// Runs the rule book over an archive, against the revision that it would follow.
    func findings(of archive: Archive, in proposal: Proposal) async throws -> FindingReport {
        let comparison = ValidatedComparison(proposal)
        let previous = try await PreviousRevision(of: archive, comparison, self.store)
        let input = self.validationInput(archive, after: previous)
        return try await self.rules.beforePublishing(self.job.archiveBytes) { try input.report($0) }
    }

    /// Runs the rule book over an upload that is published or unchanged, and stores the findings.
    func validate(_ archive: Archive, after comparison: ValidatedComparison) async throws {
        try await self.validate(archive, after: PreviousRevision(of: archive, comparison, self.store))
    }

    /// Continues with the validation after another worker has published the upload.
    func resume(_ archive: Archive, after outcome: Job.Outcome) async throws {
        try await self.validate(
            archive, after: PreviousRevision(of: archive, outcome, of: self.job, store: self.store))
        self.logger.info("Resumed the validation")
    }

    private func validate(_ archive: Archive, after previous: PreviousRevision?) async throws {
        let input = self.validationInput(archive, after: previous)
        let report = try await self.rules.runAfterPublishing { try input.report($0) }
        self.progress.close()
        try await self.store.finishValidation(self.job, findings: report)
        self.logger.info(
            "Ran the rule book",
            metadata: ["edition": "\(RuleBook.edition)", "errors": "\(report.count(of: .error))"])
    }

    private func validationInput(_ archive: Archive, after previous: PreviousRevision?) -> ValidationInput {
        self.progress.enter(.validating, total: RuleBook.all.count)
        return ValidationInput(archive: archive, previous: previous, now: Date(), progress: self.progress)
    }
}

/// The input of one run of the rules, so that it can run on any thread.
private struct ValidationInput: Sendable {
    let archive: Archive
    let previous: PreviousRevision?
    let now: Date
    let progress: ProgressMeter

    func report(_ interruption: Interruption) throws -> FindingReport {
        let check = { if interruption.isRequested { throw CancellationError() } }
        try check()
        let context = ValidationContext(of: self.archive, now: self.now, previous: self.previous)
        return try RuleBook.report(on: context, interruption: interruption) { done in
            try check()
            self.progress.reach(done)
        }
    }
}

/// What the rules need of the comparison of an archive: a small part of the proposal, which holds the bodies of both sides.
struct ValidatedComparison: Sendable {
    let base: ComparisonBase
    /// The ids of the store by those of the archive.
    let matched: [FeatureID: FeatureID]
    /// Features that the archive has with another text and the same content; ids of the store.
    let equivalent: Set<FeatureID>

    init(base: ComparisonBase, matched: [FeatureID: FeatureID], equivalent: Set<FeatureID>) {
        self.base = base
        self.matched = matched
        self.equivalent = equivalent
    }

    init(_ proposal: Proposal) {
        self.init(
            base: proposal.base, matched: proposal.state.identities.storedIDs,
            equivalent: Set(proposal.difference.equivalent))
    }
}

extension PreviousRevision {
    /// The same from the store, once the archive is published.
    init?(of archive: Archive, _ outcome: Job.Outcome, of job: Job, store: RevisionStore) async throws {
        do {
            let base = try await store.comparisonBase(of: job.venue, at: outcome.base)
            let published = try await store.comparisonBase(of: job.venue, at: outcome.revision ?? outcome.base)
            let matched = try await store.storedIDs(of: job.upload)
            var renamed = archive
            renamed.resolveReferences(base: Set(base.features.lazy.map(\.id)))
            _ = await renamed.rename(matched)
            // A published body that differs from the archive's was found to be equal to it within the tolerance.
            var digests: [FeatureID: Digest] = Dictionary(minimumCapacity: published.features.count)
            for version in published.features { digests[version.id] = version.bodyDigest }
            // Overrides make others differ.
            for override in published.overrides.overrides { digests[override.feature] = nil }
            let equivalent = renamed.features.filter {
                digests[$0.id].map { [body = $0.body] in $0 != Digest(of: body) } ?? false
            }
            let comparison = ValidatedComparison(
                base: base, matched: matched, equivalent: Set(equivalent.map(\.id)))
            try await self.init(of: archive, comparison, store)
        } catch let error as StoreError {
            switch error {
            // Pruned or deleted meanwhile: there is nothing to compare with.
            case .unknownRevision, .revisionPruned, .unknownVenue, .venueGone: return nil
            default: throw error
            }
        }
    }

    /// The revision that an archive was compared with; nil before the first revision.
    init?(of archive: Archive, _ comparison: ValidatedComparison, _ store: RevisionStore) async throws {
        let (base, matched) = (comparison.base, comparison.matched)
        guard let revision = base.revision else { return nil }
        var features: [FeatureID: Version] = Dictionary(minimumCapacity: base.features.count)
        for version in base.features {
            features[version.id] = Version(type: version.type, level: version.level)
        }
        let placed = base.features.filter { Version.ofBuildings.contains($0.type) }
        try await store.bodies(of: placed.map(\.id), in: base.venue, at: base.number) { id, body in
            guard let version = features[id], let body = try? JSONReader.value(of: body) else { return }
            let buildings = body["properties"]?["building_ids"]?.array ?? []
            features[id] = Version(
                type: version.type, level: version.level,
                buildings: buildings.compactMap { $0.string.flatMap { FeatureID($0) } })
        }
        let hidden = Set(base.overrides.overrides.filter(\.isHidingNow).map(\.feature))
        let ids = archive.features.lazy.map(\.id)
        // The source has not removed a feature that an edit hides.
        let new = ids.filter { features[matched[$0] ?? $0] == nil && !hidden.contains(matched[$0] ?? $0) }
        self.init(
            number: base.number, features: features, venueFeature: revision.venueFeature,
            manifest: base.manifest.flatMap { try? JSONReader.value(of: $0).object },
            created: try await store.archiveCreated(in: base.venue, upTo: base.number), matched: matched,
            equivalent: Set(ids.filter { comparison.equivalent.contains(matched[$0] ?? $0) }),
            returning: try await store.revived(Array(new), in: base.venue, since: base.number))
    }
}
