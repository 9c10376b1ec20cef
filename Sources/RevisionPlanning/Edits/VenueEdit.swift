import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// Plans an edit of any kind over the whole venue: levels are determined again, and references are checked.
struct VenueEdit {
    private var workspace: EditWorkspace
    private let venue: VenueRecord
    private let store: RevisionStore
    private let base: ComparisonBase
    /// By id.
    private let stored: [ArchiveFeature]
    private let storedIDs: [FeatureID]

    init(_ workspace: EditWorkspace, in venue: VenueRecord, from store: RevisionStore) async throws {
        self.workspace = workspace
        self.venue = venue
        self.store = store
        let base = try await store.comparisonBase(of: venue.key, at: venue.head)
        guard base.venue.epoch == venue.epoch else { throw StoreError.headMoved }
        self.base = base
        let reader = JSONReader()
        let ids = base.versions.map(\.id)
        var features: [ArchiveFeature?] = Array(repeating: nil, count: ids.count)
        try await store.bodies(of: nil, in: venue, at: venue.head) { id, body in
            guard let index = ids.sortedIndex(of: id) else { return }
            let version = base.versions[index]
            let references = try reader.references(of: body, type: version.type)
            features[index] = ArchiveFeature(
                feature: Feature(id: id, type: version.type, body: body, references: references),
                placement: Placement(level: version.level, touches: version.touches, depth: version.depth),
                bodyDigest: version.digest)
        }
        self.stored = features.compactMap(\.self)
        self.storedIDs = ids
        guard self.stored.count == ids.count else { throw StoreError.headMoved }
    }

    mutating func plan() async throws -> EditPlan {
        var features = try self.edited()
        let found = self.workspace.request.isAutomatic ? [] : self.dependents(among: features)
        guard !found.isEmpty else { return try await self.plan(features, dependents: []) }
        guard self.workspace.hidesDependents else { throw self.refusal(of: found) }
        let closure = try self.closure(of: found, among: features)
        let overrides = Dictionary(grouping: self.base.overrides.overrides, by: \.feature)
        for dependent in closure {
            try self.workspace.hideDependent(
                dependent.feature, overrides: overrides[dependent.feature.feature.id] ?? [], path: dependent.path)
        }
        try self.workspace.checkSize()
        features = try self.edited()
        let rest = self.dependents(among: features)
        guard rest.isEmpty else { throw self.refusal(of: rest) }
        return try await self.plan(features, dependents: closure.map(\.feature.feature.id))
    }

    private func refusal(of found: [Dependent]) -> EditRefusal {
        EditRefusal(
            .invalid, at: found[0].path, "\(found.count) features refer to what would disappear.", rule: "ST-14",
            dependents: found.prefix(100).map(\.feature.feature.id))
    }

    /// Features that refer to one that disappears, features that refer to those, and so on; each once, the nearest first.
    private func closure(of found: [Dependent], among features: [ArchiveFeature]) throws -> [Dependent] {
        var sources: [FeatureID: [Int]] = [:]
        for (index, feature) in features.enumerated() {
            for target in Set(feature.feature.references.filter { $0.role != .undeclared }.map(\.target)) {
                sources[target, default: []].append(index)
            }
        }
        var closure = found
        var known = Set(found.map(\.feature.feature.id))
        var next = 0
        while next < closure.count {
            try Task.checkCancellation()
            let dependent = closure[next]
            next += 1
            guard dependent.feature.feature.type != .venue else {
                throw EditRefusal(
                    .invalid, at: dependent.path, "A venue needs its venue feature, and what that refers to.",
                    rule: "ST-16", dependents: [dependent.feature.feature.id])
            }
            for index in sources[dependent.feature.feature.id] ?? []
            where known.insert(features[index].feature.id).inserted {
                closure.append(Dependent(feature: features[index], path: dependent.path))
            }
            guard closure.count <= EditWorkspace.overrideLimit else {
                throw EditRefusal(
                    .invalid, at: dependent.path,
                    "More than \(EditWorkspace.overrideLimit) features refer to what would disappear.", rule: "ST-14")
            }
        }
        return closure
    }

