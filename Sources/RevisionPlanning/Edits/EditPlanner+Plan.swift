import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

extension EditPlanner {
    mutating func plan(dependents: [FeatureID]) async throws -> EditPlan {
        let moved = try await self.featuresToPlace()
        let compared = Set(self.edited.keys).union(moved)
        try await self.stored.read(compared.flatMap { self.references(of: $0) }.map(\.target))
        for id in self.edited.keys { try await self.stored.read(self.stored[id]?.references.map(\.target) ?? []) }
        let after = self.placed(compared.sorted(), isMoving: !moved.isEmpty)
        let difference = try self.difference(from: compared.sorted(), to: after)

        var levels: [FeatureID: FeatureID?] = [:]
        for feature in after { levels[feature.feature.id] = .some(feature.placement.level) }
        var plan = EditPlan(self.workspace, levels: levels)
        plan.versions = self.versions(of: difference, after)
        plan.changes = difference.changes
        plan.removed = difference.changes.filter { $0.kind == .removed }.map(\.id)
        plan.levelStates = try await self.levelStates(changedBy: difference, after)
        plan.metadata.addedFeatures = difference.changes.reduce(0) { count, change in
            count + (change.kind == .added ? 1 : change.kind == .removed ? -1 : 0)
        }
        plan.metadata.country = try await self.country()
        plan.ordinals = self.ordinals(after)
        plan.dependents = dependents
        plan.findings = try await self.findings()
        return plan
    }

    // MARK: - Placements

    /// The features whose placements have to be determined again: those that appear or have other references than before, and all that
    /// refer to these or to features that disappear, directly or not.
    private mutating func featuresToPlace() async throws -> Set<FeatureID> {
        var next: Set<FeatureID> = []
        for (id, after) in self.edited {
            let before = self.stored[id]
            if let before, let after, before.references == after.references, before.version.type == after.type {
                continue
            }
            next.insert(id)
        }
        var found = next
        // Whatever a level refers to, features that refer to it are on it; only the depths of levels depend on other features.
        next = next.filter { id in
            guard let before = self.stored[id], let after = self.edited[id] ?? nil, after.type == .level else {
                return true
            }
            return before.version.type != .level || before.references.parents != after.references.parents
        }
        while !next.isEmpty {
            try Task.checkCancellation()
            let referring = try await self.features(referringTo: next).filter { !found.contains($0) }
            found.formUnion(referring)
            let targets = next
            next = Set(
                referring.filter { id in
                    self.type(of: id) != .level
                        || self.references(of: id).parents.contains { targets.contains($0.target) }
                })
        }
        return found
    }

    /// Features after the edit, on their levels.
    ///
    /// - Parameter isMoving: Whether any feature may be on another level than before.
    private func placed(_ ids: [FeatureID], isMoving: Bool) -> [ArchiveFeature] {
        let features = ids.compactMap { self.feature($0) }
        let placements =
            isMoving
            ? LevelAssignment.placements(of: features, beside: self.neighbours(of: ids))
            : features.map { self.stored[$0.id]?.version.placement ?? Placement(level: nil) }
        return zip(features, placements).map { feature, placement in
            let version = self.edited[feature.id] == nil ? self.stored[feature.id]?.version : nil
            return ArchiveFeature(
                feature: feature, placement: placement, bodyDigest: version?.digest ?? Digest(of: feature.body))
        }
    }

    /// A feature after the edit, without undeclared references that dangle; nil if there is none.
    private func feature(_ id: FeatureID) -> Feature? {
        let feature =
            self.edited[id]
            ?? self.stored[id].map {
                Feature(id: id, type: $0.version.type, body: $0.version.body, references: $0.references)
            }
        guard var feature else { return nil }
        feature.references.removeAll { $0.role == .undeclared && self.type(of: $0.target) == nil }
        return feature
    }

    /// What some features refer to, and all levels, without these features.
    private func neighbours(of ids: [FeatureID]) -> [FeaturePlacement] {
        let placed = Set(ids)
        var neighbours: [FeatureID: FeaturePlacement] = [:]
        for level in self.revision.levels where !placed.contains(level.id) {
            neighbours[level.id] = FeaturePlacement(id: level.id, type: .level, placement: Placement(level: nil))
        }
        for target in Set(ids.flatMap { self.references(of: $0) }.map(\.target)) where !placed.contains(target) {
            guard let version = self.stored[target]?.version else { continue }
            neighbours[target] = FeaturePlacement(id: target, type: version.type, placement: version.placement)
        }
        return Array(neighbours.values)
    }

    // MARK: - Comparison

    private func difference(from ids: [FeatureID], to after: [ArchiveFeature]) throws -> Difference {
        let before = ids.compactMap { self.stored[$0]?.version }
        let known = Set(self.references(of: ids).map(\.target).filter { self.type(of: $0) != nil })
        var comparison = Comparison(
            stored: before.map { version in
                StoredFeature(
                    id: version.feature, type: version.type, level: version.placement.level,
                    touches: version.placement.touches, depth: version.placement.depth, bodyDigest: version.digest)
            }, features: after, isKnown: known.contains)
        let reader = JSONReader()
        let needed = comparison.neededBodies.compactMap { id in
            self.stored[id].map { StoredBody(id: id, body: $0.version.body) }
        }
        try comparison.resolve(needed) { try reader.value(of: $0) }
        return try comparison.difference()
    }

