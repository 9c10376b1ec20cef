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
    var metadata = EditPublication.Metadata(addedFeatures: 0, country: nil)
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
