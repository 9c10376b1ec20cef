import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// Plans an edit. Only the edited features are read, what they refer to, and what refers to features that appear, disappear or change
/// their references; and the bodies of the levels that change.
struct EditPlanner {
    var workspace: EditWorkspace
    let venue: VenueRecord
    let revisions: RevisionReader
    let revision: RevisionRecord
    var stored: StoredFeatures
    /// The edited features whose bodies are other ones than before; nil for those that disappear.
    private(set) var edited: [FeatureID: Feature?] = [:]

    init(
        _ workspace: EditWorkspace, in venue: VenueRecord, from revisions: RevisionReader, indexes: ReferenceIndexCache
    ) async throws {
        self.workspace = workspace
        self.venue = venue
        self.revisions = revisions
        self.revision = try await revisions.revision(venue.head, of: venue)
        self.stored = StoredFeatures(of: venue, in: revisions.store, indexes: indexes)
        try self.applyWorkspace()
    }

    mutating func plan() async throws -> EditPlan {
        if self.workspace.request.isAutomatic {
            try await self.settleDependents()
            return try await self.plan(dependents: [])
        }
        if self.workspace.request.returnsToSource { try await self.checkReferences() }
        let found = try await self.dependents()
        guard !found.isEmpty else { return try await self.plan(dependents: []) }
        guard self.workspace.hidesDependents else { throw self.refusal(of: found) }
        let closure = try await self.closure(of: found)
        try await self.hide(closure)
        let rest = try await self.dependents()
        guard rest.isEmpty else { throw self.refusal(of: rest) }
        return try await self.plan(dependents: closure.map(\.id))
    }

    /// Takes the bodies of the edited features from the workspace.
    mutating func applyWorkspace() throws {
        let reader = JSONReader()
        self.edited = [:]
        for (id, feature) in self.workspace.features {
            try self.stored.add(feature.stored, id)
            let body = try feature.body()
            guard body != feature.stored?.body else { continue }
            guard let body, let object = try reader.value(of: body).object else {
                self.edited[id] = .some(nil)
                continue
            }
            let type = FeatureType(rawValue: object["feature_type"]?.string ?? "")
            self.edited[id] = Feature(
                id: id, type: type, body: body, references: try reader.references(of: body, type: type))
        }
    }

    /// The features that the edit removes.
    var removed: Set<FeatureID> {
        Set(self.edited.filter { $0.value == nil && self.stored[$0.key] != nil }.keys)
    }

    /// The references of a feature after the edit; none if there is no such feature.
    func references(of id: FeatureID) -> [Reference] {
        if let edited = self.edited[id] { return edited?.references ?? [] }
        return self.stored[id]?.references ?? []
    }

    /// Features that refer to some others after the edit, by id.
    mutating func features(referringTo targets: Set<FeatureID>) async throws -> [FeatureID] {
        let stored = try await self.stored.read(referringTo: targets)
        return Set(stored + self.edited.keys).sorted().filter { id in
            self.references(of: id).contains { targets.contains($0.target) }
        }
    }

    /// The type of a feature that was read.
    func type(of id: FeatureID) -> FeatureType? {
        if let edited = self.edited[id] { return edited?.type }
        return self.stored[id]?.version.type
    }
}
