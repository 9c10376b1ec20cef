import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// What an edit makes of a revision.
struct EditPlan {
    var overrides: OverrideChanges
    /// The overrides that are written, and those that end.
    var written: [Override] = []
    var versions: [Publication.Version] = []
    var removed: [FeatureID] = []
    var changes: [Change] = []
    var levelStates: [LevelState] = []
    /// Nil if it stays as it is.
    var metadata: EditPublication.Metadata?
    var ordinals: [FeatureID: Int] = [:]
    /// Features that were hidden because they refer to a hidden one.
    var dependents: [FeatureID] = []
    var findings: [Finding] = []

    /// Whether any feature is different for a reader.
    var changesFeatures: Bool { !self.versions.isEmpty || !self.removed.isEmpty }
}

extension EditPlan {
    /// The overrides of the edited features, with the levels that the features have afterwards.
    init(_ workspace: EditWorkspace, levels: [FeatureID: FeatureID?]) {
        self.overrides = OverrideChanges(basedOn: workspace.overrideNumber)
        for (id, feature) in workspace.features.sorted(by: { $0.key < $1.key }) {
            let before = Dictionary(uniqueKeysWithValues: feature.before.map { ($0.id, $0) })
            let after = feature.overrides.map { override in
                var override = override
                if let level = levels[id] { override.level = level }
                return override
            }
            self.written += after.filter { before[$0.id] != $0 }
            let kept = Set(after.map(\.id))
            self.overrides.ended += feature.before.map(\.id).filter { !kept.contains($0) }
        }
        self.overrides.written = self.written
    }
}

/// Plans an edit that changes neither which features there are nor what they refer to. Only these features, and the bodies of their
/// levels, are read.
struct LocalEdit {
    let workspace: EditWorkspace
    let venue: VenueRecord
    let revisions: RevisionReader

    /// Nil if the edit is not local.
    func plan() async throws -> EditPlan? {
        guard try !self.workspace.changesExistence else { return nil }
        let reader = JSONReader()
        var plan = EditPlan(self.workspace, levels: [:])
        var sides = (before: EditValidation.Side(), after: EditValidation.Side())
        for (_, feature) in self.workspace.features.sorted(by: { $0.key < $1.key }) {
            guard let stored = feature.stored, let body = try feature.body(), body != stored.body else { continue }
            let references = (
                before: try reader.references(of: stored.body, type: stored.type),
                after: try reader.references(of: body, type: stored.type)
            )
            guard references.before == references.after, stored.type != .venue, stored.type != .address,
                stored.type != .level
            else { return nil }
            sides.before.features.append(Self.feature(stored, stored.body, references.before))
            sides.after.features.append(Self.feature(stored, body, references.after))
            var version = stored
            version.body = body
            version.digest = Digest(of: body)
            plan.versions.append(version)
            let classes = ChangeClasses(
                from: try reader.value(of: stored.body), on: nil, to: try reader.value(of: body), on: nil)
            plan.changes.append(
                Change(
                    id: version.feature, kind: .changed, type: version.type, levelBefore: version.placement.level,
                    levelAfter: version.placement.level, classes: classes.isEmpty ? .other : classes))
        }
        plan.findings = try EditValidation.newFindings(before: sides.before, after: sides.after)
        plan.ordinals = try await self.ordinals()
        for level in Set(plan.versions.map(\.placement.level)) {
            plan.levelStates.append(try await self.state(of: level, with: plan.versions))
        }
        return plan
    }

    private static func feature(
        _ version: Publication.Version, _ body: [UInt8], _ references: [Reference]
    ) -> Feature {
        Feature(id: version.feature, type: version.type, body: body, references: references)
    }

    private func ordinals() async throws -> [FeatureID: Int] {
        var ordinals: [FeatureID: Int] = [:]
        for level in try await self.revisions.revision(self.venue.head, of: self.venue).levels {
            ordinals[level.id] = level.ordinal
        }
        return ordinals
    }

    private func state(of level: FeatureID?, with versions: [Publication.Version]) async throws -> LevelState {
        let new = Dictionary(uniqueKeysWithValues: versions.map { ($0.feature, $0.body) })
        var digest = LevelDigest()
        var state = LevelState(level: level, digest: digest.finalize(), features: 0, bytes: 0)
        try await self.revisions.store.orderedBodies(of: level, in: self.venue, at: self.venue.head) { id, stored in
            let body = new[id] ?? stored
            digest.add(body: body)
            state.features += 1
            state.bytes += Int64(body.count)
        }
        state.digest = digest.finalize()
        return state
    }
}
