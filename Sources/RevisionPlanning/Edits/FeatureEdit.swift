import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
package import RevisionStore
package import SyncModel

/// Plans an edit over the newest revision and publishes it, again when another revision was published meanwhile.
package struct FeatureEdit: Sendable {
    package enum Outcome: Sendable {
        /// There may be a new revision or not.
        case done(EditResult)
        /// The outcome of a dry run.
        case planned(EditResult)
    }

    /// Attempts before an edit gives way to others that publish or prune meanwhile.
    private static let attempts = 10
    /// The number of overrides in the outcome, and of bytes of their values.
    private static let shownOverrides = 1_000
    private static let shownBytes = 1 << 20

    private let request: EditRequest
    private let revisions: RevisionReader
    private let describer: ChangeDescriber

    package init(_ request: EditRequest, in revisions: RevisionReader, describer: ChangeDescriber) {
        self.request = request
        self.revisions = revisions
        self.describer = describer
    }

    /// - Parameters:
    ///   - requested: the venue as it was when the request arrived.
    ///   - authorize: reads the venue and checks that the client may change it; called for every attempt.
    /// - Throws: an ``EditRefusal``, `headMoved`, `unknownVenue` or `venueReplaced`.
    package func run(
        in requested: VenueRecord, authorize: () async throws -> (VenueRecord, Authorization)
    ) async throws -> Outcome {
        for _ in 0..<Self.attempts {
            let (venue, authorization) = try await authorize()
            guard venue.epoch == requested.epoch else { throw StoreError.venueReplaced }
            guard venue.head > 0 else { throw StoreError.unknownVenue }
            // A request with the same id may have been answered since the last attempt.
            if let outcome = try await self.earlierOutcome(in: venue) { return outcome }
            if let base = self.request.base, base != venue.head { throw StoreError.headMoved }
            if let until = self.request.until, until <= Date() {
                throw EditRefusal(.invalid, at: "/until", "The time at which the edit ends must be in the future.")
            }
            do {
                return try await self.attempt(in: venue, authorization)
            } catch let error as StoreError where error == .headMoved || error.invalidatesHead(of: venue) {
                continue
            }
        }
        throw StoreError.headMoved
    }

    /// The outcome of an earlier request with the same id.
    private func earlierOutcome(in venue: VenueRecord) async throws -> Outcome? {
        guard let identity = self.request.identity, !self.request.isDryRun,
            let record = try await self.revisions.store.editRecord(identity.id, of: venue)
        else { return nil }
        guard record.digest == identity.digest else {
            throw EditRefusal(
                .identityReused, at: "/id", "Another request had the id \(identity.id).")
        }
        return .done(try WireJSON.value(EditResult.self, from: Data(record.outcome.utf8)))
    }

    private func attempt(in venue: VenueRecord, _ authorization: Authorization) async throws -> Outcome {
        let store = self.revisions.store
        var workspace = try await EditWorkspace(
            self.request, author: authorization.author, in: venue, from: store)
        try workspace.run()
        try workspace.checkSize()
        let plan = try await self.plan(workspace, in: venue)
        if !self.request.returnsToSource { try self.check(plan, workspace, in: venue) }
        var result = try await self.result(of: plan, in: venue)
        if self.request.isDryRun { return .planned(result) }
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
        return .done(result)
    }

    private func plan(_ workspace: EditWorkspace, in venue: VenueRecord) async throws -> EditPlan {
        let local = LocalEdit(workspace: workspace, venue: venue, revisions: self.revisions)
        if let plan = try await local.plan() { return plan }
        var edit = try await VenueEdit(workspace, in: venue, from: self.revisions.store)
        return try await edit.plan()
    }

    /// Refuses what breaks a rule that edits must not break.
    private func check(_ plan: EditPlan, _ workspace: EditWorkspace, in venue: VenueRecord) throws {
        let isStrict = venue.settings.validation == .strict
        guard let finding = plan.findings.first(where: { EditValidation.isRefused($0, isStrict: isStrict) }) else {
            return
        }
        let path = finding.featureID.flatMap { workspace.features[$0]?.path } ?? ""
        throw EditRefusal(.invalid, at: path + (finding.pointer ?? ""), finding.message, rule: finding.rule)
    }

    private func result(of plan: EditPlan, in venue: VenueRecord) async throws -> EditResult {
        var changes = ChangeSummary(of: plan.changes, ordinals: plan.ordinals)
        let facts = Fact.facts(of: plan.changes, ordinals: plan.ordinals)
        changes.words = try await self.describer.sentences(of: facts, in: venue, at: venue.head)
        let entries = try self.entries(of: plan.written)
        var result = EditResult(
            venue: venue.key, revision: nil, base: venue.head, changes: changes, overrides: entries,
            ended: plan.overrides.ended, dependents: plan.dependents, findings: plan.findings)
        if entries.count < plan.written.count { result.omitted = plan.written.dropFirst(entries.count).map(\.id) }
        return result
    }

    /// The first overrides.
    private func entries(of overrides: [Override]) throws -> [OverrideEntry] {
        var bytes = 0
        let shown = overrides.prefix(Self.shownOverrides).prefix { override in
            bytes += [override.base, override.value, override.source].reduce(0) { $0 + ($1?.count ?? 0) }
            return bytes <= Self.shownBytes
        }
        return try shown.map { try OverrideEntry($0) }
    }
}

extension OverrideEntry {
    init(_ override: Override) throws {
        let reader = JSONReader()
        self.init(
            id: override.id, feature: override.feature, type: override.witness.type, level: override.level,
            name: try override.witness.name.map { try reader.value(of: $0) },
            kind: override.isAddition ? .added : override.isHiding ? .hidden : .value,
            pointer: override.pointer.description, state: State(rawValue: override.state.rawValue) ?? .quiet,
            base: try override.base.map { try reader.value(of: $0) },
            value: try override.value.map { try reader.value(of: $0) },
            source: try override.source.map { try reader.value(of: $0) }, author: override.author,
            message: override.message, since: override.since, until: override.until)
    }
}
