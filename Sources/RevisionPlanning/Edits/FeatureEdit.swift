import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

/// Plans an edit over the newest revision and publishes it, again when another revision was published meanwhile.
package struct FeatureEdit: Sendable {
    private let request: EditRequest
    private let revisions: RevisionReader
    private let describer: ChangeDescriber
    private let indexes: ReferenceIndexCache

    package init(
        _ request: EditRequest, in revisions: RevisionReader, describer: ChangeDescriber, indexes: ReferenceIndexCache
    ) {
        self.request = request
        self.revisions = revisions
        self.describer = describer
        self.indexes = indexes
    }

    /// - Parameters:
    ///   - requested: the venue as it was when the request arrived.
    ///   - authorize: reads the venue and checks that the client may change it; called for every attempt.
    /// - Returns: what was changed; in a dry run what would be.
    /// - Throws: a ``RefusedEdit``, `headMoved`, `unknownVenue` or `venueReplaced`.
    package func run(
        in requested: VenueRecord, authorize: () async throws -> (VenueRecord, Authorization)
    ) async throws -> EditResult {
        try await PublicationAttempts.run(in: requested, authorize: authorize) { venue in
            guard venue.head > 0 else { throw StoreError.unknownVenue }
            // A request with the same id may have been processed since the last attempt.
            if let result = try await self.earlierResult(in: venue) { return result }
            if let base = self.request.base, base != venue.head { throw StoreError.headMoved }
            if let until = self.request.until, until <= Date() {
                throw RefusedEdit(.invalid, at: "/until", "The time at which the edit ends must be in the future.")
            }
            return nil
        } _: { venue, authorization in
            try await self.attempt(in: venue, authorization)
        }
    }

    /// The result of an earlier request with the same id.
    private func earlierResult(in venue: VenueRecord) async throws -> EditResult? {
        guard let identity = self.request.identity, !self.request.isDryRun,
            let record = try await self.revisions.store.editRecord(identity.id, of: venue)
        else { return nil }
        guard record.digest == identity.digest else {
            throw RefusedEdit(
                .identityReused, at: "/id", "Another request had the id \(identity.id).")
        }
        return try WireJSON.value(EditResult.self, from: Data(record.outcome.utf8))
    }

    private func attempt(in venue: VenueRecord, _ authorization: Authorization) async throws -> EditResult {
        let store = self.revisions.store
        var workspace = try await EditWorkspace(
            self.request, author: authorization.author, in: venue, from: store)
        try workspace.run()
        try workspace.checkSize()
        var edit = try await EditPlanner(workspace, in: venue, from: self.revisions, indexes: self.indexes)
        let plan = try await edit.plan()
        if !self.request.returnsToSource { try await self.check(plan, workspace, in: venue) }
        var result = try await self.result(of: plan, in: venue)
        if self.request.isDryRun { return result }
        result.revision = plan.changesFeatures ? venue.head + 1 : venue.head
        let record = try self.request.identity.map { identity in
            EditRecord(
                id: identity.id, digest: identity.digest,
                outcome: String(decoding: try WireJSON.data(result), as: UTF8.self))
        }
        if plan.changesFeatures {
            var stored = result.changes
            stored.words = []
            _ = try await store.publish(
                EditPublication(
                    venue: venue, versions: plan.versions, removed: plan.removed, levelStates: plan.levelStates,
                    metadata: plan.metadata, message: self.request.message, changes: stored,
                    facts: Fact.facts(of: plan.changes, ordinals: plan.ordinals), overrides: plan.overrides,
                    author: self.request.author),
                recording: record, by: authorization)
        } else if !plan.overrides.isEmpty {
            try await store.amend(plan.overrides, in: venue, recording: record, by: authorization)
        } else if let record {
            try await store.record(record, of: venue, by: authorization)
        }
        return result
    }

    /// Refuses an edit that causes errors, unless it is forced and they can be accepted.
    private func check(_ plan: EditPlan, _ workspace: EditWorkspace, in venue: VenueRecord) async throws {
        let isStrict = venue.settings.validation == .strict
        let errors = plan.findings.filter { $0.severity == .error }
        let fatal = errors.filter { EditValidation.isNeverAccepted($0, isStrict: isStrict) }
        let others = try errors.filter { finding in
            guard !EditValidation.isNeverAccepted(finding, isStrict: isStrict) else { return false }
            let feature = finding.featureID.flatMap { workspace.features[$0] }
            return !EditValidation.isOfSource(finding, feature?.source, try feature?.current())
        }
        guard let finding = fatal.first ?? (self.request.isForced ? nil : others.first) else { return }
        let path = finding.featureID.flatMap { workspace.features[$0]?.path } ?? ""
        let language = try await self.revisions.revision(venue.head, of: venue).about.language
        var sentences = [finding.message + EditValidation.advice(about: finding, language: language)]
        let more = fatal.count + others.count - 1
        if more > 0 { sentences.append(more == 1 ? "There is 1 more error." : "There are \(more) more errors.") }
        if fatal.isEmpty {
            sentences.append("Correct it, or repeat the edit with “force” to publish it nevertheless.")
        } else if isStrict {
            sentences.append("The venue is strict: no edit may cause an error.")
        }
        var refusal = RefusedEdit(
            .invalid, at: path + (finding.pointer ?? ""), sentences.joined(separator: " "), rule: finding.rule)
        refusal.findings = fatal + others
        refusal.canBeForced = fatal.isEmpty
        throw refusal
    }

    private func result(of plan: EditPlan, in venue: VenueRecord) async throws -> EditResult {
        var changes = ChangeSummary(of: plan.changes, ordinals: plan.ordinals)
        let facts = Fact.facts(of: plan.changes, ordinals: plan.ordinals)
        changes.words = try await self.describer.sentences(of: facts, in: venue, at: venue.head)
        let entries = try OverrideEntry.first(of: plan.written)
        var result = EditResult(
            venue: venue.key, revision: nil, base: venue.head, changes: changes, overrides: entries,
            ended: plan.overrides.ended, dependents: plan.dependents, findings: plan.findings)
        if entries.count < plan.written.count { result.omitted = plan.written.dropFirst(entries.count).map(\.id) }
        return result
    }
}