    /// The features after the edit, by id, on their levels.
    private func edited() throws -> [ArchiveFeature] {
        let reader = JSONReader()
        var bodies: [FeatureID: [UInt8]?] = [:]
        for (id, feature) in self.workspace.features {
            let body = try feature.body()
            if body != feature.stored?.body { bodies[id] = .some(body) }
        }
        var features = self.stored.map(\.feature).filter { bodies[$0.id] == nil }
        for (id, body) in bodies {
            guard let body, let object = try reader.value(of: body).object else { continue }
            let type = FeatureType(rawValue: object["feature_type"]?.string ?? "")
            features.append(
                Feature(id: id, type: type, body: body, references: try reader.references(of: body, type: type)))
        }
        features.sort { $0.id < $1.id }
        let ids = features.map(\.id)
        for index in features.indices {
            features[index].references.removeAll { $0.role == .undeclared && ids.sortedIndex(of: $0.target) == nil }
        }
        var stored = self.stored[...]
        return zip(features, LevelAssignment.placements(of: features)).map { feature, placement in
            stored = stored.drop { $0.feature.id < feature.id }
            let digest = bodies[feature.id] == nil ? stored.first?.bodyDigest : nil
            return ArchiveFeature(
                feature: feature, placement: placement, bodyDigest: digest ?? Digest(of: feature.body))
        }
    }

    private struct Dependent {
        let feature: ArchiveFeature
        /// The place in the request of the operation by which a feature disappears that it refers to.
        let path: String
    }

    /// Features that refer to one that the edit removes, each once.
    private func dependents(among features: [ArchiveFeature]) -> [Dependent] {
        let ids = features.map(\.feature.id)
        let missing = Set(
            self.workspace.features.values.filter { $0.stored != nil && ids.sortedIndex(of: $0.id) == nil }.map(\.id))
        guard !missing.isEmpty else { return [] }
        return features.compactMap { feature in
            feature.feature.references.first { $0.role != .undeclared && missing.contains($0.target) }
                .map { Dependent(feature: feature, path: self.path(to: $0.target)) }
        }
    }

    private func path(to id: FeatureID) -> String { self.workspace.features[id]?.path ?? "" }

    private func plan(_ features: [ArchiveFeature], dependents: [FeatureID]) async throws -> EditPlan {
        let difference = try self.difference(features)
        let state = VenueState(edited: features, over: self.base)
        let metadata = VenueMetadata(of: state, manifest: nil)
        let bodies = Dictionary(
            uniqueKeysWithValues: difference.versions.filter { $0.body == .stored }.compactMap { version in
                self.storedFeature(version.id).map { (version.id, $0.feature.body) }
            })
        var levels: [FeatureID: FeatureID?] = [:]
        for feature in features { levels[feature.feature.id] = .some(feature.placement.level) }
        var plan = EditPlan(self.workspace, levels: levels)
        plan.versions = state.versions(of: difference, storedBodies: bodies)
        plan.changes = difference.changes
        plan.removed = difference.changes.filter { $0.kind == .removed }.map(\.id)
        plan.levelStates = state.levelStates(changedBy: difference, over: self.base, storedBodies: [:])
        plan.metadata = .init(
            features: features.count, venueFeature: metadata.venueFeature, country: metadata.country)
        plan.ordinals = state.ordinals(over: self.base)
        plan.dependents = dependents
        plan.findings = try self.findings(features)
        return plan
    }

    private func storedFeature(_ id: FeatureID) -> ArchiveFeature? {
        let index: Int? = self.storedIDs.sortedIndex(of: id)
        return index.map { self.stored[$0] }
    }

    private func difference(_ features: [ArchiveFeature]) throws -> Difference {
        var comparison = Comparison(stored: self.base.stored, features: features)
        let needed = comparison.neededBodies.compactMap { id in
            self.storedFeature(id).map { StoredBody(id: id, body: $0.feature.body) }
        }
        let reader = JSONReader()
        try comparison.resolve(needed) { try reader.value(of: $0) }
        return try comparison.difference()
    }

    private func findings(_ features: [ArchiveFeature]) throws -> [Finding] {
        let edited = Set(self.workspace.features.keys)
        return try EditValidation.newFindings(
            before: Self.side(self.stored, edited), after: Self.side(features, edited))
    }

    private static func side(_ features: [ArchiveFeature], _ edited: Set<FeatureID>) -> EditValidation.Side {
        var side = EditValidation.Side()
        side.features = features.map(\.feature).filter { edited.contains($0.id) }
        let targets = Set(side.features.flatMap(\.references).map(\.target)).subtracting(edited)
        side.references = features.map(\.feature).filter { targets.contains($0.id) }
        return side
    }
}
