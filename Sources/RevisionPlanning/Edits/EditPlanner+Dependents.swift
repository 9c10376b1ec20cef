import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// Features that refer to others that are not published.
extension EditPlanner {
    /// A feature that refers to one that disappears.
    struct Dependent {
        let id: FeatureID
        /// The place in the request of the operation by which a feature disappears that it refers to.
        let path: String
    }

    func refusal(of found: [Dependent]) -> RefusedEdit {
        let features = found.count == 1 ? "1 feature refers" : "\(found.count) features refer"
        return RefusedEdit(
            .invalid, at: found[0].path, "\(features) to what would disappear.", rule: "ST-14",
            dependents: found.prefix(100).map(\.id))
    }

    /// Features that refer to one that the edit removes, each once.
    mutating func dependents() async throws -> [Dependent] {
        let removed = self.removed
        return try await self.features(referringTo: removed).compactMap { id in
            self.references(of: id).first { $0.role != .undeclared && removed.contains($0.target) }
                .map { Dependent(id: id, path: self.workspace.features[$0.target]?.path ?? "") }
        }
    }

    /// Features that refer to one that disappears, features that refer to those, and so on; each once, the nearest first.
    mutating func closure(of found: [Dependent]) async throws -> [Dependent] {
        var closure = found
        var known = Set(found.map(\.id))
        var next = 0
        while next < closure.count {
            try Task.checkCancellation()
            let paths = Dictionary(uniqueKeysWithValues: closure[next...].map { ($0.id, $0.path) })
            for dependent in closure[next...] where self.type(of: dependent.id) == .venue {
                throw RefusedEdit(
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
                    throw RefusedEdit(
                        .invalid, at: path,
                        "More than \(EditWorkspace.overrideLimit) features refer to what would disappear.",
                        rule: "ST-14")
                }
            }
        }
        return closure
    }

    mutating func hide(_ dependents: [Dependent]) async throws {
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

    // MARK: - References to hidden features

    /// A feature that refers to a hidden one after the edit, and did not before.
    private struct Hanging {
        let id: FeatureID
        let target: FeatureID
        /// When the target appears by itself.
        let until: Date?
    }

    /// Edited features that refer to hidden ones and did not before, by id.
    private mutating func hanging() async throws -> [Hanging] {
        let references = self.edited.compactMap { id, feature in
            feature.map { feature in
                let before = Set(self.stored[id]?.references.map(\.target) ?? [])
                return (
                    id: id,
                    targets: feature.references.filter { $0.role != .undeclared }.map(\.target)
                        .filter { !before.contains($0) }
                )
            }
        }
        let targets = Set(references.flatMap(\.targets))
        guard !targets.isEmpty else { return [] }
        try await self.stored.read(targets)
        let missing = targets.filter { self.type(of: $0) == nil }.sorted()
        guard !missing.isEmpty else { return [] }
        let stored = try await self.revisions.store.overrides(of: self.venue, at: self.venue.head, features: missing)
        let unedited = stored.overrides.filter { self.workspace.features[$0.feature] == nil }
        let hidings = (unedited + missing.compactMap { self.workspace.features[$0]?.existence }).filter(\.isHidingNow)
        let ends = Dictionary(hidings.map { ($0.feature, $0.until) }, uniquingKeysWith: { first, _ in first })
        return references.compactMap { id, targets in
            targets.lazy.compactMap { target in ends[target].map { Hanging(id: id, target: target, until: $0) } }.first
        }.sorted { $0.id < $1.id }
    }

    /// Refuses to go back to a reference to a hidden feature: it is not the source that breaks it.
    mutating func checkReferences() async throws {
        guard let first = try await self.hanging().first else { return }
        throw RefusedEdit(
            .invalid, at: self.workspace.features[first.id]?.path ?? "",
            "The feature refers to \(first.target), which is hidden.", rule: "ST-14")
    }

    // MARK: - Ends of overrides, when nobody is there to decide

    /// Hides features that refer to hidden ones, as long as those, and ends overrides that refer to what disappears.
    mutating func settleDependents() async throws {
        repeat {
            try Task.checkCancellation()
            try self.applyWorkspace()
        } while try await self.settleOnce()
    }

    /// Whether anything changed.
    private mutating func settleOnce() async throws -> Bool {
        let dependents = try await self.dependents()
        let removed = self.removed
        let ids = dependents.map(\.id).filter { self.workspace.features[$0] == nil }.sorted()
        let set = try await self.revisions.store.overrides(of: self.venue, at: self.venue.head, features: ids)
        let overrides = Dictionary(grouping: set.overrides, by: \.feature)
        var hasChanged = false
        for id in dependents.map(\.id) {
            let hasEnded = try self.workspace.endOverrides(
                of: id, referringTo: removed, stored: self.stored[id]?.version, overrides: overrides[id] ?? [])
            hasChanged = hasChanged || hasEnded
        }
        for hanging in try await self.hanging() {
            let isHidden = self.workspace.hideHanging(hanging.id, until: hanging.until)
            hasChanged = hasChanged || isHidden
        }
        return hasChanged
    }
}