    /// The references of some features, before and after the edit.
    private func references(of ids: [FeatureID]) -> [Reference] {
        ids.flatMap { id in (self.stored[id]?.references ?? []) + self.references(of: id) }
    }

    private func versions(of difference: Difference, _ after: [ArchiveFeature]) -> [Publication.Version] {
        let features = Dictionary(uniqueKeysWithValues: after.map { ($0.feature.id, $0.feature) })
        return difference.versions.compactMap { version in
            guard let feature = features[version.id] else { return nil }
            let body: [UInt8] =
                switch version.body {
                case .new(let body): body
                case .stored: self.stored[version.id]?.version.body ?? feature.body
                }
            return Publication.Version(
                feature: version.id, type: version.type,
                placement: Placement(level: version.level, touches: version.touches, depth: version.depth),
                ordinal: feature.type == .level ? feature.ordinal : nil, digest: version.bodyDigest, body: body)
        }
    }

    /// The states of the levels with added, changed or removed features. The stored bodies of these levels are read.
    private func levelStates(
        changedBy difference: Difference, _ after: [ArchiveFeature]
    ) async throws -> [LevelState] {
        // The bodies of features that are not as they are stored; nil on levels that they have left.
        var bodies: [FeatureID?: [FeatureID: [UInt8]?]] = [:]
        let versions = Dictionary(
            uniqueKeysWithValues: self.versions(of: difference, after).map { ($0.feature, $0.body) })
        for change in difference.changes {
            if change.kind != .added { bodies[change.levelBefore, default: [:]][change.id] = .some(nil) }
            if change.kind != .removed { bodies[change.levelAfter, default: [:]][change.id] = versions[change.id] }
        }
        var states: [LevelState] = []
        for (level, changed) in bodies {
            var sum = LevelSum()
            var new = changed.sorted { $0.key < $1.key }[...]
            try await self.revisions.store.orderedBodies(of: level, in: self.venue) { id, stored in
                while let first = new.first, first.key <= id {
                    new.removeFirst()
                    sum.add(first.value)
                    if first.key == id { return }
                }
                sum.add(stored)
            }
            for (_, body) in new { sum.add(body) }
            states.append(sum.state(of: level))
        }
        return states
    }

    private struct LevelSum {
        private var digest = LevelDigest()
        private var features = 0
        private var bytes: Int64 = 0

        mutating func add(_ body: [UInt8]?) {
            guard let body else { return }
            self.digest.add(body: body)
            self.features += 1
            self.bytes += Int64(body.count)
        }

        consuming func state(of level: FeatureID?) -> LevelState {
            LevelState(level: level, digest: self.digest.finalize(), features: self.features, bytes: self.bytes)
        }
    }

    // MARK: - The venue

    /// The country of the venue's address; nil if the edit changes neither the venue nor an address.
    private mutating func country() async throws -> EditPublication.Metadata.Country? {
        let types = self.edited.keys.flatMap { [self.stored[$0]?.version.type, self.type(of: $0)] }
        guard types.contains(.venue) || types.contains(.address), let id = self.revision.venueFeature else {
            return nil
        }
        try await self.stored.read([id])
        guard let address = self.references(of: id).first(where: { $0.role == .address })?.target else {
            return .init(code: nil)
        }
        try await self.stored.read([address])
        return .init(code: self.feature(address).flatMap { VenueMetadata.country(in: $0.body) })
    }

    /// The ordinals of the levels before and after the edit; those after it where both have the level.
    private func ordinals(_ after: [ArchiveFeature]) -> [FeatureID: Int] {
        var ordinals: [FeatureID: Int] = [:]
        for level in self.revision.levels { ordinals[level.id] = level.ordinal }
        for feature in after.lazy.map(\.feature) where feature.type == .level { ordinals[feature.id] = feature.ordinal }
        return ordinals
    }

    /// The findings about the edited features that the edit causes.
    private func findings() async throws -> [Finding] {
        var (before, after) = (EditValidation.Side(), EditValidation.Side())
        let edited = self.edited.keys.sorted()
        for id in edited {
            if let entry = self.stored[id] { before.features.append(Feature(entry)) }
            if let feature = self.feature(id) { after.features.append(feature) }
        }
        func references(of features: [Feature]) -> [FeatureID] {
            Set(features.flatMap(\.references).map(\.target)).subtracting(edited).sorted()
        }
        before.references = references(of: before.features).compactMap { self.stored[$0].map { Feature($0) } }
        after.references = references(of: after.features).compactMap { self.feature($0) }
        guard !after.features.isEmpty else { return [] }
        let manifest = try await self.revisions.store.manifest(of: self.venue, at: self.venue.head).content
        return try EditValidation.newFindings(
            before: before, after: after, manifest: manifest.flatMap { try? JSONReader.value(of: $0).object })
    }
}

extension [Reference] {
    fileprivate var parents: [Reference] { self.filter { $0.role == .parents } }
}

extension Feature {
    fileprivate init(_ entry: StoredFeatures.Entry) {
        self.init(
            id: entry.version.feature, type: entry.version.type, body: entry.version.body, references: entry.references)
    }
}
