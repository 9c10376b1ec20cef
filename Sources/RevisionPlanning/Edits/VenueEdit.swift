import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// Plans an edit. Only the edited features are read, what they refer to, and what refers to features that appear, disappear or change
/// their references; and the bodies of the levels that change.
struct VenueEdit {
    private(set) var workspace: EditWorkspace
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
        let found = self.workspace.request.isAutomatic ? [] : try await self.dependents()
        guard !found.isEmpty else { return try await self.plan(dependents: []) }
        guard self.workspace.hidesDependents else { throw self.refusal(of: found) }
        let closure = try await self.closure(of: found)
        try await self.hide(closure)
        let rest = try await self.dependents()
        guard rest.isEmpty else { throw self.refusal(of: rest) }
        return try await self.plan(dependents: closure.map(\.id))
    }

    /// Takes the bodies of the edited features from the workspace.
    private mutating func applyWorkspace() throws {
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
    private var removed: Set<FeatureID> {
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

    // MARK: - Dependents

    /// A feature that refers to one that disappears.
    private struct Dependent {
        let id: FeatureID
        /// The place in the request of the operation by which a feature disappears that it refers to.
        let path: String
    }

    private func refusal(of found: [Dependent]) -> EditRefusal {
        EditRefusal(
            .invalid, at: found[0].path, "\(found.count) features refer to what would disappear.", rule: "ST-14",
            dependents: found.prefix(100).map(\.id))
    }

    /// Features that refer to one that the edit removes, each once.
    private mutating func dependents() async throws -> [Dependent] {
        let removed = self.removed
        return try await self.features(referringTo: removed).compactMap { id in
            self.references(of: id).first { $0.role != .undeclared && removed.contains($0.target) }
                .map { Dependent(id: id, path: self.workspace.features[$0.target]?.path ?? "") }
        }
    }

    /// Features that refer to one that disappears, features that refer to those, and so on; each once, the nearest first.
    private mutating func closure(of found: [Dependent]) async throws -> [Dependent] {
        var closure = found
        var known = Set(found.map(\.id))
        var next = 0
        while next < closure.count {
            try Task.checkCancellation()
            let paths = Dictionary(uniqueKeysWithValues: closure[next...].map { ($0.id, $0.path) })
            for dependent in closure[next...] where self.type(of: dependent.id) == .venue {
                throw EditRefusal(
                    .invalid, at: dependent.path, "A venue needs its venue feature, and what that refers to.",
                    rule: "ST-16", dependents: [dependent.id])
            }
            next = closure.count
            for id in try await self.features(referringTo: Set(paths.keys)) where !known.contains(id) {
                let path = self.references(of: id).lazy.filter { $0.role != .undeclared }
                    .compactMap { paths[$0.target] }.first
                guard let path else { continue }
                known.insert(id)
                closure.append(Dependent(id: id, path: path))
                guard closure.count <= EditWorkspace.overrideLimit else {
                    throw EditRefusal(
                        .invalid, at: path,
                        "More than \(EditWorkspace.overrideLimit) features refer to what would disappear.",
                        rule: "ST-14")
                }
            }
        }
        return closure
    }

    /// The type of a feature that was read.
    func type(of id: FeatureID) -> FeatureType? {
        if let edited = self.edited[id] { return edited?.type }
        return self.stored[id]?.version.type
    }

    private mutating func hide(_ dependents: [Dependent]) async throws {
        let ids = dependents.map(\.id).sorted()
        let set = try await self.revisions.store.overrides(of: self.venue, at: self.venue.head, features: ids)
        let overrides = Dictionary(grouping: set.overrides, by: \.feature)
        for dependent in dependents {
            try self.workspace.hideDependent(
                dependent.id, stored: self.stored[dependent.id]?.version, overrides: overrides[dependent.id] ?? [],
                path: dependent.path)
        }
        try self.workspace.checkSize()
        try self.applyWorkspace()
    }
}
